import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ERRORS, GatewayError } from '../domain/errors.js';
import { presentError, toGatewayError } from '../rest/errors.js';
import { COMMON_HEADERS, requestIdOf, writeAnswer, writeJson } from './answering.js';
import { presentGraphqlError } from './graphql-error.js';
import { answerHealth, type Vitals } from './health.js';
import { lingerOn } from './linger.js';
import { doorOf, type Meter } from './meter.js';
import { beginTrace, traceOf, type Trace } from './trace.js';

/** Answers one request, errors included. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the hall leads to once everything is put together. */
export interface Doors {
  readonly graphql: Answerer;
  /** Everything that is not /graphql: v1, the pages, and what does not exist. */
  readonly rest: Answerer;
  vitals(): Promise<Vitals>;
}

/** The hall: it answers from the first moment, opens its doors when they are there, and closes them before it goes. */
export interface App {
  readonly listener: RequestListener;
  open(doors: Doors): void;
  /** From now on /readyz is 503 and every answer ends its connection; requests are still served. */
  drain(): void;
}

interface AppParts {
  readonly log: Logger;
  /** Absent where nobody reads it. */
  readonly meter?: Meter | undefined;
}

/** A request on its way. */
interface Running {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly trace: Trace;
  readonly startedAt: number;
}

/** What is told of a request whose client went before it was answered. */
const CLIENT_WENT = 499;

export function createApp({ log, meter }: AppParts): App {
  const running = new Set<Running>();
  let doors: Doors | undefined;
  let isDraining = false;

  async function vitals(): Promise<Vitals> {
    if (isDraining) return { isReady: false, parts: { process: 'draining' } };
    return doors ? doors.vitals() : { isReady: false, parts: { process: 'starting' } };
  }

  async function answer({ request, response, path, trace }: Running): Promise<void> {
    if (request.httpVersion === '1.1' && !request.headers.host) throw new GatewayError('BAD_USER_INPUT', 'The header Host is missing.');
    if (doorOf(path) === 'health') trace.operation = path;
    if (path === '/healthz') return answerHealth(request, response, { isReady: true, parts: {} });
    if (path === '/readyz') return answerHealth(request, response, await vitals());
    if (!doors) throw new GatewayError('UNAVAILABLE', 'The gateway is starting. Retry in a moment.');
    return doorOf(path) === 'graphql' ? doors.graphql(request, response) : doors.rest(request, response);
  }

  /** The one place that every request comes past when it is over. */
  function tell(one: Running): void {
    running.delete(one);
    const { request, response, path, trace, startedAt } = one;
    const milliseconds = performance.now() - startedAt;
    const status = response.headersSent ? response.statusCode : CLIENT_WENT;
    meter?.answered({ door: doorOf(path), trace, status, seconds: milliseconds / 1000 });
    if (!log.isLevelEnabled('info')) return;
    const { operation, refusal } = trace;
    log.info({ requestId: request.headers['x-request-id'], method: request.method, path, operation, status, ...(refusal && { refusal }), ms: Math.round(milliseconds) }, 'answered');
  }

  return {
    open(ready) { doors = ready; },
    drain() {
      isDraining = true;
      for (const { request, response } of running) endConnectionWith(request, response);
    },
    listener(request, response) {
      const one: Running = { request, response, path: pathOf(request), trace: beginTrace(response), startedAt: performance.now() };
      const requestId = requestIdOf(request);
      request.headers['x-request-id'] = requestId; // what the doors tell their own logs
      response.setHeader('X-Request-Id', requestId);
      for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
      if (isDraining) response.shouldKeepAlive = false;
      lingerOn(request, response);
      running.add(one);
      meter?.began();
      response.once('close', () => tell(one));
      answer(one).catch((error: unknown) => {
        reportFailure(log, response, error);
        if (doorOf(one.path) === 'graphql') writeAnswer(response, presentGraphqlError(error, request.headers.accept));
        else writeJson(response, presentError(error));
      });
    },
  };
}

/** Lets an answer that is still to come be the last of its connection; one whose body is still coming lingers as it would. */
function endConnectionWith(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete && !response.headersSent) response.setHeader('Connection', 'close');
}

/** Notes what a request was refused with, and tells the log of what is no caller's mistake: faults with their stack, dependencies that are away. */
export function reportFailure(log: Logger, response: ServerResponse, error: unknown): void {
  const { code } = toGatewayError(error);
  traceOf(response).refusal = code;
  if (ERRORS[code].status < 500) return;
  const requestId = response.getHeader('X-Request-Id');
  if (code === 'UNAVAILABLE') log.warn({ requestId, err: error }, 'a request met something that is away');
  else log.error({ requestId, err: error }, 'a request met a fault');
}

/** The path without the query. A target with scheme and host is brought to its path, for everybody behind us too. */
function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '/';
  if (!target.startsWith('/') && URL.canParse(target)) {
    const { pathname, search } = new URL(target);
    request.url = pathname + search;
  }
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}
