import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ERRORS } from '../domain/errors.js';
import type { ActiveRequest } from './active-request.js';
import type { Api } from './api.js';
import { presentError, toGatewayError } from './errors.js';
import { requestContextOf } from './request-context.js';
import { toHttpResponse, writeResponse, type HttpResponse } from './responses.js';

/** Turns an error into a response, given the request's `Accept` header. */
export type ErrorPresenter = (error: unknown, accept: string | undefined) => HttpResponse;
/** Error presenters by API. */
export type ErrorPresenters = Readonly<Partial<Record<Api, ErrorPresenter>>>;

/** Responds to a request that failed before its API handled it, in the shape of that API. */
export function sendError(
  { request, response, api }: Pick<ActiveRequest, 'request' | 'response' | 'api'>,
  error: unknown,
  presenters: ErrorPresenters,
): void {
  const present = presenters[api] ?? ((thrown) => toHttpResponse(presentError(thrown)));
  writeResponse(response, present(error, request.headers.accept));
}

/**
 * Records the error code of a request. Logs errors that the client did not cause: internal errors
 * with their stack, and unavailable dependencies. Logs nothing if the response was sent before: the
 * request timed out, which was logged.
 */
export function reportError(log: Logger, response: ServerResponse, error: unknown): void {
  if (response.writableEnded) return;
  const { code } = toGatewayError(error);
  requestContextOf(response).errorCode = code;
  if (ERRORS[code].status < 500) return;
  const requestId = response.getHeader('X-Request-Id');
  if (code === 'UNAVAILABLE')
    log.warn({ requestId, err: error }, 'request failed: dependency unavailable');
  else log.error({ requestId, err: error }, 'unhandled request error');
}
