import { OperationTypeNode, type GraphQLSchema } from 'graphql';
import { GatewayError, type ErrorCode } from '../../domain/errors.js';
import type { ResultSource } from '../../http/event-stream.js';
import type { Authentication } from '../../services/access/access-control.js';
import type { EventStream } from '../../services/events/live-events.js';
import type { Clock } from '../../services/clock.js';
import type { Services } from '../../services/services.js';
import { GatewayContext } from '../context.js';
import {
  chooseOperation,
  type Preparation,
  type PreparedOperation,
} from '../document/prepared-document.js';
import {
  errorCodeOf,
  presentErrors,
  recordErrors,
  type ErrorLog,
  type FormatError,
} from '../errors.js';
import { costErrorOf } from '../response-plugin.js';
import {
  createEventResults,
  type EventSubscription,
  type ExecuteForEvent,
  type ResultPresenter,
} from './event-results.js';
import { readOperation, sourceOf, type ReceivedRequest } from './read-operation.js';

/** The results of an operation, as an event stream. */
export interface ResultStream extends ResultSource {
  /** Type and root field of the operation; null if its document was rejected. */
  readonly operation: string | null;
  /** Code of the error, if the only result is one. */
  readonly errorCode: ErrorCode | null;
}

type Outcome = Pick<ResultStream, 'operation' | 'errorCode'>;

/** A stream of one result. */
export const toStreamOfOne = (body: string, { operation, errorCode }: Outcome): ResultStream => ({
  operation,
  errorCode,
  id: null,
  results: [{ id: null, body }],
  waitFor: (drained) => drained,
  disconnected() {},
  ending: () => 'complete',
});

const toStreamOfEvents = (
  operation: string,
  events: EventStream,
  results: ResultStream['results'],
): ResultStream => ({
  operation,
  errorCode: null,
  id: events.cursor,
  results,
  waitFor: events.waitFor,
  disconnected: () => events.end('closed'),
  ending() {
    if (events.ended === 'shutdown') return 'reconnect';
    return events.ended === 'too_slow' ? 'cut' : 'complete';
  },
});

/** Errors that are responses, so that clients and proxies see their status and try again. */
const RESPONSES: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'UNAVAILABLE']);

interface SubscriptionDependencies {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  readonly clock: Clock;
  readonly prepareDocument: (source: string) => Preparation;
  readonly formatError: FormatError;
  readonly log: ErrorLog;
  /** Null if graphql-js executes every subscription. */
  readonly executeCompiled: ExecuteForEvent | null;
}

/** Starts subscriptions. */
export interface Subscriptions {
  /**
   * Starts the subscription of a request. Null if its operation is another one. Errors in the
   * request are a result.
   * @throws GatewayError RATE_LIMITED, UNAVAILABLE
   */
  start(request: ReceivedRequest, authentication: Authentication): Promise<ResultStream | null>;
}

/** Creates the execution of subscriptions, with the same limits and errors as other operations. */
export function createSubscriptions({
  schema,
  services,
  clock,
  prepareDocument,
  formatError,
  log,
  executeCompiled,
}: SubscriptionDependencies): Subscriptions {
  const reject = (errors: readonly Error[], operation: string | null): ResultStream =>
    toStreamOfOne(presentErrors(errors, formatError), {
      operation,
      errorCode: errorCodeOf(errors[0]),
    });

  const present: ResultPresenter = {
    result(result, context) {
      if (!result.errors) return JSON.stringify(result);
      recordErrors(log, result.errors, context);
      const errors = result.errors.map((error) => formatError(error.toJSON(), error));
      return JSON.stringify({ ...result, errors });
    },
    error(error, context) {
      recordErrors(log, [error], context);
      return presentErrors([error], formatError);
    },
  };

  const eventResults = createEventResults({ schema, executeCompiled, present });

  async function run(
    subscription: EventSubscription,
    context: GatewayContext,
  ): Promise<ResultStream> {
    const { operation } = subscription;
    const events = await eventResults.subscribe(subscription, context);
    if ('cursor' in events)
      return toStreamOfEvents(operation.name, events, eventResults.of(events, subscription));
    recordErrors(log, events, context);
    const code = errorCodeOf(events[0]);
    const cause = events[0]?.originalError;
    if (cause instanceof GatewayError && RESPONSES.has(code)) throw cause;
    return reject(events, operation.name);
  }

  return {
    async start(received, authentication) {
      if (received.acceptsJson && !hasSubscription(prepareDocument(sourceOf(received))))
        return null;
      const request = readOperation(received);
      const { prepared: document, errors } = prepareDocument(request.query);
      if (errors) return reject(errors, null);
      const operation = chooseOperation(document, request.operationName);
      if (!operation || !isSubscription(operation)) return null;
      const cost = operation.costOf(request.variables);
      const costError = costErrorOf(cost);
      if (costError) return reject([costError], operation.name);
      const { requestId, lastEventId } = received;
      const createContext = (
        current: Authentication,
        more: { readonly lastEventId?: string | undefined } = {},
      ): GatewayContext => {
        const common = { services, clock, requestId, document };
        const created = new GatewayContext({ ...common, ...more, authentication: current });
        Object.assign(created.state, { isWellFormed: true, cost, operation });
        return created;
      };
      return run(
        { request, document, operation, authentication, createContext },
        createContext(authentication, { lastEventId }),
      );
    },
  };
}

const isSubscription = ({ definition }: PreparedOperation): boolean =>
  definition.operation === OperationTypeNode.SUBSCRIPTION;
const hasSubscription = ({ prepared }: Preparation): boolean =>
  [...(prepared?.operations.values() ?? [])].some(isSubscription);
