import fc from 'fast-check';
import { parse, validate, type DocumentNode } from 'graphql';
import { departuresOfRun } from '../fixtures/graphql-answers.js';
import { nearly, torn, wildValues } from '../fixtures/random/damage.js';
import { arbitraryOperation } from '../fixtures/random/operations.js';
import { askers, type Ask, type Asker } from './ask.js';
import { outcomeOf, readGraphqlAnswer } from './graphql-answer.js';
import { ACCEPT, schema, WEIGHTS } from './graphql-lane.js';
import type { Lane } from './lane.js';

/** What is sent as a body, or for GET in the query. */
interface Asked {
  readonly asker: Asker;
  readonly accept: string;
  readonly method: 'POST' | 'GET';
  readonly sent: unknown;
}

const SCRAPS = fc.oneof(
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
/** A URL of more than that does not reach the door. */
const LONGEST_URL = 8_000;

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

/** Text that the body or the address is made of; a GET's variables are JSON in it. */
function toAsk({ asker, accept, method, sent }: Asked): Ask {
  const search = new URLSearchParams(
    Object.entries(isRecord(sent) ? sent : {}).map(
      ([name, value]) =>
        [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
    ),
  );
  return method === 'POST'
    ? {
        ...asker,
        method,
        path: '/graphql',
        headers: { accept, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      }
    : {
        ...asker,
        method,
        path: `/graphql?${search.toString()}`.slice(0, LONGEST_URL),
        headers: { accept },
      };
}

/** Operations with values that do not belong, torn documents, and bodies that are no requests. */
export const wildLane: Lane<Asked> = {
  name: 'wild',
  share: 20,
  asked({ pools }) {
    const options = {
      weights: WEIGHTS,
      kinds: ['query', 'query', 'mutation'],
      fields: 20,
    } as const;
    const wild = arbitraryOperation(schema, pools, { ...options, wild: wildValues });
    const plain = arbitraryOperation(schema, pools, options);
    const sent = fc.oneof(
      { weight: 4, arbitrary: wild },
      {
        weight: 4,
        arbitrary: fc
          .tuple(
            plain,
            torn(
              plain.map(({ query }) => query),
              SCRAPS,
            ),
          )
          .map(([one, query]) => ({ ...one, query })),
      },
      { weight: 3, arbitrary: nearly(plain) },
      { weight: 1, arbitrary: fc.tuple(plain, plain) },
      { weight: 1, arbitrary: wildValues },
    );
    return fc.record({
      asker: askers,
      accept: ACCEPT,
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET'),
      sent,
    });
  },
  async hold(asked, { send }) {
    const answer = await send(toAsk(asked));
    const body = readGraphqlAnswer(answer);
    if (body.data === undefined) return outcomeOf(body);
    const { query, variables, operationName } = (isRecord(asked.sent) ? asked.sent : {}) as {
      query?: unknown;
      variables?: Record<string, unknown> | null;
      operationName?: string | null;
    };
    const document = readDocument(query);
    const departures = document
      ? departuresOfRun({ schema, document, operationName, variables: variables ?? {} }, body)
      : ['an invalid document was run'];
    if (departures.length > 0)
      throw new Error(`${answer.text.slice(0, 2_000)}\n${departures.join('\n')}`);
    return outcomeOf(body);
  },
};
