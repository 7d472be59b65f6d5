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
import { compileWriter, type OperationInfo, type Writer } from './writers.js';

/**
 * Resolves a root field as graphql-js would, and stores the result so that graphql-js does not
 * resolve it again.
 */
type ResolveRoot = (variables: Variables, context: GatewayContext) => unknown;
type Variables = GraphQLResolveInfo['variableValues'];

/** A root field of a compiled operation. */
interface CompiledRoot {
  readonly key: string;
  readonly resolve: ResolveRoot;
  readonly write: Writer['write'];
}

/**
 * An operation, or one variant of it selected by @include and @skip: its root fields, each with the
 * writer of its result.
 */
export interface CompiledOperation {
  readonly isMutation: boolean;
  readonly roots: readonly CompiledRoot[];
}

interface OperationSource extends OperationInfo {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

/**
 * Compiles a valid operation; null if a part of it needs more than the rows that the root fields
 * load.
 */
export function compileOperation(source: OperationSource): CompiledOperation | null {
  const { operation, schema, fragments, variableValues } = source;
  const type = schema.getRootType(operation.operation);
  if (!type) return null;
  const roots: CompiledRoot[] = [];
  for (const [key, fieldNodes] of collectFields(
    schema,
    fragments,
    variableValues,
    type,
    operation.selectionSet,
  )) {
    const root = compileRoot({ key, fieldNodes, type }, source);
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

function compileRoot(
  { key, fieldNodes, type }: RootField,
  { operation, ...operationInfo }: OperationSource,
): CompiledRoot | null {
  const node = fieldNodes[0]!;
  if (node.name.value === '__typename')
    return { key, resolve: () => type.name, write: () => `"${type.name}"` };
  const field = type.getFields()[node.name.value];
  const writer = field?.resolve && compileWriter(field.type, fieldNodes, operationInfo);
  if (!writer) return null;
  const path = { prev: undefined, key, typename: type.name };
  const info = {
    ...operationInfo,
    operation,
    fieldName: field.name,
    fieldNodes,
    returnType: field.type,
    parentType: type,
    path,
    rootValue: undefined,
  };
  const resolve: ResolveRoot = (variableValues, context) => {
    const result: unknown = field.resolve!(
      undefined,
      getArgumentValues(field, node, variableValues),
      context,
      { ...info, variableValues },
    );
    context.state.rootResults.set(key, result);
    return result;
  };
  return { key, resolve, write: writer.write };
}

/**
 * Executes a compiled operation: root fields of a query concurrently, mutations one after the
 * other.
 * @returns `data` as JSON text
 * @throws NotCompilableError, and errors of root fields
 */
export async function executeOperation(
  { isMutation, roots }: CompiledOperation,
  variables: Variables,
  context: GatewayContext,
): Promise<string> {
  const members: string[] = [];
  const write = (root: CompiledRoot, value: unknown): void =>
    void members.push(`"${root.key}":${root.write(value, context)}`);
  if (isMutation) for (const root of roots) write(root, await root.resolve(variables, context));
  else {
    const values = await Promise.all(roots.map((root) => root.resolve(variables, context)));
    roots.forEach((root, index) => write(root, values[index]));
  }
  return `{${members.join(',')}}`;
}
