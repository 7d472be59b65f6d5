import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { BlockList } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { GatewayError, MAY_BE_SAVED } from '../domain/errors.js';
import {
  createAdmissionQueue,
  type AdmissionQueue,
  type Rejection,
} from './admission/admission-queue.js';
import { clientNames, type ClientNames } from './admission/client-shares.js';
import { isSentLocally } from './authentication/client-address.js';
import { createRequestBodies } from './admission/request-bodies.js';
import { createUnreadAnswers } from './admission/unread-answers.js';
import {
  createRequestTimeouts,
  MAX_AGE_MS,
  type TimeoutReason,
} from './admission/request-timeouts.js';
import { reportError, sendError, sendTooMany, type ErrorPresenters } from './errors.js';
import { TRANSFER_PLACES, watchTransfer } from './admission/transfers.js';
import { presentParserError, REQUEST_TIMEOUT, respondToMalformed } from './malformed-requests.js';
import { OVERLOADED_OPERATION } from './request-context.js';
import { lingerOnClose, onFinished, ShortList } from './request-end.js';
import {
  assertWellFormed,
  hasJsonBody,
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
  /** The size of the largest body that the handler of a request reads, in bytes. */
  maxBodyBytes(request: IncomingMessage): number;
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
  /** Requests of one key or address whose bodies are incomplete; unlimited by default. */
  readonly maxUnfinishedBodies?: number;
  /** Proxies that say which addresses requests come from; none by default. */
  readonly trustedProxies?: BlockList;
  /**
   * Whether everyone who can connect sees the checks of /readyz. By default, only programs on this
   * machine see them.
   */
  readonly isForOperators?: boolean;
  /** Absent if metrics are off. */
  readonly metrics?: RequestMetrics | undefined;
  /** Absent if nothing is traced. */
  readonly tracing?: RequestTracing | undefined;
}

