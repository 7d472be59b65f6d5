import type { GraphQLSchema } from 'graphql';
import type { GatewayContext, RequestState } from '../context.js';
import type { PreparedOperation } from '../document/prepared-document.js';
import {
  executeOperation,
  coerceVariables,
  createCompiledOperations,
} from './compile-operation.js';
import { NotCompilableError } from './writers.js';

interface OperationRequest {
  readonly operation: PreparedOperation;
  /** Variables as sent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GatewayContext;
}

/**
 * Executes an operation and returns `data` as JSON text. Null if the operation cannot be compiled or
 * if it fails; graphql-js then executes it.
 */
type CompiledExecution = (request: OperationRequest) => Promise<string | null>;

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
    } catch {
      return null;
    }
  };
}
