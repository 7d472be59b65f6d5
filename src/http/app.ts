import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import {
  assertWellFormed,
  completed,
  logCompleted,
  openRequest,
  type ActiveRequest,
} from './active-request.js';
import type { Api } from './api.js';
import { lingerOnClose } from './connections/linger.js';
import { onFinished } from './connections/on-finished.js';
import type { AppHandlers } from './handlers.js';
import { sendHealth, type Readiness } from './health.js';
import { createAdmissionQueue, type AdmissionQueue } from './load/admission-queue.js';
import { createRequestTimeouts } from './load/request-timeouts.js';
import { reportError, sendError, type ErrorPresenters } from './report-error.js';
import { OVERLOADED } from './request-context.js';
import type { RequestMetrics } from './metrics-port.js';

/** The HTTP layer of a process: it serves /healthz from the start, and the APIs once they are mounted. */
export interface App {
  readonly listener: RequestListener;
  /** To be called for each accepted connection, before its first request reaches the listener. */
  connectionAccepted(): void;
  mount(handlers: AppHandlers): void;
  /** From now on /readyz is 503 and every response closes its connection; requests are still served. */
  drain(): void;
}

interface AppOptions {
  readonly log: Logger;
  /** How each API words errors; JSON as in v1 for those absent. */
  readonly errorPresenters: ErrorPresenters;
  /** Requests processed concurrently; unlimited by default. */
  readonly maxConcurrentRequests?: number;
  /** Absent if metrics are off. */
  readonly metrics?: RequestMetrics | undefined;
}

/** The overload warning is logged at most once in this time. */
const OVERLOAD_LOG_INTERVAL_MS = 60_000;

export function createApp({
  log,
  errorPresenters,
  maxConcurrentRequests = Infinity,
  metrics,
}: AppOptions): App {
  const active = new Set<ActiveRequest>(); // oldest first
  const apiQueue = createAdmissionQueue(maxConcurrentRequests);
  const queues: Record<Api, AdmissionQueue> = {
    graphql: apiQueue,
    rest: apiQueue,
    health: createAdmissionQueue(Infinity),
  };
  const timeouts = createRequestTimeouts(active, isDatabaseResponsive, timeOut);
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

  async function route(current: ActiveRequest): Promise<void> {
    const { request, response, path, api, context } = current;
    assertWellFormed(current);
    if (api === 'health') context.operation = path;
    if (path === '/healthz') return sendHealth(request, response, { isReady: true, checks: {} });
    if (path === '/readyz') return sendHealth(request, response, await readiness());
    if (!handlers)
      throw new GatewayError('UNAVAILABLE', 'The gateway is starting. Retry in a moment.');
    return handlers[api === 'graphql' ? 'graphql' : 'rest'](request, response);
  }

  function fail(current: ActiveRequest, error: unknown): void {
    reportError(log, current.response, error);
    sendError(current, error, errorPresenters);
  }

  /** Responds in place of the handler, whose own response is then dropped. Health checks have a deadline of their own. */
  function timeOut(current: ActiveRequest): void {
    active.delete(current);
    if (current.api === 'health') return;
    fail(
      current,
      new GatewayError('UNAVAILABLE', 'The database takes too long to answer. Retry later.'),
    );
  }

  function rejectOverload(current: ActiveRequest): void {
    const error = new GatewayError(
      'UNAVAILABLE',
      'The gateway has more requests than it can answer. Retry later.',
    );
    current.context.operation = OVERLOADED;
    current.context.errorCode = error.code;
    sendError(current, error, errorPresenters);
    logOverload();
  }

  function complete(current: ActiveRequest): void {
    active.delete(current);
    const summary = completed(current);
    metrics?.completed(summary);
    logCompleted(log, current, summary);
  }

  return {
    connectionAccepted: apiQueue.connectionAccepted,
    mount(mounted) {
      handlers = mounted;
    },
    drain() {
      isDraining = true;
      for (const { request, response } of active) closeAfterResponse(request, response);
    },
    listener(request, response) {
      const current = openRequest(request, response);
      if (isDraining) response.shouldKeepAlive = false;
      lingerOnClose(request, response);
      active.add(current);
      timeouts.watch();
      metrics?.started();
      const release = queues[current.api].acquire({
        start: () => void route(current).catch((error: unknown) => fail(current, error)),
        reject: () => rejectOverload(current),
      });
      onFinished(request, response, () => {
        release();
        complete(current);
      });
    },
  };
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

/** Makes a pending response the last of its connection. A request whose body is still arriving is left to `lingerOnClose`. */
function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete && !response.headersSent) response.setHeader('Connection', 'close');
}