/** Creates the HTTP layer. Requests get 503 until `mount` is called. */
export function createApp({
  log,
  errorPresenters,
  maxConcurrentRequests = Infinity,
  maxUnfinishedBodies = Infinity,
  trustedProxies = new BlockList(),
  isForOperators = false,
  metrics,
  tracing,
}: AppOptions): App {
  const activeRequests = new ShortList<ActiveRequest>(); // oldest first
  const apiQueue = createAdmissionQueue({ places: maxConcurrentRequests });
  const queues: Record<Api, AdmissionQueue> = {
    graphql: apiQueue,
    rest: apiQueue,
    health: createAdmissionQueue({ places: Infinity }),
  };
  /** Transfers of files take long, and must not occupy the places of short requests. */
  const transferQueues = {
    upload: createAdmissionQueue(TRANSFER_PLACES),
    download: createAdmissionQueue(TRANSFER_PLACES),
  };
  const nameClient = (request: IncomingMessage): ClientNames =>
    clientNames(request, trustedProxies);
  const unreadAnswers = createUnreadAnswers(nameClient);
  const bodies = createRequestBodies(maxUnfinishedBodies);
  const timeouts = createRequestTimeouts(activeRequests, isDatabaseResponsive, timeOut);
  const logOverload = atMostEveryMinute(() =>
    log.warn(
      'Overloaded: rejecting requests with 503. Add processes, or raise MAX_CONCURRENT_REQUESTS if the CPU is not busy.',
    ),
  );
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
    const showsChecks = isForOperators || isSentLocally(request);
    if (path === '/healthz')
      return sendHealth(request, response, { isReady: true, checks: {}, showsChecks });
    if (path === '/readyz')
      return sendHealth(request, response, { ...(await readiness()), showsChecks });
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
  function timeOut(activeRequest: ActiveRequest, reason: TimeoutReason): void {
    activeRequests.delete(activeRequest);
    if (activeRequest.api === 'health' || activeRequest.transfer) return;
    const advice =
      activeRequest.request.method === 'GET'
        ? 'Retry later.'
        : `If the request was a change, ${MAY_BE_SAVED}`;
    fail(activeRequest, new GatewayError('UNAVAILABLE', `${TIMEOUT_MESSAGES[reason]} ${advice}`));
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

  function refuse(activeRequest: ActiveRequest, reason: Rejection): void {
    activeRequest.context.operation = OVERLOADED_OPERATION;
    if (reason === 'client limit') return sendTooMany(activeRequest, errorPresenters);
    const error = new GatewayError('UNAVAILABLE', 'The gateway is overloaded. Retry later.');
    activeRequest.context.errorCode = error.code;
    sendError(activeRequest, error, errorPresenters);
    logOverload();
  }

  /** Calls `begin` once the body has arrived. */
  function receiveBody(activeRequest: ActiveRequest, begin: () => void): () => void {
    const { request } = activeRequest;
    return bodies.receive(
      request,
      {
        maxBytes: handlers?.maxBodyBytes(request) ?? 0,
        nameClient: () => nameClient(request),
      },
      {
        received: begin,
        refused: (reason) => refuse(activeRequest, reason),
        late: () => respondTooSlow(activeRequest),
      },
    );
  }

  /** Takes a place for a request that has arrived. Returns a function that gives it back. */
  function admit(activeRequest: ActiveRequest, span: RequestSpan | undefined): () => void {
    activeRequest.receivedAt = performance.now();
    if (isDraining) closeAfterResponse(activeRequest);
    activeRequests.add(activeRequest);
    timeouts.watch();
    const { transfer, api } = activeRequest;
    if (api !== 'health' && !transfer && unreadAnswers.isFull(activeRequest.request)) {
      refuse(activeRequest, 'client limit');
      return () => undefined;
    }
    const queue = transfer ? transferQueues[transfer] : queues[api];
    return queue.acquire({
      client: transfer ? nameClient(activeRequest.request) : [],
      start: () => {
        const responding = span ? span.run(() => route(activeRequest)) : route(activeRequest);
        void responding.catch((error: unknown) => fail(activeRequest, error));
      },
      reject: (reason) => refuse(activeRequest, reason),
    });
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
      metrics?.started();
      const { transfer, api } = activeRequest;
      const span = api === 'health' ? undefined : tracing?.started(request);
      if (transfer) watchTransfer(request, response, () => cutTransfer(activeRequest));
      let release = (): void => undefined;
      const begin = (): void => {
        release = admit(activeRequest, span);
      };
      // Before the request begins: it may be answered at once.
      activeRequest.context.answered = (bytes) => {
        release();
        activeRequests.delete(activeRequest);
        unreadAnswers.add({ request, response, bytes });
      };
      const forgetBody = hasJsonBody(activeRequest) ? receiveBody(activeRequest, begin) : begin();
      const complete = completeOnce(activeRequest, {
        span,
        release() {
          release();
          forgetBody?.();
        },
      });
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
 * dependency, for operators only.
 */
function sendHealth(
  request: IncomingMessage,
  response: ServerResponse,
  { isReady, checks, showsChecks }: Readiness & { readonly showsChecks: boolean },
): void {
  assertReadMethod(request, response);
  writeJson(response, {
    status: isReady ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
    body: {
      status: isReady ? 'ok' : 'unavailable',
      ...(showsChecks && { checks }),
    },
  });
}

const TIMEOUT_MESSAGES: Readonly<Record<TimeoutReason, string>> = {
  'database does not respond': 'The database did not respond in time.',
  'too long': `The request took longer than ${MAX_AGE_MS / 1_000} s.`,
};

/**
 * Makes a pending response the last one of its connection. `lingerOnClose` handles requests whose
 * body is still arriving.
 */
function closeAfterResponse({ request, context }: ActiveRequest): void {
  if (request.complete) context.headers['Connection'] = 'close';
}

const MINUTE_MS = 60_000;

/** Limits a log entry that many requests cause to one a minute. */
export function atMostEveryMinute<Args extends readonly unknown[]>(
  write: (...args: Args) => void,
): (...args: Args) => void {
  let writtenAt = -Infinity;
  return (...args) => {
    const now = performance.now();
    if (now - writtenAt < MINUTE_MS) return;
    writtenAt = now;
    write(...args);
  };
}
