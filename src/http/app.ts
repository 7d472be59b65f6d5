import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { GatewayError, MAY_BE_SAVED } from '../domain/errors.js';
import { createAdmissionQueue, type AdmissionQueue } from './admission/admission-queue.js';
import { createRequestTimeouts } from './admission/request-timeouts.js';
import { MAX_TRANSFERS, watchTransfer } from './admission/transfers.js';
import { reportError, sendError, type ErrorPresenters } from './errors.js';
import { presentParserError, REQUEST_TIMEOUT, respondToMalformed } from './malformed-requests.js';
import { OVERLOADED_OPERATION } from './request-context.js';
import { lingerOnClose, onFinished, ShortList } from './request-end.js';
import {
  assertWellFormed,
  logCompleted,
  openRequest,
  toCompletedRequest,
  type ActiveRequest,
  type Api,
  type CompletedRequest,
} from './request-in-progress.js';
import { assertReadMethod, writeJson, writeResponse, type HttpHandler } from './responses.js';

/** Status by dependency: `ok`, or a keyword for the problem, such as `unavailable`. */
export type Checks = Readonly<Record<string, string>>;

/** Whether requests can be served, and the checks that determine it. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Checks;
}

/** Handlers that are mounted once the gateway is composed. */
export interface AppHandlers {
  readonly graphql: HttpHandler;
  /** Everything but /graphql: v1, the sandbox, the pages, and unknown paths. */
  readonly rest: HttpHandler;
  /** Runs the readiness checks. */
  readiness(): Promise<Readiness>;
  /** Whether the database responds within the deadline of its probe. */
  isDatabaseResponsive(): Promise<boolean>;
}

/** Measures requests. It is called twice per request, so both calls must be cheap. */
export interface RequestMetrics {
  started(): void;
  completed(request: CompletedRequest): void;
}

/** A request that is being traced. */
export interface RequestSpan {
  /** Runs the handler of the request as part of its span. */
  run<Result>(work: () => Result): Result;
  end(request: CompletedRequest): void;
}

/** Traces requests. */
export interface RequestTracing {
  /** Continues the trace of the caller, if the request has the header `traceparent`. */
  started(request: IncomingMessage): RequestSpan;
}

/**
 * The HTTP layer of a process. It serves /healthz immediately, and the APIs once they are mounted.
 */
export interface App {
  readonly listener: RequestListener;
  /** To be called for each accepted connection, before its first request reaches the listener. */
  connectionAccepted(): void;
  /** Responds to input on a connection that is not an HTTP request. */
  clientError(error: NodeJS.ErrnoException, socket: Duplex): void;
  mount(handlers: AppHandlers): void;
  /**
   * From now on /readyz is 503 and every response closes its connection; requests are still served.
   */
  drain(): void;
}

interface AppOptions {
  readonly log: Logger;
  /** Error format of each API. */
  readonly errorPresenters: ErrorPresenters;
  /** Requests processed concurrently; unlimited by default. */
  readonly maxConcurrentRequests?: number;
  /** Absent if metrics are off. */
  readonly metrics?: RequestMetrics | undefined;
  /** Absent if nothing is traced. */
  readonly tracing?: RequestTracing | undefined;
}

/** The overload warning is logged at most once in this time. */
const OVERLOAD_LOG_INTERVAL_MS = 60_000;

