import {
  getArgumentValues,
  type GraphQLObjectType,
  type GraphQLSchema,
  getVariableValues,
} from 'graphql';
import { assertFits, assertMayFit, AnswerTooLargeError } from '../answer-size.js';
import type { GatewayContext, RequestState } from '../context.js';
import type { PreparedOperation } from '../document/prepared-document.js';
import type { SelectedField, SelectedFields, Variables } from '../document/selected-fields.js';
import { compileWriter, type Writer, NotCompilableError } from './writers.js';

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
 * @throws NotCompilableError, AnswerTooLargeError, and errors of root fields
 */
async function executeOperation(
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
  const values: unknown[] = [];
  if (isMutation) for (const root of roots) values.push(await resolve(root));
  else values.push(...(await Promise.all(roots.map(resolve))));
  let text = '{';
  roots.forEach((root, index) => {
    text += (index > 0 ? ',' : '') + write(root, values[index]);
    assertMayFit(text);
  });
  text += '}';
  assertFits(text);
  return text;
}

/** Coerces variables; null if they have errors, which graphql-js reports. */
function coerceVariables(
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
function createCompiledOperations(schema: GraphQLSchema) {
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

interface OperationRequest {
  readonly operation: PreparedOperation;
  /** Variables as sent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GatewayContext;
}

/**
 * Executes an operation and returns `data` as JSON text. Null if the operation cannot be compiled or
 * if it fails; graphql-js then executes it.
 * @throws AnswerTooLargeError
 */
export type CompiledExecution = (request: OperationRequest) => Promise<string | null>;

/**
 * Creates compiled execution. Only successful results are written here: after any error, graphql-js
 * executes the operation and reuses the results of root fields.
 */
export function createCompiledExecution(schema: GraphQLSchema): CompiledExecution {
  const keepRootResults = reuseRootResults(schema);
  const compiled = createCompiledOperations(schema);
  return async ({ operation, variables: sent, context }) => {
    // before variables are coerced, because graphql-js repeats that
    if (operation.conditionVariables.length === 0 && !compiled.get(operation, {})) return null;
    const variables = coerceVariables(schema, operation, sent);
    const compiledOperation = variables && compiled.get(operation, variables);
    if (!compiledOperation) return null;
    const results: RootResults = new Map();
    try {
      return await executeOperation(compiledOperation, { variables, context }, results);
    } catch (error) {
      if (error instanceof AnswerTooLargeError) throw error;
      if (error instanceof NotCompilableError) compiled.remove(operation, variables);
      keepRootResults(context, results);
      return null;
    }
  };
}

/** Results of root fields, or promises of them, by response name. */
type RootResults = Map<string | number, unknown>;

/**
 * Makes the root fields of a schema return results that were kept for the request, so that
 * graphql-js can execute an operation without resolving a root field twice.
 * @returns a function that keeps the results of a request
 */
function reuseRootResults(
  schema: GraphQLSchema,
): (context: GatewayContext, results: RootResults) => void {
  // By their state, because Apollo Server copies contexts.
  const resultsByState = new WeakMap<RequestState, RootResults>();
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) {
      const resolve = field.resolve!;
      field.resolve = (source, args, context: GatewayContext, info) => {
        const results = resultsByState.get(context.state);
        return results?.has(info.path.key)
          ? results.get(info.path.key)
          : (resolve(source, args, context, info) as unknown);
      };
    }
  return (context, results) => void resultsByState.set(context.state, results);
}

interface EventExecutionRequest extends OperationRequest {
  /** The root value. */
  readonly event: unknown;
}

/**
 * Executes a subscription for an event and returns the result as JSON text. Null if graphql-js has
 * to execute it.
 * @throws AnswerTooLargeError
 */
export type CompiledEventExecution = (request: EventExecutionRequest) => Promise<string | null>;

/**
 * Creates compiled execution of subscriptions. Unlike an operation that failed, a subscription
 * stays compiled: an event can lack properties that streams which have just started select.
 */
export function createCompiledSubscriptions(schema: GraphQLSchema): CompiledEventExecution {
  const compiled = createCompiledOperations(schema);
  return async ({ operation, variables: sent, context, event }) => {
    const variables = coerceVariables(schema, operation, sent);
    const compiledOperation = variables && compiled.get(operation, variables);
    if (!compiledOperation) return null;
    try {
      return `{"data":${await executeOperation(compiledOperation, { variables, context, event })}}`;
    } catch (error) {
      if (error instanceof AnswerTooLargeError) throw error;
      return null;
    }
  };
}
