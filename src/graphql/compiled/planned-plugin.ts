import { HeaderMap, type ApolloServerPlugin, type GraphQLRequestListener } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { GatewayContext } from '../context.js';
import { createPlannedAnswers } from './planned-answers.js';

/** Puts the planned way before Apollo Server's execution, which does what has no plan. */
export function plannedPlugin(schema: GraphQLSchema): ApolloServerPlugin<GatewayContext> {
  const answer = createPlannedAnswers(schema);
  const listener: GraphQLRequestListener<GatewayContext> = {
    async responseForOperation({
      document,
      operation,
      request: { variables = {} },
      contextValue: context,
    }) {
      if (!operation) return null; // which of several was not said: Apollo Server refuses
      const data = await answer({ document, operation, variables, context });
      // Apollo Server hands the data on to `stringifyResult` as it is.
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
