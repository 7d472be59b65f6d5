import fc from 'fast-check';
import { parse, validate, type DocumentNode } from 'graphql';
import { resultViolations } from '../fixtures/graphql-results.js';
import { mutated, mutatedText, wildValues } from '../fixtures/random/mutations.js';
import { arbitraryOperation } from '../fixtures/random/operations.js';
import { callers, type FuzzRequest, type Caller } from './fuzz-request.js';
import { outcomeOf, readGraphqlResponse } from './graphql-response.js';
import { ACCEPT, schema, WEIGHTS } from './graphql-target.js';
import type { FuzzTarget } from './fuzz-target.js';

/** A possibly invalid request. `payload` is the body, or for GET the query parameters. */
interface InvalidRequest {
  readonly caller: Caller;
  readonly accept: string;
  readonly method: 'POST' | 'GET';
  readonly payload: unknown;
}

const FRAGMENTS = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '(',
    ')',
    '...',
    '@skip(if: true)',
    '@nope',
    '$v1',
    ': ',
    '"',
    '"""',
    '\\u{110000}',
    '#',
    '!',
    '|',
    '&',
    'query',
    'mutation',
    'subscription',
    'fragment F1 on Post',
    'on',
    'null',
    '-1e999',
    '__typename',
    '__schema { types { name } }',
    '__type(name: "Post") { fields { name } }',
    'posts',
    '[',
    '\u0000',
    '\ufeff',
    'extend type Query { a: Int }',
    '{ a '.repeat(40),
  ),
  fc.string({ maxLength: 4 }),
);
/** Longer URLs are rejected before they reach the API. */
const MAX_URL_LENGTH = 8_000;

function readDocument(source: unknown): DocumentNode | null {
  try {
    const document = parse(String(source), { maxTokens: 2_000 });
    return typeof source === 'string' && validate(schema, document).length === 0 ? document : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes the payload as a body or a query; in a query, values other than strings are JSON. */
function toFuzzRequest({ caller, accept, method, payload }: InvalidRequest): FuzzRequest {
  const search = new URLSearchParams(
    Object.entries(isRecord(payload) ? payload : {}).map(
      ([name, value]) =>
        [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
    ),
  );
  return method === 'POST'
    ? {
        ...caller,
        method,
        path: '/graphql',
        headers: { accept, 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      }
    : {
        ...caller,
        method,
        path: `/graphql?${search.toString()}`.slice(0, MAX_URL_LENGTH),
        headers: { accept },
      };
}

/**
 * Operations with values of wrong types, mutated documents, and bodies that are not GraphQL
 * requests.
 */
export const invalidGraphqlTarget: FuzzTarget<InvalidRequest> = {
  name: 'invalid-graphql',
  share: 20,
  requests({ pools }) {
    const options = {
      weights: WEIGHTS,
      kinds: ['query', 'query', 'mutation'],
      fields: 20,
    } as const;
    const mistyped = arbitraryOperation(schema, pools, { ...options, wild: wildValues });
    const valid = arbitraryOperation(schema, pools, options);
    const payloads = fc.oneof(
      { weight: 4, arbitrary: mistyped },
      {
        weight: 4,
        arbitrary: fc
          .tuple(
            valid,
            mutatedText(
              valid.map(({ query }) => query),
              FRAGMENTS,
            ),
          )
          .map(([operation, query]) => ({ ...operation, query })),
      },
      { weight: 3, arbitrary: mutated(valid) },
      { weight: 1, arbitrary: fc.tuple(valid, valid) },
      { weight: 1, arbitrary: wildValues },
    );
    return fc.record({
      caller: callers,
      accept: ACCEPT,
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET'),
      payload: payloads,
    });
  },
  async check(request, { send }) {
    const response = await send(toFuzzRequest(request));
    const body = readGraphqlResponse(response);
    if (body.data === undefined) return outcomeOf(body);
    const { query, variables, operationName } = (
      isRecord(request.payload) ? request.payload : {}
    ) as {
      query?: unknown;
      variables?: Record<string, unknown> | null;
      operationName?: string | null;
    };
    const document = readDocument(query);
    const violations = document
      ? resultViolations({ schema, document, operationName, variables: variables ?? {} }, body)
      : ['an invalid document was executed'];
    if (violations.length > 0)
      throw new Error(`${response.text.slice(0, 2_000)}\n${violations.join('\n')}`);
    return outcomeOf(body);
  },
};
