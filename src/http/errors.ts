import { ERRORS, GatewayError, type ErrorCode, type Problem } from '../domain/errors.js';
import type { JsonResponse } from './responses.js';

/** Delay after which an unavailable dependency is likely to be back. */
const RETRY_AFTER_SECONDS = 5;
/**
 * Problems listed in one response. Without a limit, a body of 1 MB could cause a response of 50 MB.
 */
const MAX_PROBLEMS = 500;

const HEADERS: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  UNAVAILABLE: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
};

/** Headers of a response with this error code, in both APIs. */
export const errorHeaders = (code: ErrorCode): Readonly<Record<string, string>> =>
  HEADERS[code] ?? {};

/**
 * The response for an error thrown outside /graphql (D41): `{errors, code, message}`, and `{error}`
 * for 429. An unknown error becomes a 500 without details. `Allow`, `WWW-Authenticate` and the rate
 * headers are set by the code that throws.
 */
export function presentError(error: unknown): JsonResponse {
  const { code, message, problems } = toGatewayError(error);
  if (code === 'RATE_LIMITED')
    return { status: ERRORS[code].status, headers: {}, body: { error: ERRORS[code].description } };
  return presentErrorBody(
    code,
    problems.length > 0 ? problemMessages(problems) : [message],
    message,
  );
}

/**
 * The error body of REST (D41): one message per problem in `errors`, and a summary in `message`.
 */
export function presentErrorBody(
  code: ErrorCode,
  errors: readonly string[],
  message: string,
): JsonResponse {
  return {
    status: ERRORS[code].status,
    headers: errorHeaders(code),
    body: { errors, code, message },
  };
}

/** A path as text: `post.labels[0].color`. */
export function presentPath(path: Problem['path']): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step,
    '',
  );
}

function problemMessages(problems: readonly Problem[]): string[] {
  const messages = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => (path.length > 0 ? `${presentPath(path)}: ${message}` : message));
  return problems.length > MAX_PROBLEMS
    ? [...messages, `… and ${problems.length - MAX_PROBLEMS} more problems.`]
    : messages;
}

/**
 * The error to present for what was thrown. Express throws a URIError with status 400 for malformed
 * percent-encoding.
 */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const isMalformedPath =
    error instanceof URIError && (error as { status?: unknown }).status === 400;
  return isMalformedPath
    ? new GatewayError('BAD_USER_INPUT', 'The path is not valid percent-encoding.')
    : new GatewayError('INTERNAL_SERVER_ERROR');
}
