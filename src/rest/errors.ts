import { type ErrorCode, type Problem, type Refusal } from '../domain/errors.js';
import { errorHead, toGatewayError, type ErrorPresenter } from '../http/errors.js';
import { toHttpResponse, type JsonResponse } from '../http/responses.js';
import type { DeleteResult } from '../services/posts/delete-posts.js';

/**
 * Problems listed in one response. Without a limit, a body of 1 MB could cause a response of 50 MB.
 */
const MAX_PROBLEMS = 500;

/** The response of REST for an error that was thrown. */
export const presentRestError: ErrorPresenter = (error) => toHttpResponse(presentError(error));

/**
 * The response for an error that was thrown (D41): `{errors, code, message}`, and `{error}` for
 * 429. An unknown error becomes a 500 without details.
 */
export function presentError(error: unknown): JsonResponse {
  const { code, message, problems } = toGatewayError(error);
  if (code === 'RATE_LIMITED') return { ...errorHead(code), body: { error: message } };
  return presentErrors(code, problems.length > 0 ? problemMessages(problems) : [message], message);
}

/** The response to a change that the domain rules refuse. Refusals are returned, not thrown. */
export function presentRefusals(
  refusals: readonly Refusal[],
  toMessage: (message: string) => string = (message) => message,
): JsonResponse {
  const messages = refusals.map(({ message }) => toMessage(message));
  return presentErrors(refusals[0]!.code, messages, messages[0]!);
}

/** The summary of a deletion in which every post is refused with the same code. */
const NONE_DELETED: Partial<Record<ErrorCode, string>> = {
  POST_NOT_FOUND: 'No post has any of these IDs.',
  PUBLISHING: 'These posts are being published right now.',
};

/**
 * 422 if every ID is unknown, 409 if every post is being published, else 403: "delete not
 * permitted" of the interface document (D31).
 */
export function presentNoneDeleted(rejected: readonly DeleteResult[]): JsonResponse {
  const [code = 'FORBIDDEN', ...others] = new Set(rejected.map((result) => result.code!));
  const summary = others.length === 0 ? NONE_DELETED[code] : undefined;
  const messages = rejected.map(({ id, message }) => `${id}: ${message}`);
  return summary === undefined
    ? presentErrors('FORBIDDEN', messages, 'None of these posts can be deleted.')
    : presentErrors(code, messages, summary);
}

/** The error body (D41): one message per problem in `errors`, and a summary in `message`. */
const presentErrors = (
  code: ErrorCode,
  errors: readonly string[],
  message: string,
): JsonResponse => ({ ...errorHead(code), body: { errors, code, message } });

/** A path as text: `post.labels[0].color`. */
export function presentPath(path: Problem['path']): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step,
    '',
  );
}

/** A problem without a path is one of the body, unless it is a sentence with its own subject. */
function problemMessage({ path, message }: Problem): string {
  if (path.length > 0) return `${presentPath(path)}: ${message}`;
  return /^[a-z]/.test(message) ? `body: ${message}` : message;
}

function problemMessages(problems: readonly Problem[]): string[] {
  const messages = problems.slice(0, MAX_PROBLEMS).map(problemMessage);
  return problems.length > MAX_PROBLEMS
    ? [...messages, `… and ${problems.length - MAX_PROBLEMS} more problems.`]
    : messages;
}
