import {
  HeaderMap,
  type ApolloServerOptionsWithSchema,
  type GraphQLRequestListener,
} from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { GatewayContext } from '../context.js';
import type { PreparedOperation } from '../document/prepared-document.js';
import { executeOperation } from './compile-operation.js';
import { coerceVariables, createCompiledOperations } from './compiled-operations.js';
import { NotCompilableError } from './leaf-writers.js';

type ServerOptions = ApolloServerOptionsWithSchema<GatewayContext>;

/**
 * Adds compiled execution to the options of Apollo Server, which executes the operations that
 * cannot be compiled. Responses are the same without it.
 */
export function withCompiledExecution(options: ServerOptions): ServerOptions {
  const execute = createCompiledExecution(options.schema);
  const listener: GraphQLRequestListener<GatewayContext> = {
    async responseForOperation({ request: { variables = {} }, contextValue: context }) {
      const { operation } = context.state;
      const data = operation && (await execute({ operation, variables, context }));
      // Apollo Server passes the data to `stringifyResult` unchanged.
      return (
        data && {
          http: { headers: new HeaderMap() },
          body: {
            kind: 'single',
            singleResult: { data: data as unknown as Record<string, unknown> },
          },
        }
      );
    },
  };
  return {
    ...options,
    plugins: [...(options.plugins ?? []), { requestDidStart: () => Promise.resolve(listener) }],
    stringifyResult(result) {
      const { data, extensions = {} }: { data?: unknown; extensions?: unknown } = result;
      // A compiled result has no errors.
      return data instanceof JsonText
        ? `{"data":${data.text},"extensions":${JSON.stringify(extensions)}}`
        : JSON.stringify(result);
    },
  };
}

/** Serialized JSON. */
class JsonText {
  constructor(readonly text: string) {}
}

interface OperationRequest {
  readonly operation: PreparedOperation;
  /** Variables as sent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GatewayContext;
}

/**
 * Executes an operation. Returns null if it cannot be compiled or if it fails; graphql-js then
 * executes it.
 */
type CompiledExecution = (request: OperationRequest) => Promise<JsonText | null>;

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
      return new JsonText(
        await executeOperation(compiledOperation, { variables, context }, results),
      );
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
  const resultsByContext = new WeakMap<GatewayContext, RootResults>();
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) {
      const resolve = field.resolve!;
      field.resolve = (source, args, context: GatewayContext, info) => {
        const results = resultsByContext.get(context);
        return results?.has(info.path.key)
          ? results.get(info.path.key)
          : (resolve(source, args, context, info) as unknown);
      };
    }
  return (context, results) => void resultsByContext.set(context, results);
}
