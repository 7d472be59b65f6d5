import {
  getDirectiveValues, getNamedType, GraphQLIncludeDirective, GraphQLSkipDirective, isAbstractType, isObjectType, Kind,
  type FieldNode, type GraphQLObjectType, type GraphQLResolveInfo, type SelectionNode, type SelectionSetNode,
} from 'graphql';
import type { Post } from '../domain/post.js';
import type { PostSelection } from '../domain/post-query.js';
import { readsOf } from './reads.js';

/** The parts of an operation that looking ahead needs. */
type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;
type FieldInfo = Operation & Pick<GraphQLResolveInfo, 'fieldNodes' | 'returnType'>;

/** What is selected under some fields: by the field's own name, whatever its aliases. */
type Selected = ReadonlyMap<string, readonly FieldNode[]>;

const isIncluded = (node: SelectionNode, { variableValues }: Operation): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;

function applies(condition: string | undefined, type: GraphQLObjectType, { schema }: Operation): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

/** Everything that is selected on `type` under the given fields: aliases, fragments, @include and @skip understood. */
function selectedUnder(nodes: readonly FieldNode[], type: GraphQLObjectType, operation: Operation): Selected {
  const selected = new Map<string, FieldNode[]>();
  const seen = new Set<string>();
  const walk = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (!isIncluded(node, operation)) continue;
      if (node.kind === Kind.FIELD) {
        selected.set(node.name.value, [...(selected.get(node.name.value) ?? []), node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (applies(node.typeCondition?.name.value, type, operation)) walk(node.selectionSet);
      } else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        const fragment = operation.fragments[node.name.value];
        if (fragment && applies(fragment.typeCondition.name.value, type, operation)) walk(fragment.selectionSet);
      }
    }
  };
  for (const node of nodes) if (node.selectionSet) walk(node.selectionSet);
  return selected;
}

const readsUnder = (nodes: readonly FieldNode[], type: GraphQLObjectType, operation: Operation): Set<keyof Post> => {
  const fields = type.getFields();
  return new Set([...selectedUnder(nodes, type, operation).keys()].flatMap((name) => (fields[name] ? readsOf(fields[name]) : [])));
};

const objectType = (type: unknown): GraphQLObjectType => {
  if (!isObjectType(type)) throw new Error('looking ahead needs an object type');
  return type;
};
const typeUnder = (type: GraphQLObjectType, field: string): GraphQLObjectType => objectType(getNamedType(type.getFields()[field]?.type));

/** The properties of Post that a field of type Post needs for what is selected on it. */
export const postFields = (info: FieldInfo): ReadonlySet<keyof Post> => readsUnder(info.fieldNodes, objectType(getNamedType(info.returnType)), info);

/** What a PostConnection has to read: the fields of its posts by way of `nodes` and of `edges.node`, and which of its other parts. */
export function postSelection(info: FieldInfo): PostSelection {
  const connection = objectType(getNamedType(info.returnType));
  const selected = selectedUnder(info.fieldNodes, connection, info);
  const under = (name: string): readonly FieldNode[] => selected.get(name) ?? [];
  const edge = typeUnder(connection, 'edges');
  const nodes = [...under('nodes'), ...(selectedUnder(under('edges'), edge, info).get('node') ?? [])];
  return {
    fields: readsUnder(nodes, typeUnder(connection, 'nodes'), info),
    totalCount: selected.has('totalCount'),
    facets: selected.has('facets'),
    items: selected.has('nodes') || selected.has('edges') || selected.has('pageInfo'),
  };
}