/** Creates the HTTP layer. Requests get 503 until `mount` is called. */
export function createApp({
  log,
  errorPresenters,
  maxConcurrentRequests = Infinity,
  metrics,
  tracing,
}: AppOptions): App {
  const activeRequests = new ShortList<ActiveRequest>(); // oldest first
  const apiQueue = createAdmissionQueue(maxConcurrentRequests);
  const queues: Record<Api, AdmissionQueue> = {
    graphql: apiQueue,
    rest: apiQueue,
    health: createAdmissionQueue(Infinity),
  };
  /** Transfers of files take long, and must not occupy the places of short requests. */
  const transferQueues = {
    upload: createAdmissionQueue(MAX_TRANSFERS),
    download: createAdmissionQueue(MAX_TRANSFERS),
  };
  const timeouts = createRequestTimeouts(activeRequests, isDatabaseResponsive, timeOut);
  const logOverload = createOverloadLog(log);
  let handlers: AppHandlers | undefined;
  let isDraining = false;

  async function isDatabaseResponsive(): Promise<boolean> {
    return !handlers || handlers.isDatabaseResponsive();
  }

  async function readiness(): Promise<Readiness> {
    if (isDraining) return { isReady: false, checks: { process: 'draining' } };
    return handlers ? handlers.readiness() : { isReady: false, checks: { process: 'starting' } };
  }

  async function route(activeRequest: ActiveRequest): Promise<void> {
    const { request, response, path, api, context } = activeRequest;
    assertWellFormed(activeRequest);
    if (api === 'health') context.operation = path;
    if (path === '/healthz') return sendHealth(request, response, { isReady: true, checks: {} });
    if (path === '/readyz') return sendHealth(request, response, await readiness());
    if (!handlers)
      throw new GatewayError('UNAVAILABLE', 'The gateway is starting. Retry in a moment.');
    return handlers[api === 'graphql' ? 'graphql' : 'rest'](request, response);
  }

  function fail(activeRequest: ActiveRequest, error: unknown): void {
    reportError(log, activeRequest.response, error);
    sendError(activeRequest, error, errorPresenters);
  }

  /**
   * Responds in place of the handler, whose own response is then dropped. Health checks and
   * transfers have their own deadlines.
   */
  function timeOut(activeRequest: ActiveRequest): void {
    activeRequests.delete(activeRequest);
    if (activeRequest.api === 'health' || activeRequest.transfer) return;
    if (!activeRequest.request.complete) return respondTooSlow(activeRequest);
    const advice =
      activeRequest.request.method === 'GET'
        ? 'Retry later.'
        : `If the request was a change, ${MAY_BE_SAVED}`;
    fail(
      activeRequest,
      new GatewayError('UNAVAILABLE', `The database did not respond in time. ${advice}`),
    );
  }

  /** The body of the request did not arrive in time. */
  function respondTooSlow({ response }: ActiveRequest): void {
    writeResponse(response, presentParserError(REQUEST_TIMEOUT, errorPresenters));
  }

  /** A download that has started can only be cut off. */
  function cutTransfer(activeRequest: ActiveRequest): void {
    if (activeRequest.response.headersSent) activeRequest.response.destroy();
    else respondTooSlow(activeRequest);
  }

  function rejectOverloaded(activeRequest: ActiveRequest): void {
    const error = new GatewayError('UNAVAILABLE', 'The gateway is overloaded. Retry later.');
    activeRequest.context.operation = OVERLOADED_OPERATION;
    activeRequest.context.errorCode = error.code;
    sendError(activeRequest, error, errorPresenters);
    logOverload();
  }

  /**
   * The request is over, or its response is an event stream from now on. Later calls do nothing.
   */
  function completeOnce(
    activeRequest: ActiveRequest,
    { release, span }: { release: () => void; span: RequestSpan | undefined },
  ): () => void {
    let isCompleted = false;
    return () => {
      if (isCompleted) return;
      isCompleted = true;
      release();
      activeRequests.delete(activeRequest);
      const completed = toCompletedRequest(activeRequest);
      metrics?.completed(completed);
      span?.end(completed);
    };
  }

  return {
    connectionAccepted: apiQueue.connectionAccepted,
    clientError: (error, socket) => respondToMalformed(error, socket, errorPresenters),
    mount(mounted) {
      handlers = mounted;
    },
    drain() {
      isDraining = true;
      for (const activeRequest of activeRequests) closeAfterResponse(activeRequest);
    },
    listener(request, response) {
      const activeRequest = openRequest(request, response);
      if (isDraining) response.shouldKeepAlive = false;
      lingerOnClose(request, response);
      activeRequests.add(activeRequest);
      timeouts.watch();
      metrics?.started();
      const { transfer, api } = activeRequest;
      const span = api === 'health' ? undefined : tracing?.started(request);
      if (transfer) watchTransfer(request, response, () => cutTransfer(activeRequest));
      const queue = transfer ? transferQueues[transfer] : queues[api];
      const release = queue.acquire({
        start: () => {
          const responding = span ? span.run(() => route(activeRequest)) : route(activeRequest);
          void responding.catch((error: unknown) => fail(activeRequest, error));
        },
        reject: () => rejectOverloaded(activeRequest),
      });
      const complete = completeOnce(activeRequest, { release, span });
      activeRequest.context.streamStarted = complete;
      onFinished(request, response, () => {
        complete();
        logCompleted(log, activeRequest, toCompletedRequest(activeRequest));
      });
    },
  };
}

/**
 * Responds to /healthz and /readyz: 200 if ready, else 503. `checks` contains the status of each
 * dependency.
 */
function sendHealth(
  request: IncomingMessage,
  response: ServerResponse,
  { isReady, checks }: Readiness,
): void {
  assertReadMethod(request, response);
  writeJson(response, {
    status: isReady ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
    body: { status: isReady ? 'ok' : 'unavailable', checks },
  });
}

function createOverloadLog(log: Logger): () => void {
  let loggedAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - loggedAt < OVERLOAD_LOG_INTERVAL_MS) return;
    loggedAt = now;
    log.warn(
      'Overloaded: rejecting requests with 503. Add processes, or raise MAX_CONCURRENT_REQUESTS if the CPU is not busy.',
    );
  };
}

/**
 * Makes a pending response the last one of its connection. `lingerOnClose` handles requests whose
 * body is still arriving.
 */
function closeAfterResponse({ request, context }: ActiveRequest): void {
  if (request.complete) context.headers['Connection'] = 'close';
}
