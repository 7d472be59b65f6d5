import {
  getArgumentValues,
  type GraphQLObjectType,
  type GraphQLSchema,
  getVariableValues,
} from 'graphql';
import type { GatewayContext } from '../context.js';
import type { PreparedOperation } from '../document/prepared-document.js';
import type { SelectedField, SelectedFields, Variables } from '../document/selected-fields.js';
import { compileWriter, type Writer } from './writers.js';

interface ExecutionRequest {
  /** Coerced. */
  readonly variables: Variables;
  readonly context: GatewayContext;
  /** The root value: the event of a subscription. */
  readonly event?: unknown;
}

/** A root field of a compiled operation: how it is resolved, and the writer of its result. */
interface CompiledRoot {
  readonly key: string;
  /** Resolves the field as graphql-js would. */
  readonly resolve: (request: ExecutionRequest) => unknown;
  readonly write: Writer['write'];
}

/** An operation with certain values of the variables in @include and @skip. */
interface CompiledOperation {
  readonly isMutation: boolean;
  readonly roots: readonly CompiledRoot[];
}

interface OperationSource {
  readonly schema: GraphQLSchema;
  readonly operation: PreparedOperation;
  readonly fields: SelectedFields;
}

/**
 * Compiles an operation; null if a part of it needs more than the rows that the root fields load.
 */
function compileOperation(source: OperationSource): CompiledOperation | null {
  const { schema, operation, fields } = source;
  const type = schema.getRootType(operation.definition.operation);
  if (!type) return null;
  const roots: CompiledRoot[] = [];
  for (const [key, field] of fields) {
    const root = compileRoot({ key, field, type }, source);
    if (!root) return null;
    roots.push(root);
  }
  return { isMutation: operation.definition.operation === 'mutation', roots };
}

interface RootField {
  readonly key: string;
  readonly field: SelectedField;
  readonly type: GraphQLObjectType;
}

function compileRoot(
  { key, field: selected, type }: RootField,
  { schema, operation }: OperationSource,
): CompiledRoot | null {
  const { name, nodes } = selected;
  if (name === '__typename')
    return { key, resolve: () => type.name, write: () => `"${type.name}"` };
  const field = type.getFields()[name];
  const writer = field?.resolve && compileWriter(field.type, selected);
  if (!writer) return null;
  const info = {
    schema,
    fragments: operation.fragments,
    operation: operation.definition,
    fieldName: name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType: type,
    path: { prev: undefined, key, typename: type.name },
  };
  return {
    key,
    resolve: ({ variables: variableValues, context, event }) =>
      field.resolve!(event, getArgumentValues(field, nodes[0]!, variableValues), context, {
        ...info,
        variableValues,
        rootValue: event,
      }),
    write: writer.write,
  };
}

/**
 * Executes a compiled operation: root fields of a query concurrently, mutations one after the
 * other. Adds the results of root fields to `results`, also before an error.
 * @returns `data` as JSON text
 * @throws NotCompilableError, and errors of root fields
 */
export async function executeOperation(
  { isMutation, roots }: CompiledOperation,
  request: ExecutionRequest,
  results = new Map<string | number, unknown>(),
): Promise<string> {
  const resolve = (root: CompiledRoot): unknown => {
    const result = root.resolve(request);
    results.set(root.key, result);
    return result;
  };
  const write = (root: CompiledRoot, value: unknown): string =>
    `"${root.key}":${root.write(value, request.context)}`;
  const members: string[] = [];
  if (isMutation) for (const root of roots) members.push(write(root, await resolve(root)));
  else {
    const values = await Promise.all(roots.map(resolve));
    roots.forEach((root, index) => members.push(write(root, values[index])));
  }
  return `{${members.join(',')}}`;
}

/** Coerces variables; null if they have errors, which graphql-js reports. */
export function coerceVariables(
  schema: GraphQLSchema,
  { definition, conditionVariables }: PreparedOperation,
  sent: Readonly<Record<string, unknown>>,
): Variables | null {
  const { coerced } = getVariableValues(schema, definition.variableDefinitions ?? [], sent, {
    maxErrors: 1,
  });
  if (!coerced || conditionVariables.some((name) => coerced[name] === null)) return null;
  return coerced;
}

/**
 * Every variable in @include and @skip doubles the number of selections of an operation. graphql-js
 * executes selections beyond this number.
 */
const MAX_SELECTIONS = 16;

/** Compiles each operation once per document and selection. */
export function createCompiledOperations(schema: GraphQLSchema) {
  /** Null for a selection that cannot be compiled. */
  const selectionsByOperation = new WeakMap<
    PreparedOperation,
    Map<SelectedFields, CompiledOperation | null>
  >();
  return {
    get(operation: PreparedOperation, variables: Variables): CompiledOperation | null {
      const selections = selectionsByOperation.get(operation) ?? new Map();
      selectionsByOperation.set(operation, selections);
      const fields = operation.rootFields(variables);
      const known = selections.get(fields);
      if (known !== undefined || selections.size >= MAX_SELECTIONS) return known ?? null;
      const compiled = compileOperation({ schema, operation, fields });
      selections.set(fields, compiled);
      return compiled;
    },
    /** Leaves a selection to graphql-js from now on: it would fail again. */
    remove(operation: PreparedOperation, variables: Variables): void {
      selectionsByOperation.get(operation)?.set(operation.rootFields(variables), null);
    },
  };
}
