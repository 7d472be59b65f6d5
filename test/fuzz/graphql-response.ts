import { ERRORS, type ErrorCode } from '../../src/domain/errors.js';
import type { FuzzResponse } from './fuzz-request.js';
import { assertNoServerError } from './fuzz-target.js';

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: ErrorCode };
}
export interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: unknown;
}

const MEDIA_TYPES = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
];
const KEYS = ['data', 'errors', 'extensions'];
const isCode = (code: unknown): boolean => typeof code === 'string' && Object.hasOwn(ERRORS, code);

function formViolations(
  { data, errors, extensions, ...rest }: GraphqlResponse,
  keys: readonly string[],
): string[] {
  const malformedErrors = (errors ?? []).filter(
    ({ message, extensions: details, path }) =>
      typeof message !== 'string' ||
      message === '' ||
      !isCode(details?.code) ||
      (path !== undefined && !Array.isArray(path)),
  );
  const serverErrors = (errors ?? []).filter(
    ({ extensions: details }) =>
      details?.code === 'INTERNAL_SERVER_ERROR' || details?.code === 'UNAVAILABLE',
  );
  return [
    ...(Object.keys(rest).length > 0
      ? [`keys: ${keys.join(', ')}; allowed: ${KEYS.join(', ')}`]
      : []),
    ...(errors !== undefined && errors.length === 0 ? ['errors: empty'] : []),
    ...(data === undefined && !errors ? ['neither data nor errors'] : []),
    ...(data !== undefined && !extensions ? ['data without extensions'] : []),
    ...malformedErrors.map((error) => `malformed error: ${JSON.stringify(error)}`),
    ...serverErrors.map((error) => `server error: ${JSON.stringify(error)}`),
  ];
}

/** Reads a response of /graphql. @throws Error for a server error or a malformed response */
export function readGraphqlResponse(response: FuzzResponse): GraphqlResponse {
  assertNoServerError(response);
  const mediaType = response.headers.get('content-type') ?? '';
  const body = JSON.parse(response.text) as GraphqlResponse;
  const violations = [
    ...(MEDIA_TYPES.includes(mediaType) ? [] : [`content-type: ${mediaType}`]),
    ...formViolations(body, Object.keys(body)),
  ];
  if (violations.length > 0)
    throw new Error(
      `${response.status} ${response.text.slice(0, 2_000)}\n${violations.join('\n')}`,
    );
  return body;
}

/**
 * Outcome of an operation: the code of the first error or of the first entry of `userErrors`, or
 * `done`.
 */
export function outcomeOf({ data, errors }: GraphqlResponse): string {
  if (errors) return errors[0]!.extensions.code;
  const payloads = Object.values(
    (data ?? {}) as Record<string, { userErrors?: { code?: string }[] } | null>,
  );
  return (
    payloads.flatMap(
      (payload) => payload?.userErrors?.flatMap(({ code }) => code ?? []) ?? [],
    )[0] ?? 'done'
  );
}
