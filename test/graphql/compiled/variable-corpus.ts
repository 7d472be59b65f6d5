import type { CorpusRequest } from './both-servers.js';
import { ABSENT, COUNT, forBothTypes, show, withField } from './corpus-requests.js';

/** A query whose variable is a number. */
export const NUMBER_QUERY = 'query($n: Int) { posts(first: $n) { totalCount } }';

const NUMBER_VARIABLES = [
  ABSENT,
  null,
  {},
  [],
  [1],
  'x',
  '{}',
  '{"n":1}',
  1,
  0,
  true,
  false,
  { n: 1 },
  { n: '1' },
  { n: null },
  { n: 1.5 },
  { n: 1e40 },
  { n: [1] },
  { n: {} },
  { n: true },
  { n: 0 },
  { n: 101 },
  { other: 1 },
  { n: 1, other: 2 },
  { N: 1 },
  { n: 1, __proto__: { n: 2 } },
  JSON.parse('{"__proto__": 1, "n": 2}'),
  Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`v${index}`, index])),
];
const NUMBER_DOCUMENTS = [
  NUMBER_QUERY,
  'query($n: Int!) { posts(first: $n) { totalCount } }',
  'query($n: Int = 2) { posts(first: $n) { totalCount } }',
  'query($n: Int! = 2) { posts(first: $n) { totalCount } }',
  COUNT,
];

/** Variables of other types, and how they can be wrong. */
const TYPED_VARIABLES: readonly (readonly [query: string, values: readonly unknown[]])[] = [
  ['query($v: ID!) { node(id: $v) { id } }', ['nope', 1, 1.5, true, null, {}, ['nope']]],
  [
    'query($v: [ID!]!) { nodes(ids: $v) { id } }',
    [['nope'], 'nope', [], [null], [['nope']], {}, null, Array(101).fill('x')],
  ],
  [
    'query($v: Boolean!) { posts(first: 1) { totalCount @include(if: $v) nodes { id @skip(if: $v) } } }',
    [true, false, 'true', 0, null],
  ],
  [
    'query($v: [PostStateFilter!]) { posts(filter: { states: $v }) { totalCount } }',
    [['SCHEDULED'], 'SCHEDULED', ['NOPE'], Array(100).fill('NOPE'), [1], [], null],
  ],
  [
    'query($v: PostFilter) { posts(filter: $v) { totalCount } }',
    [
      {},
      null,
      [],
      'x',
      1,
      { states: ['ALL'] },
      { nope: 1 },
      { states: null },
      { from: 'yesterday' },
      { from: '2026-11-01T00:00:00Z' },
      { query: 1 },
      { minEngagement: 'many' },
      { minEngagement: 5 },
      { query: 'text', nope: 1, also: 2 },
    ],
  ],
  [
    'query($v: PostOrder) { posts(first: 1, orderBy: $v) { totalCount } }',
    [
      { field: 'SCHEDULED_AT', direction: 'ASC' },
      { field: 'SCHEDULED_AT' },
      { field: 'ENGAGEMENT' },
      { direction: 'ASC' },
      {},
    ],
  ],
  [
    'mutation($v: UpdatePostInput!) { updatePost(input: $v) { post { id } userErrors { code } } }',
    [
      null,
      {},
      { id: 'nope' },
      { id: 'nope', post: null },
      { id: 'nope', post: { nope: 1 } },
      { id: 'nope', post: { text: 1 } },
      { id: 'nope', post: { scheduledAt: 'never' } },
      { id: 'nope', post: {}, dryRun: null },
      { id: 'nope', post: {}, dryRun: 'yes' },
      { id: 'nope', post: {}, dryRun: true },
    ],
  ],
];

/** Variables that are absent, of a wrong type, unknown, too many, null or default values. */
export const VARIABLE_REQUESTS: readonly CorpusRequest[] = forBothTypes([
  ...NUMBER_DOCUMENTS.flatMap((query) =>
    NUMBER_VARIABLES.map((value) => ({
      name: `variables ${show(value)} of ${query}`,
      body: { query, ...withField('variables', value) },
    })),
  ),
  ...TYPED_VARIABLES.flatMap(([query, values]) =>
    [ABSENT, ...values].map((value) => ({
      name: `variable ${show(value)} of ${query}`,
      body: { query, variables: withField('v', value) },
    })),
  ),
]);
