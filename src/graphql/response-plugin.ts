import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { ERRORS, GatewayError } from '../domain/errors.js';
import { complexityOf } from './limits/complexity.js';
import type { GatewayContext } from './context.js';
import { codeOf } from './errors.js';
import { LIMITS } from './limits/limits.js';
import { createOperationNames } from './operation-names.js';

/** Where the door tells of faults; pino fits. */
export interface FaultLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

function refusal(originalError: GatewayError): GraphQLError {
  return new GraphQLError(originalError.message, {
    originalError,
    extensions: { http: { status: ERRORS[originalError.code].status } },
  });
}
const noSubscriptions = (): GraphQLError =>
  refusal(
    new GatewayError(
      'BAD_USER_INPUT',
      'There are no subscriptions; an operation is a query or a mutation.',
    ),
  );
const tooComplex = (cost: number): GraphQLError =>
  refusal(
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The operation costs ${cost}; at most ${LIMITS.complexity}.`,
    ),
  );

/** Whether nothing came of an operation: then its answer is no other than the gate's would have been (D41). */
const isEmpty = (data: object | null): boolean =>
  data === null || Object.values(data).every((field) => field === null);

/** Refuses what costs too much, adds cost and rate window to what ran, notes what it was, and tells the log of what is no caller's mistake. */
export function answerPlugin({
  schema,
  log,
}: {
  schema: GraphQLSchema;
  log: FaultLog;
}): ApolloServerPlugin<GatewayContext> {
  const operationName = createOperationNames(schema);
  const listener: GraphQLRequestListener<GatewayContext> = {
    didResolveSource({ contextValue }) {
      contextValue.run.isWellFormed = true;
      return Promise.resolve();
    },
    didResolveOperation({ document, operation, request, contextValue: { run } }) {
      if (!operation) return Promise.resolve();
      run.operation = operationName(operation, document);
      // Validation lets it pass: without the type there is nothing to hold its fields to.
      if (operation.operation === OperationTypeNode.SUBSCRIPTION)
        return Promise.reject(noSubscriptions());
      run.cost = complexityOf({ schema, document, operation, variables: request.variables ?? {} });
      if (run.cost <= LIMITS.complexity) return Promise.resolve();
      return Promise.reject(tooComplex(run.cost));
    },
    didEncounterErrors({ errors, contextValue: { requestId, run } }) {
      for (const error of errors) {
        const code = codeOf(error);
        run.refusal ??= code;
        const details = { requestId, err: error.originalError ?? error, path: error.path };
        if (code === 'INTERNAL_SERVER_ERROR') log.error(details, 'a resolver met a fault');
        else if (code === 'UNAVAILABLE') log.warn(details, 'a resolver met something that is away');
      }
      return Promise.resolve();
    },
    willSendResponse({ response: { body, http }, contextValue: { admission, run } }) {
      if (body.kind !== 'single' || body.singleResult.data === undefined) return Promise.resolve();
      if (run.refusal === 'UNAVAILABLE' && isEmpty(body.singleResult.data))
        http.status = ERRORS.UNAVAILABLE.status;
      const { limit, remaining, resetAt } = admission.rate;
      const extensions = {
        cost: { requested: run.cost, maximum: LIMITS.complexity },
        rateLimit: { limit, remaining, resetAt },
      };
      body.singleResult.extensions = { ...body.singleResult.extensions, ...extensions };
      return Promise.resolve();
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
