import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ERRORS, GatewayError, type ErrorCode } from '../domain/errors.js';
import type { ActiveRequest } from './request-in-progress.js';
import { requestContextOf } from './request-context.js';
import { writeResponse, type HttpResponse } from './responses.js';

/** Turns an error into the response of an API, given the request's `Accept` header. */
export type ErrorPresenter = (error: unknown, accept?: string) => HttpResponse;
/** The error presenter of each API; that of REST serves every path except /graphql. */
export type ErrorPresenters = Readonly<Record<'graphql' | 'rest', ErrorPresenter>>;

/**
 * Delay after which an unavailable dependency is likely to be back, and the result of a publication
 * is likely to be known.
 */
const RETRY_AFTER_SECONDS = 5;
const HEADERS: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  UNAUTHENTICATED: { 'WWW-Authenticate': 'Bearer-API' },
  PUBLISHING: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  UNAVAILABLE: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
};

/**
 * Status and headers of a response with this error code, in both APIs. `Allow` and the headers of
 * rate limits depend on the request: the code that throws sets them.
 */
export const errorHead = (code: ErrorCode): Pick<Required<HttpResponse>, 'status' | 'headers'> => ({
  status: ERRORS[code].status,
  headers: HEADERS[code] ?? {},
});

/**
 * The error to present for what was thrown: an unknown error becomes INTERNAL_SERVER_ERROR, without
 * its details.
 */
export const toGatewayError = (error: unknown): GatewayError =>
  error instanceof GatewayError ? error : new GatewayError('INTERNAL_SERVER_ERROR');

/** Responds to a failed request in the format of its API. */
export function sendError(
  { request, response, api }: Pick<ActiveRequest, 'request' | 'response' | 'api'>,
  error: unknown,
  presenters: ErrorPresenters,
): void {
  const present = presenters[api === 'graphql' ? 'graphql' : 'rest'];
  writeResponse(response, present(error, request.headers.accept));
}

/** Responds to a request of a client that has too many incomplete ones, or too large answers. */
export function sendTooMany(activeRequest: ActiveRequest, presenters: ErrorPresenters): void {
  const error = new GatewayError(
    'RATE_LIMITED',
    'Too many requests with this key or from this address are incomplete, have unread answers, or had large ones a moment ago. Finish them, and retry.',
  );
  activeRequest.context.errorCode = error.code;
  activeRequest.context.headers['Retry-After'] = RETRY_AFTER_SECONDS;
  sendError(activeRequest, error, presenters);
}

/**
 * Records the error code of a request. Logs errors that the client did not cause: internal errors
 * with their stack, and unavailable dependencies with the reason only, because in an outage every
 * request fails alike. Logs nothing if the response was sent before: the
 * request timed out, which was logged.
 */
export function reportError(log: Logger, response: ServerResponse, error: unknown): void {
  if (response.writableEnded) return;
  const { code } = toGatewayError(error);
  const context = requestContextOf(response);
  context.errorCode = code;
  if (ERRORS[code].status < 500) return;
  const requestId = context.headers['X-Request-Id'];
  if (code === 'UNAVAILABLE')
    log.warn({ requestId, reason: error }, 'request failed: dependency unavailable');
  else log.error({ requestId, err: error }, 'unhandled request error');
}
