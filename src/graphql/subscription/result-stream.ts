import { createHash } from 'node:crypto';
import { GatewayError, type ErrorCode } from '../../domain/errors.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { ResultSource, StreamedResult } from '../../http/event-stream.js';
import type { Authentication } from '../../services/access/access-control.js';
import type { LiveEvent } from '../../services/events/live-event.js';
import type { EventStream, StreamedEvent } from '../../services/events/live-events.js';
import type { Clock } from '../../services/clock.js';
import type { Services } from '../../services/services.js';
import type { ApolloExecution } from '../apollo-server.js';
import { GatewayContext, type SubscriptionStream } from '../context.js';
import type {
  PreparedDocument,
  PreparedOperation,
  OperationRequest,
} from '../document/prepared-document.js';
import {
  presentErrors,
  presentResult,
  recordErrors,
  type ErrorLog,
  type FormatError,
} from '../errors.js';
import type { Executor } from '../executor.js';

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

/** Errors that are responses, so that clients and proxies see their status and try again. */
const RESPONSES: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'UNAVAILABLE']);

/** A subscription of a valid document. */
interface Subscription {
  readonly request: OperationRequest;
  readonly document: PreparedDocument;
  readonly operation: PreparedOperation;
  readonly authentication: Authentication;
  readonly requestId: string;
  /** The header Last-Event-ID: where the client lost an earlier stream; undefined without it. */
  readonly lastEventId: string | undefined;
}

interface SubscriptionDependencies {
  readonly services: Services;
  readonly clock: Clock;
  readonly executeByApollo: ApolloExecution['execute'];
  readonly executeForEvent: Executor['executeForEvent'];
  readonly formatError: FormatError;
  readonly log: ErrorLog;
}

/** Starts a subscription. @throws GatewayError RATE_LIMITED, UNAVAILABLE */
export type StartSubscription = (subscription: Subscription) => Promise<ResultStream>;

/**
 * Creates the start of subscriptions.
 *
 * Apollo Server executes the request of a subscription like any other, so that its limits, errors
 * and plugins are the same: the executor opens the events and hands them over, and its result is
 * that of the whole stream. Apollo Server has no response with several results but incremental
 * delivery, so the events take another way: each is executed once for all streams with the same
 * request and the same viewer (the same key, with rights that were read at the same time).
 */
export function createSubscriptions({
  services,
  clock,
  executeByApollo,
  executeForEvent,
  formatError,
  log,
}: SubscriptionDependencies): StartSubscription {
  const shared = new WeakMap<LiveEvent, WeakMap<Viewer, Map<string, Promise<StreamedResult>>>>();

  const createContext = (
    { document, requestId }: Subscription,
    authentication: Authentication,
    stream: SubscriptionStream | null = null,
  ): GatewayContext =>
    new GatewayContext({ services, clock, authentication, requestId, document, stream });

  async function executeFor(
    event: StreamedEvent,
    subscription: Subscription,
  ): Promise<StreamedResult> {
    const context = createContext(
      subscription,
      withRightsOf(event.viewer, subscription.authentication),
    );
    context.state.operation = subscription.operation;
    const result = await executeForEvent({ ...subscription, context, event });
    if (typeof result === 'string') return { id: event.event.cursor, body: result };
    if (result.errors) recordErrors(log, result.errors, context);
    return { id: event.event.cursor, body: presentResult(result, formatError) };
  }

  /** The results for streams that get the same event with the same viewer, by request. */
  function resultsFor({ event, viewer }: StreamedEvent): Map<string, Promise<StreamedResult>> {
    const byViewer = shared.get(event) ?? new WeakMap();
    shared.set(event, byViewer);
    const byRequest = byViewer.get(viewer) ?? new Map();
    byViewer.set(viewer, byRequest);
    return byRequest;
  }

  /**
   * Executes the subscription for each event. The last result can be an error that ends the stream.
   */
  async function* resultsOf(
    events: EventStream,
    subscription: Subscription,
    ended: (error: Error | null) => void,
  ): AsyncGenerator<StreamedResult, void, undefined> {
    const key = keyOf(subscription.request);
    try {
      for await (const event of events) {
        const results = resultsFor(event);
        const result = results.get(key) ?? executeFor(event, subscription);
        results.set(key, result);
        yield await result;
      }
    } catch (thrown) {
      const error = thrown as Error;
      events.end(error);
      ended(error);
      yield { id: null, body: presentErrors([error], formatError) };
    } finally {
      ended(null);
    }
  }

  return async (subscription) => {
    const { request, operation, authentication, lastEventId } = subscription;
    const handover = createHandover(lastEventId);
    const context = createContext(subscription, authentication, handover);
    // resolves early if there are no events: with the errors
    const opened = await Promise.race([handover.events, executeByApollo(request, context)]);
    if (typeof opened === 'string') {
      if (handover.refusal && RESPONSES.has(handover.refusal.code)) throw handover.refusal;
      return toStreamOfOne(opened, {
        operation: operation.name,
        errorCode: context.state.errorCode,
      });
    }
    return {
      operation: operation.name,
      errorCode: null,
      id: opened.cursor,
      results: resultsOf(opened, subscription, handover.ended),
      waitFor: opened.waitFor,
      disconnected() {
        opened.end('closed');
        handover.ended(null);
      },
      ending() {
        if (opened.ended === 'shutdown') return 'reconnect';
        return opened.ended === 'too_slow' ? 'cut' : 'complete';
      },
    };
  };
}

/** Equal for equal requests. A hash, because documents can be long. */
const keyOf = ({ query, operationName, variables }: OperationRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([query, operationName, variables]))
    .digest('base64');

/** With the rights that the client has now. */
const withRightsOf = (viewer: Viewer, authentication: Authentication): Authentication => ({
  ...authentication,
  caller: viewer,
  workspace: { kind: 'member', viewer },
});

/** Hands the events of a subscription from its execution to its response, and back how they end. */
function createHandover(lastEventId: string | undefined) {
  let open!: (events: EventStream) => void;
  let ended!: (error: Error | null) => void;
  const events = new Promise<EventStream>((resolve) => (open = resolve));
  const end = new Promise<Error | null>((resolve) => (ended = resolve));
  return {
    lastEventId,
    events,
    /** Calls after the first have no effect. */
    ended,
    /** Why there are no events; null for an error that is not the gateway's. */
    refusal: null as GatewayError | null,
    deliver(stream: EventStream) {
      open(stream);
      return end;
    },
    refuse([error]: Parameters<SubscriptionStream['refuse']>[0]) {
      if (error?.originalError instanceof GatewayError) this.refusal = error.originalError;
    },
  };
}
