import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { parseUrl } from '../domain/input/urls.js';
import { createRequestContext, type RequestContext } from './request-context.js';
import { transferKindOf, type TransferKind } from './admission/transfers.js';

/** The API a request belongs to; `rest` includes the pages and unknown paths. */
export type Api = 'graphql' | 'rest' | 'health';

const APIS: ReadonlyMap<string, Api> = new Map([
  ['/graphql', 'graphql'],
  ['/healthz', 'health'],
  ['/readyz', 'health'],
]);

/** The API that serves a path. */
const apiOf = (path: string): Api => APIS.get(path) ?? 'rest';

/** A request in progress. */
export interface ActiveRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path without the query string. */
  readonly path: string;
  readonly api: Api;
  /** Null unless the request transfers a file. */
  readonly transfer: TransferKind | null;
  readonly context: RequestContext;
  /** `performance.now()` at the start, in milliseconds. */
  readonly startedAt: number;
  /** `performance.now()` when the body, if there is one, was complete, in milliseconds. */
  receivedAt: number;
}

/** nginx's status for a client that disconnected before the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Ids that are safe in a log line and a header. */
const SAFE_REQUEST_ID = /^[\w.:@+/=-]{1,128}$/;

/** The request's X-Request-Id if it is safe, else a new one. */
function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const requestId = String(headers['x-request-id'] ?? '');
  return SAFE_REQUEST_ID.test(requestId) ? requestId : randomUUID();
}

/** Assigns the request its ID and context. */
export function openRequest(request: IncomingMessage, response: ServerResponse): ActiveRequest {
  const path = normalizePath(request);
  const requestId = requestIdOf(request);
  request.headers['x-request-id'] = requestId; // the APIs log it
  const context = createRequestContext(response);
  context.headers['X-Request-Id'] = requestId;
  const startedAt = performance.now();
  return {
    request,
    response,
    path,
    api: apiOf(path),
    transfer: transferKindOf(request.method, path),
    context,
    startedAt,
    receivedAt: startedAt,
  };
}

/**
 * Returns the path without the query string. In `request.url`, replaces an absolute request target
 * by its path, and removes a fragment and a trailing slash: every route accepts both forms. Express
 * would parse targets other than a path and a query with the deprecated `url.parse`.
 */
function normalizePath(request: IncomingMessage): string {
  const target = withoutOrigin(request.url ?? '/').split('#', 1)[0]!;
  const sentPath = target.split('?', 1)[0] ?? '/';
  const path = sentPath.replace(/(?<=[^/])\/$/, '');
  request.url = path + target.slice(sentPath.length);
  return path;
}

function withoutOrigin(target: string): string {
  if (target === '*') return '/*'; // OPTIONS of the whole server, which has no route
  const url = target.startsWith('/') ? null : parseUrl(target);
  return url ? url.pathname + url.search : target;
}

/**
 * @throws GatewayError BAD_USER_INPUT if the Host header is missing, the target is malformed, or
 * not encoded as UTF-8
 */
export function assertWellFormed({ request, path }: ActiveRequest): void {
  if (request.httpVersion === '1.1' && !request.headers.host)
    throw new GatewayError('BAD_USER_INPUT', 'The header Host is missing.');
  if (!path.startsWith('/'))
    throw new GatewayError('BAD_USER_INPUT', 'The request target is neither a path nor a URL.');
  if (!isEncodedInUtf8(request.url ?? ''))
    throw new GatewayError(
      'BAD_USER_INPUT',
      'The URL is not UTF-8: encode its characters as UTF-8 before percent-encoding them.',
    );
}

const ENCODED_BYTES = /(?:%[\da-f]{2})+/gi;

/** Parsers of queries replace invalid bytes, so that another text would be searched for. */
function isEncodedInUtf8(target: string): boolean {
  for (const [bytes] of target.matchAll(ENCODED_BYTES))
    if (!isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex'))) return false;
  return true;
}

/** Whether a handler may read the body of the request as JSON. Transfers read theirs themselves. */
export const hasJsonBody = ({
  request: { method, headers },
  api,
  transfer,
}: ActiveRequest): boolean =>
  (method === 'POST' || method === 'PUT') &&
  api !== 'health' &&
  transfer === null &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** A request that is over. */
export interface CompletedRequest {
  readonly api: Api;
  readonly context: Readonly<RequestContext>;
  /** HTTP status; 499 if the client disconnected before the response. */
  readonly status: number;
  readonly seconds: number;
}

/** Summary of a request that is over, for the log and the metrics. */
export const toCompletedRequest = ({
  response,
  api,
  context,
  startedAt,
}: ActiveRequest): CompletedRequest => ({
  api,
  context,
  status: response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST,
  seconds: (performance.now() - startedAt) / 1000,
});

/** Paths of files, upload addresses and calendar feeds: who knows one can read or store something. */
const SECRET_PATHS = /^\/(?:media|calendar)\//;

/**
 * Logs one line per request, without the query string: it may contain the text of posts. The
 * operation stands for a path that is a secret.
 */
export function logCompleted(
  log: Logger,
  { request, path }: ActiveRequest,
  { context: { operation, errorCode }, status, seconds }: CompletedRequest,
): void {
  if (!log.isLevelEnabled('info')) return;
  log.info(
    {
      requestId: request.headers['x-request-id'],
      method: request.method,
      ...(!SECRET_PATHS.test(path) && { path }),
      operation,
      status,
      ...(errorCode && { errorCode }),
      durationMs: Math.round(seconds * 1000),
    },
    'request completed',
  );
}
