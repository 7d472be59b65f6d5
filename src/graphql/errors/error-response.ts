import { ERRORS, GatewayError } from '../../domain/errors.js';
import { chooseMediaType } from '../media-type.js';
import { errorHeaders } from '../../http/errors.js';
import type { HttpResponse } from '../../http/responses.js';

/**
 * Presents an error that occurs before GraphQL execution, in the format of GraphQL and a media type
 * that `Accept` allows (D41).
 */
export function presentGraphqlError(error: unknown, accept: string | undefined): HttpResponse {
  const { code, message, problems } =
    error instanceof GatewayError ? error : new GatewayError('INTERNAL_SERVER_ERROR');
  const type = chooseMediaType(accept) ?? 'application/json';
  const errors = [{ message, extensions: { code, ...(problems.length > 0 && { problems }) } }];
  return {
    status: ERRORS[code].status,
    headers: { ...errorHeaders(code), 'Content-Type': `${type}; charset=utf-8` },
    body: JSON.stringify({ errors }),
  };
}
