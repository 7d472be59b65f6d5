import { ERRORS, GatewayError, type ErrorCode, type Problem } from '../domain/errors.js';
import type { Answer } from './http-response.js';

/** Seconds after which a dependency that was away is worth another try. */
const RETRY_AFTER_SECONDS = 5;
/** More than a person reads; without it a body of 1 MB could get an answer of 50 MB. */
const MOST_PROBLEMS = 500;

const HEADERS: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  UNAVAILABLE: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
};

/** What an answer with this code carries in its head, through either door. */
export const headersOf = (code: ErrorCode): Readonly<Record<string, string>> => HEADERS[code] ?? {};

/**
 * Turns whatever was thrown outside /graphql into its answer (D41): `{errors, code, message}`, for 429 the document's
 * `{error}`. Of an unknown error nothing is told. `Allow`, `WWW-Authenticate`
 * and the rate headers are for those who know them to set.
 */
export function presentError(error: unknown): Answer {
  const known = toGatewayError(error);
  const { code, message, problems } = known;
  if (code === 'RATE_LIMITED')
    return { status: ERRORS[code].status, headers: {}, body: { error: ERRORS[code].meaning } };
  return presentRefusal(code, problems.length > 0 ? problemMessages(problems) : [message], message);
}

/** An answer of D41's shape for a code: one message for each thing refused, and one for the whole. */
export function presentRefusal(
  code: ErrorCode,
  errors: readonly string[],
  message: string,
): Answer {
  return { status: ERRORS[code].status, headers: headersOf(code), body: { errors, code, message } };
}

/** `post.labels[0].color`: a path as v1 shows it. */
export function showPath(path: Problem['path']): string {
  return path.reduce<string>(
    (shown, step) =>
      typeof step === 'number' ? `${shown}[${step}]` : shown ? `${shown}.${step}` : step,
    '',
  );
}

function problemMessages(problems: readonly Problem[]): string[] {
  const shown = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message }) => (path.length > 0 ? `${showPath(path)}: ${message}` : message));
  return problems.length > MOST_PROBLEMS
    ? [...shown, `… and ${problems.length - MOST_PROBLEMS} more problems.`]
    : shown;
}

/** What was thrown, as the refusal that it is answered with. Express throws a URIError-like of status 400 where a path is not valid percent-encoding. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const isBadPath = error instanceof URIError && (error as { status?: unknown }).status === 400;
  return isBadPath
    ? new GatewayError('BAD_USER_INPUT', 'The path is not valid percent-encoding.')
    : new GatewayError('INTERNAL_SERVER_ERROR');
}
