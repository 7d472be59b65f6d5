import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { COMMON_HEADERS, requestIdOf } from './responses.js';
import { presentFailure, reportFailure } from './failures.js';
import { answerHealth, type Vitals } from './health.js';
import { lingerOn } from './connections/linger.js';
import { doorOf, type Door, type Meter } from './meter.js';
import { createPatience } from './load/request-timeouts.js';
import { beginTrace, SHED, type Trace } from './request-context.js';
import { createWaitingRoom, type WaitingRoom } from './load/admission-queue.js';
import { whenOver } from './connections/on-finished.js';

/** Answers one request, errors included. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the hall leads to once everything is put together. */
export interface Doors {
  readonly graphql: Answerer;
  /** Everything that is not /graphql: v1, the pages, and what does not exist. */
  readonly rest: Answerer;
  vitals(): Promise<Vitals>;
  /** Whether the database answers as soon as one that is well does. */
  isAnswering(): Promise<boolean>;
}

/** The hall: it answers from the first moment, opens its doors when they are there, and closes them before it goes. */
export interface App {
  readonly listener: RequestListener;
  /** A connection was taken; its requests come to the listener. */
  connected(): void;
  open(doors: Doors): void;
  /** From now on /readyz is 503 and every answer ends its connection; requests are still served. */
  drain(): void;
}

interface AppParts {
  readonly log: Logger;
  /** Requests that are worked at at once; without it any number. */
  readonly mostAtWork?: number;
  /** Absent where nobody reads it. */
  readonly meter?: Meter | undefined;
}

/** A request on its way. */
interface Running {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly door: Door;
  readonly trace: Trace;
  readonly startedAt: number;
}

/** What is told of a request whose client went before it was answered. */
const CLIENT_WENT = 499;
/** That there is too much to do is told once in this while. */
const TELL_AGAIN_MS = 60_000;

const tooMuch = (): GatewayError =>
  new GatewayError('UNAVAILABLE', 'The gateway has more requests than it can answer. Retry later.');
const outOfPatience = (): GatewayError =>
  new GatewayError('UNAVAILABLE', 'The database takes too long to answer. Retry later.');

export function createApp({ log, mostAtWork = Infinity, meter }: AppParts): App {
  const running = new Set<Running>();
  const room = createWaitingRoom(mostAtWork);
  const rooms: Record<Door, WaitingRoom> = {
    graphql: room,
    rest: room,
    health: createWaitingRoom(Infinity),
  };
  const patience = createPatience(running, async () => !doors || doors.isAnswering(), giveUp);
  let toldOfShedding = -Infinity;
  let doors: Doors | undefined;
  let isDraining = false;

  async function vitals(): Promise<Vitals> {
    if (isDraining) return { isReady: false, parts: { process: 'draining' } };
    return doors ? doors.vitals() : { isReady: false, parts: { process: 'starting' } };
  }

  async function answer({ request, response, path, door, trace }: Running): Promise<void> {
    if (request.httpVersion === '1.1' && !request.headers.host)
      throw new GatewayError('BAD_USER_INPUT', 'The header Host is missing.');
    // Parsed all the same by what is behind us, in ways that Node will end.
    if (!path.startsWith('/') && path !== '*')
      throw new GatewayError(
        'BAD_USER_INPUT',
        'The target of the request is neither a path nor a URL.',
      );
    if (door === 'health') trace.operation = path;
    if (path === '/healthz') return answerHealth(request, response, { isReady: true, parts: {} });
    if (path === '/readyz') return answerHealth(request, response, await vitals());
    if (!doors)
      throw new GatewayError('UNAVAILABLE', 'The gateway is starting. Retry in a moment.');
    return door === 'graphql' ? doors.graphql(request, response) : doors.rest(request, response);
  }

  function begin(one: Running): void {
    answer(one).catch((error: unknown) => {
      reportFailure(log, one.response, error);
      presentFailure(one, error);
    });
  }

  /** Answers in the place of whoever works at it, whose own answer then comes too late. A look at the health has its own patience. */
  function giveUp(one: Running): void {
    running.delete(one);
    if (one.door === 'health') return;
    const error = outOfPatience();
    reportFailure(log, one.response, error);
    presentFailure(one, error);
  }

  function shed(one: Running): void {
    Object.assign(one.trace, { operation: SHED, refusal: 'UNAVAILABLE' });
    presentFailure(one, tooMuch());
    const now = performance.now();
    if (now - toldOfShedding < TELL_AGAIN_MS) return;
    toldOfShedding = now;
    log.warn(
      'More requests come than this process can answer: some are answered 503. Add processes, or raise REQUESTS_AT_ONCE where its core is idle',
    );
  }

  /** The one place that every request comes past when it is over. */
  function tell(one: Running): void {
    running.delete(one);
    const { request, response, path, door, trace, startedAt } = one;
    const milliseconds = performance.now() - startedAt;
    const status = response.headersSent ? response.statusCode : CLIENT_WENT;
    meter?.answered({ door, trace, status, seconds: milliseconds / 1000 });
    if (!log.isLevelEnabled('info')) return;
    const { operation, refusal } = trace;
    log.info(
      {
        requestId: request.headers['x-request-id'],
        method: request.method,
        path,
        operation,
        status,
        ...(refusal && { refusal }),
        ms: Math.round(milliseconds),
      },
      'answered',
    );
  }

  return {
    open(ready) {
      doors = ready;
    },
    drain() {
      isDraining = true;
      for (const { request, response } of running) endConnectionWith(request, response);
    },
    connected: room.makeWay,
    listener(request, response) {
      const path = pathOf(request);
      const one: Running = {
        request,
        response,
        path,
        door: doorOf(path),
        trace: beginTrace(response),
        startedAt: performance.now(),
      };
      const requestId = requestIdOf(request);
      request.headers['x-request-id'] = requestId; // what the doors tell their own logs
      response.setHeader('X-Request-Id', requestId);
      for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
      if (isDraining) response.shouldKeepAlive = false;
      lingerOn(request, response);
      running.add(one);
      patience.watch();
      meter?.began();
      const leave = rooms[one.door].enter({ begin: () => begin(one), refuse: () => shed(one) });
      whenOver(request, response, () => {
        leave();
        tell(one);
      });
    },
  };
}

/** Lets an answer that is still to come be the last of its connection; one whose body is still coming lingers as it would. */
function endConnectionWith(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete && !response.headersSent) response.setHeader('Connection', 'close');
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
