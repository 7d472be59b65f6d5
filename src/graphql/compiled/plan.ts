import {
  getArgumentValues,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields } from '../selection/collect-fields.js';
import type { GatewayContext } from '../context.js';
import { compileWriter, type Operation, type Writer } from './writers.js';

/** Asks a root field as graphql-js would, and keeps what it gives: should graphql-js complete the answer, nothing is asked twice. */
type Ask = (variables: Variables, context: GatewayContext) => unknown;
type Variables = GraphQLResolveInfo['variableValues'];

/** A root field of a plan. */
interface PlannedRoot {
  readonly key: string;
  readonly ask: Ask;
  readonly write: Writer['write'];
}

/** One operation, or one form of it that @include and @skip give: its root fields, each with the writer of its answer. */
export interface Plan {
  readonly isMutation: boolean;
  readonly roots: readonly PlannedRoot[];
}

interface Planned extends Operation {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

/** The plan of a valid operation; null where a part of it needs more than what the root fields read. */
export function compilePlan(planned: Planned): Plan | null {
  const { operation, schema, fragments, variableValues } = planned;
  const type = schema.getRootType(operation.operation);
  if (!type) return null;
  const roots: PlannedRoot[] = [];
  for (const [key, fieldNodes] of collectFields(
    schema,
    fragments,
    variableValues,
    type,
    operation.selectionSet,
  )) {
    const root = planRoot({ key, fieldNodes, type }, planned);
    if (!root) return null;
    roots.push(root);
  }
  return { isMutation: operation.operation === 'mutation', roots };
}

interface RootField {
  readonly key: string;
  readonly fieldNodes: readonly FieldNode[];
  readonly type: GraphQLObjectType;
}

function planRoot(
  { key, fieldNodes, type }: RootField,
  { operation, ...parts }: Planned,
): PlannedRoot | null {
  const node = fieldNodes[0]!;
  if (node.name.value === '__typename')
    return { key, ask: () => type.name, write: () => `"${type.name}"` };
  const field = type.getFields()[node.name.value];
  const writer = field?.resolve && compileWriter(field.type, fieldNodes, parts);
  if (!writer) return null;
  const path = { prev: undefined, key, typename: type.name };
  const info = {
    ...parts,
    operation,
    fieldName: field.name,
    fieldNodes,
    returnType: field.type,
    parentType: type,
    path,
    rootValue: undefined,
  };
  const ask: Ask = (variableValues, context) => {
    const given: unknown = field.resolve!(
      undefined,
      getArgumentValues(field, node, variableValues),
      context,
      { ...info, variableValues },
    );
    context.run.roots.set(key, given);
    return given;
  };
  return { key, ask, write: writer.write };
}

/**
 * Runs a plan: root fields of a query all at once, mutations one after the other.
 * @returns `data` as JSON text
 * @throws NotPlanned, and whatever a root field refuses with
 */
export async function runPlan(
  { isMutation, roots }: Plan,
  variables: Variables,
  context: GatewayContext,
): Promise<string> {
  const members: string[] = [];
  const write = (root: PlannedRoot, value: unknown): void =>
    void members.push(`"${root.key}":${root.write(value, context)}`);
  if (isMutation) for (const root of roots) write(root, await root.ask(variables, context));
  else {
    const values = await Promise.all(roots.map((root) => root.ask(variables, context)));
    roots.forEach((root, index) => write(root, values[index]));
  }
  return `{${members.join(',')}}`;
}
