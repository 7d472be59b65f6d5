import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { ERRORS, GatewayError } from '../domain/errors.js';
import { complexityOf } from './limits/complexity.js';
import type { GatewayContext } from './context.js';
import { errorCodeOf } from './errors/format-error.js';
import { LIMITS } from './limits/limits.js';
import { createOperationNames } from './operation-names.js';

/** Log of unexpected errors and unavailable dependencies; a pino logger can be passed. */
export interface ErrorLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

function toGraphqlError(originalError: GatewayError): GraphQLError {
  return new GraphQLError(originalError.message, {
    originalError,
    extensions: { http: { status: ERRORS[originalError.code].status } },
  });
}
const subscriptionError = (): GraphQLError =>
  toGraphqlError(
    new GatewayError(
      'BAD_USER_INPUT',
      'Subscriptions are not supported. Use a query or a mutation.',
    ),
  );
const complexityError = (cost: number): GraphQLError =>
  toGraphqlError(
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The operation costs ${cost}; the maximum is ${LIMITS.complexity}.`,
    ),
  );

/**
 * Whether every root field is null. Then the response has the HTTP status of the error, as before
 * execution (D41).
 */
const hasNoData = (data: object | null): boolean =>
  data === null || Object.values(data).every((field) => field === null);

/**
 * Rejects operations that are too complex, adds cost and rate limit to `extensions`, records the
 * operation and its first error in the request state, and logs errors that the caller did not
 * cause.
 */
export function responsePlugin({
  schema,
  log,
}: {
  schema: GraphQLSchema;
  log: ErrorLog;
}): ApolloServerPlugin<GatewayContext> {
  const operationName = createOperationNames(schema);
  const listener: GraphQLRequestListener<GatewayContext> = {
    didResolveSource({ contextValue }) {
      contextValue.state.isWellFormed = true;
      return Promise.resolve();
    },
    didResolveOperation({ document, operation, request, contextValue: { state } }) {
      if (!operation) return Promise.resolve();
      state.operation = operationName(operation, document);
      // Validation accepts subscriptions: without a subscription type there are no fields to check.
      if (operation.operation === OperationTypeNode.SUBSCRIPTION)
        return Promise.reject(subscriptionError());
      state.cost = complexityOf({
        schema,
        document,
        operation,
        variables: request.variables ?? {},
      });
      if (state.cost <= LIMITS.complexity) return Promise.resolve();
      return Promise.reject(complexityError(state.cost));
    },
    didEncounterErrors({ errors, contextValue: { requestId, state } }) {
      for (const error of errors) {
        const code = errorCodeOf(error);
        state.errorCode ??= code;
        const details = { requestId, err: error.originalError ?? error, path: error.path };
        if (code === 'INTERNAL_SERVER_ERROR') log.error(details, 'unhandled resolver error');
        else if (code === 'UNAVAILABLE')
          log.warn(details, 'resolver failed: dependency unavailable');
      }
      return Promise.resolve();
    },
    willSendResponse({ response: { body, http }, contextValue: { authentication, state } }) {
      if (body.kind !== 'single' || body.singleResult.data === undefined) return Promise.resolve();
      if (state.errorCode === 'UNAVAILABLE' && hasNoData(body.singleResult.data))
        http.status = ERRORS.UNAVAILABLE.status;
      const { limit, remaining, resetAt } = authentication.rate;
      const extensions = {
        cost: { requested: state.cost, maximum: LIMITS.complexity },
        rateLimit: { limit, remaining, resetAt },
      };
      body.singleResult.extensions = { ...body.singleResult.extensions, ...extensions };
      return Promise.resolve();
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
