import type { FieldNode, GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Condition, Selection } from './walk-document.js';

/** Values of variables, coerced. */
export type Variables = GraphQLResolveInfo['variableValues'];

/** Fields selected on an object, by response name, with fragments, @include and @skip applied. */
export type SelectedFields = ReadonlyMap<string, SelectedField>;

/** A selected field. Its nodes have the same response name and are merged, as in graphql-js. */
export interface SelectedField {
  readonly name: string;
  readonly nodes: readonly FieldNode[];
  /** Fields selected under this field on an object of the type. */
  fieldsOf(type: GraphQLObjectType): SelectedFields;
}

const isMet = ({ value, expected }: Condition, variables: Variables): boolean =>
  (typeof value === 'boolean' ? value : variables[value.variable]) === expected;

/** Merges the fields that the selections select on an object of the type. */
export function selectFields(
  selections: readonly Selection[],
  type: GraphQLObjectType,
  variables: Variables,
): SelectedFields {
  const found = new Map<string, { nodes: FieldNode[]; selections: Selection[] }>();
  const visited = new Set<Selection>();
  const visit = (selection: Selection): void => {
    if (visited.has(selection)) return;
    visited.add(selection);
    for (const { field, conditions, types, selection: nested } of selection.items) {
      if (!conditions.every((condition) => isMet(condition, variables))) continue;
      if (!field) {
        if (!types || types.includes(type)) visit(nested);
        continue;
      }
      const key = (field.alias ?? field.name).value;
      const merged = found.get(key) ?? { nodes: [], selections: [] };
      found.set(key, merged);
      merged.nodes.push(field);
      merged.selections.push(nested);
    }
  };
  selections.forEach(visit);
  return new Map(
    [...found].map(([key, { nodes, selections: nested }]) => [
      key,
      createSelectedField(nodes, nested, variables),
    ]),
  );
}

function createSelectedField(
  nodes: readonly FieldNode[],
  selections: readonly Selection[],
  variables: Variables,
): SelectedField {
  const fieldsByType = new Map<GraphQLObjectType, SelectedFields>();
  return {
    name: nodes[0]!.name.value,
    nodes,
    fieldsOf(type) {
      const fields = fieldsByType.get(type) ?? selectFields(selections, type, variables);
      fieldsByType.set(type, fields);
      return fields;
    },
  };
}
