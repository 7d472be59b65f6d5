import { ERRORS, GatewayError } from '../domain/errors.js';
import { chooseMediaType } from './media-type.js';
import { presentError } from '../rest/errors.js';
import type { TextAnswer } from '../http/responses.js';

/** What is refused at /graphql before GraphQL runs, in GraphQL's shape and in the media type that `Accept` takes (D41). */
export function presentGraphqlError(error: unknown, accept: string | undefined): TextAnswer {
  const { code, message, problems } =
    error instanceof GatewayError ? error : new GatewayError('INTERNAL_SERVER_ERROR');
  const type = chooseMediaType(accept) ?? 'application/json';
  const errors = [{ message, extensions: { code, ...(problems.length > 0 && { problems }) } }];
  return {
    status: ERRORS[code].status,
    headers: { ...presentError(error).headers, 'Content-Type': `${type}; charset=utf-8` },
    body: JSON.stringify({ errors }),
  };
}
