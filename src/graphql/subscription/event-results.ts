import { createHash } from 'node:crypto';
import {
  createSourceEventStream,
  execute,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import type { Viewer } from '../../domain/access/viewer.js';
import type { StreamedResult } from '../../http/event-stream.js';
import type { Authentication } from '../../services/access/access-control.js';
import type { LiveEvent } from '../../services/events/live-event.js';
import type { EventStream, StreamedEvent } from '../../services/events/live-events.js';
import type { GatewayContext } from '../context.js';
import { LIMITS } from '../document/limits.js';
import type { PreparedDocument, PreparedOperation } from '../document/prepared-document.js';
import type { OperationRequest } from './read-operation.js';

/** A subscription that can be executed. */
export interface EventSubscription {
  readonly request: OperationRequest;
  readonly document: PreparedDocument;
  readonly operation: PreparedOperation;
  readonly authentication: Authentication;
  /** Creates the context of an execution. */
  createContext(authentication: Authentication): GatewayContext;
}

/** Serializes results, and records their errors. */
export interface ResultPresenter {
  result(result: ExecutionResult, context: GatewayContext): string;
  /** An error that ends the stream. */
  error(error: Error, context: GatewayContext): string;
}

/** Executes subscriptions. */
export interface EventResults {
  /** The events of a subscription, or why there are none. */
  subscribe(
    subscription: EventSubscription,
    context: GatewayContext,
  ): Promise<EventStream | readonly GraphQLError[]>;
  /**
   * Executes the subscription for each event. The last result can be an error that ends the stream.
   */
  of(
    events: EventStream,
    subscription: EventSubscription,
  ): AsyncGenerator<StreamedResult, void, undefined>;
}

/**
 * Executes a subscription for an event. Returns the result as JSON text; null if graphql-js has to
 * execute it.
 */
export type ExecuteForEvent = (request: {
  readonly operation: PreparedOperation;
  /** As sent. */
  readonly variables: OperationRequest['variables'];
  readonly context: GatewayContext;
  readonly event: StreamedEvent;
}) => Promise<string | null>;

interface EventResultsDependencies {
  readonly schema: GraphQLSchema;
  /** Null if graphql-js executes every subscription. */
  readonly executeCompiled: ExecuteForEvent | null;
  readonly present: ResultPresenter;
}

/** Equal for equal requests. A hash, because documents can be long. */
const keyOf = ({ query, operationName, variables }: OperationRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([query, operationName, variables]))
    .digest('base64');

/** With the rights that the client has now. */
const authenticate = (authentication: Authentication, viewer: Viewer): Authentication => ({
  ...authentication,
  caller: viewer,
  workspace: { kind: 'member', viewer },
});

/**
 * Creates the execution of subscriptions. An event is executed once for all streams with the same
 * request and the same viewer: the same key, with rights that were read at the same time.
 */
export function createEventResults({
  schema,
  executeCompiled,
  present,
}: EventResultsDependencies): EventResults {
  const results = new WeakMap<LiveEvent, WeakMap<Viewer, Map<string, Promise<StreamedResult>>>>();

  const argsOf = (
    { request: { operationName, variables: variableValues }, document }: EventSubscription,
    contextValue: GatewayContext,
  ) => {
    const options = { maxCoercionErrors: LIMITS.variableErrors };
    return {
      schema,
      document: document.document,
      operationName,
      variableValues,
      contextValue,
      options,
    };
  };

  async function executeFor(
    streamed: StreamedEvent,
    subscription: EventSubscription,
  ): Promise<StreamedResult> {
    const { operation, request, authentication } = subscription;
    const context = subscription.createContext(authenticate(authentication, streamed.viewer));
    const { variables } = request;
    const body =
      (await executeCompiled?.({ operation, variables, context, event: streamed })) ??
      present.result(
        await execute({ ...argsOf(subscription, context), rootValue: streamed }),
        context,
      );
    return { id: streamed.event.cursor, body };
  }

  /** The results for streams that get the same event with the same viewer, by request. */
  function resultsFor({ event, viewer }: StreamedEvent): Map<string, Promise<StreamedResult>> {
    const byViewer = results.get(event) ?? new WeakMap();
    results.set(event, byViewer);
    const byRequest = byViewer.get(viewer) ?? new Map();
    byViewer.set(viewer, byRequest);
    return byRequest;
  }

  return {
    async subscribe(subscription, context) {
      const opened = await createSourceEventStream(argsOf(subscription, context));
      // graphql-js returns what the field's `subscribe` returned: all subscriptions are to events.
      return Symbol.asyncIterator in opened ? (opened as EventStream) : (opened.errors ?? []);
    },
    async *of(events, subscription) {
      const key = keyOf(subscription.request);
      try {
        for await (const streamed of events) {
          const shared = resultsFor(streamed);
          const result = shared.get(key) ?? executeFor(streamed, subscription);
          shared.set(key, result);
          yield await result;
        }
      } catch (error) {
        events.end(error as Error);
        const context = subscription.createContext(subscription.authentication);
        yield { id: null, body: present.error(error as Error, context) };
      }
    },
  };
}
