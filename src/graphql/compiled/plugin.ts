import { HeaderMap, type ApolloServerPlugin, type GraphQLRequestListener } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { GatewayContext } from '../context.js';
import { createCompiledExecution } from './compiled-execution.js';

/**
 * Runs compiled execution before that of Apollo Server, which executes the operations that cannot
 * be compiled.
 */
export function compiledExecutionPlugin(schema: GraphQLSchema): ApolloServerPlugin<GatewayContext> {
  const execute = createCompiledExecution(schema);
  const listener: GraphQLRequestListener<GatewayContext> = {
    async responseForOperation({
      document,
      operation,
      request: { variables = {} },
      contextValue: context,
    }) {
      // several operations without `operationName`: Apollo Server rejects the request
      if (!operation) return null;
      const data = await execute({ document, operation, variables, context });
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
  return { requestDidStart: () => Promise.resolve(listener) };
}
