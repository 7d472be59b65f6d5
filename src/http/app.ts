import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { presentError } from '../rest/errors.js';
import { COMMON_HEADERS, refuseUnlessRead, requestIdOf, writeAnswer, writeJson } from './answering.js';
import { presentGraphqlError } from './graphql-error.js';
import { lingerOn } from './linger.js';

/** Answers one request, errors included. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the hall leads to once everything is put together. */
export interface Doors {
  readonly graphql: Answerer;
  /** Everything that is not /graphql: v1, the pages, and what does not exist. */
  readonly rest: Answerer;
  /** Whether requests can be served now: the database answers. */
  isReady(): Promise<boolean>;
}

/** The hall: it answers from the first moment, opens its doors when they are there, and closes them before it goes. */
export interface App {
  readonly listener: RequestListener;
  open(doors: Doors): void;
  /** From now on /readyz is 503 and every answer ends its connection; requests are still served. */
  drain(): void;
}

export function createApp({ log }: { log: Logger }): App {
  let doors: Doors | undefined;
  let isDraining = false;

  const isReady = async (): Promise<boolean> => !isDraining && doors !== undefined && doors.isReady();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    if (request.httpVersion === '1.1' && !request.headers.host) throw new GatewayError('BAD_USER_INPUT', 'The header Host is missing.');
    if (path === '/healthz') return health(request, response, true);
    if (path === '/readyz') return health(request, response, await isReady());
    if (!doors) throw new GatewayError('UNAVAILABLE', 'The gateway is starting. Retry in a moment.');
    return path === '/graphql' ? doors.graphql(request, response) : doors.rest(request, response);
  }

  return {
    open(ready) { doors = ready; },
    drain() { isDraining = true; },
    listener(request, response) {
      const startedAt = performance.now();
      const requestId = requestIdOf(request);
      request.headers['x-request-id'] = requestId; // what the doors tell their own logs
      response.setHeader('X-Request-Id', requestId);
      for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
      if (isDraining) response.shouldKeepAlive = false;
      lingerOn(request, response);
      response.once('close', () => {
        log.info({ requestId, method: request.method, path: pathOf(request), status: response.statusCode, ms: Math.round(performance.now() - startedAt) }, 'answered');
      });
      answer(request, response).catch((error: unknown) => {
        reportFault(log, response, error);
        if (pathOf(request) === '/graphql') writeAnswer(response, presentGraphqlError(error, request.headers.accept));
        else writeJson(response, presentError(error));
      });
    },
  };
}

/** Tells the log of what is no caller's mistake: faults with their stack, dependencies that are away. */
export function reportFault(log: Logger, response: ServerResponse, error: unknown): void {
  const requestId = response.getHeader('X-Request-Id');
  if (presentError(error).status < 500) return;
  if (!(error instanceof GatewayError)) log.error({ requestId, err: error }, 'a request met a fault');
  else if (error.code === 'UNAVAILABLE') log.warn({ requestId, err: error }, 'a request met something that is away');
}

function health(request: IncomingMessage, response: ServerResponse, isWell: boolean): void {
  refuseUnlessRead(request, response);
  writeJson(response, { status: isWell ? 200 : 503, headers: { 'Cache-Control': 'no-store' }, body: { status: isWell ? 'ok' : 'unavailable' } });
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
