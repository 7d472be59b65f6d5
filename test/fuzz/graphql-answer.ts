import { ERRORS, type ErrorCode } from '../../src/domain/errors.js';
import type { Answer } from './ask.js';
import { assertNoFault } from './lane.js';

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: ErrorCode };
}
export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: unknown;
}

const TYPES = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
];
const KEYS = ['data', 'errors', 'extensions'];
const isCode = (code: unknown): boolean => typeof code === 'string' && Object.hasOwn(ERRORS, code);

function complaints(
  { data, errors, extensions, ...rest }: GraphqlAnswer,
  keys: readonly string[],
): string[] {
  const wrong = (errors ?? []).filter(
    ({ message, extensions: more, path }) =>
      typeof message !== 'string' ||
      message === '' ||
      !isCode(more?.code) ||
      (path !== undefined && !Array.isArray(path)),
  );
  const faults = (errors ?? []).filter(
    ({ extensions: more }) =>
      more?.code === 'INTERNAL_SERVER_ERROR' || more?.code === 'UNAVAILABLE',
  );
  return [
    ...(Object.keys(rest).length > 0
      ? [`keys: only ${KEYS.join(', ')}; not ${keys.join(', ')}`]
      : []),
    ...(errors !== undefined && errors.length === 0 ? ['errors: empty'] : []),
    ...(data === undefined && !errors ? ['neither data nor errors'] : []),
    ...(data !== undefined && !extensions ? ['extensions: none beside data'] : []),
    ...wrong.map((error) => `error: ${JSON.stringify(error)}`),
    ...faults.map((error) => `a fault: ${JSON.stringify(error)}`),
  ];
}

/** Reads an answer of /graphql. @throws Error for a fault of ours, and where it has not the form of one */
export function readGraphqlAnswer(answer: Answer): GraphqlAnswer {
  assertNoFault(answer);
  const type = answer.headers.get('content-type') ?? '';
  const body = JSON.parse(answer.text) as GraphqlAnswer;
  const found = [
    ...(TYPES.includes(type) ? [] : [`content-type: ${type}`]),
    ...complaints(body, Object.keys(body)),
  ];
  if (found.length > 0)
    throw new Error(`${answer.status} ${answer.text.slice(0, 2_000)}\n${found.join('\n')}`);
  return body;
}

/** What came of an operation: the code of the first error, of the first refusal of a mutation, or that there was neither. */
export function outcomeOf({ data, errors }: GraphqlAnswer): string {
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
