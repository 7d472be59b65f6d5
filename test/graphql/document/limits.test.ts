import { GatewayError } from '../../../src/domain/errors.js';
import { createDocuments } from '../../../src/graphql/document/prepared-document.js';
import { buildGatewaySchema } from '../../../src/graphql/schema/schema.js';

const prepare = createDocuments(buildGatewaySchema());
/** Codes of exceeded limits, without the errors of validation. */
const codes = (source: string): string[] =>
  (prepare(source).errors ?? []).flatMap((error) =>
    error instanceof GatewayError ? [error.code] : [],
  );
const deep = (levels: number): string => `${'{ a '.repeat(levels)}${'}'.repeat(levels)}`;
const many = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

describe('each limit, at its maximum and one above', () => {
  it.each([
    ['QUERY_TOO_DEEP', (over: number) => deep(12 + over)],
    ['QUERY_TOO_DEEP', (over: number) => `{ __schema ${deep(15 + over)} }`],
    ['QUERY_TOO_DEEP', (over: number) => `{ a { ...F } } fragment F on T ${deep(11 + over)}`],
    ['TOO_MANY_FIELDS', (over: number) => `{ a { ${many(299 + over, (i) => `f${i}`)} } }`],
    [
      'TOO_MANY_FIELDS',
      (over: number) =>
        `{ a { ...F b { ...F } ${over ? 'c' : ''} } } fragment F on T { ${many(149, (i) => `f${i}`)} }`,
    ],
    ['TOO_MANY_FIELDS', (over: number) => `{ ${many(30 + over, (i) => `f${i}`)} }`],
    ['TOO_MANY_FIELDS', (over: number) => `mutation { ${many(10 + over, (i) => `f${i}`)} }`],
    [
      'TOO_MANY_FIELDS',
      (over: number) => `{ ${many(1 + over, () => '__schema { types { name } }')} }`,
    ],
    [
      'TOO_MANY_FIELDS',
      (over: number) => `{ a } fragment Unused on T { ${many(300 + over, () => 'f')} }`,
    ],
    [
      'TOO_MANY_ALIASES',
      (over: number) => `{ a { ${many(30 + over, (i) => `x${i}: __typename`)} } }`,
    ],
    [
      'TOO_MANY_DIRECTIVES',
      (over: number) => `query @a { ${many(19 + over, (i) => `f${i} @skip(if: false)`)} }`,
    ],
    ['TOO_MANY_TOKENS', (over: number) => `{ a(b: [${many(1_988 + over, () => '1')}]) { c } }`],
  ])('%s (%#)', (code, write) => {
    expect(codes(write(0))).toEqual([]);
    expect(codes(write(1))).toEqual([code]);
  });

  it('reports every exceeded limit', () => {
    expect(codes(`{ ${many(31, (i) => `a${i}: ${deep(13).slice(2, -1)}`)} }`).sort()).toEqual(
      ['QUERY_TOO_DEEP', 'TOO_MANY_ALIASES', 'TOO_MANY_FIELDS', 'TOO_MANY_FIELDS'].sort(),
    );
  });
});

describe('hostile documents are checked quickly', () => {
  const bombs: [string, string][] = [
    [
      'a fragment bomb',
      `{ ...F0 } ${many(100, (i) => `fragment F${i} on T { ...F${i + 1} ...F${i + 1} }`)} fragment F100 on T { a }`,
    ],
    [
      'fragments in a circle',
      `{ ...A } fragment A on T { a { ...B } } fragment B on T { b { ...A } }`,
    ],
    ['a megabyte of fields', `{ ${'a '.repeat(500_000)} }`],
    ['a megabyte of brackets', `{ a(b: ${'['.repeat(1_000_000)}`],
    ['a megabyte of text', `{ a(b: "${'x'.repeat(1_000_000)}") }`],
    [
      'fields of one name in many fragments',
      many(180, (i) => `fragment F${i} on T { a a a a a a }`),
    ],
  ];
  it.each(bombs)('%s', (_what, source) => {
    const start = process.cpuUsage();
    prepare(source);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(200);
  });
});

describe('cost', () => {
  const cost = (source: string, variables: Record<string, unknown>): number => {
    const [operation] = [...prepare(source).prepared!.operations.values()];
    return operation!.costOf(variables);
  };
  it.each([
    ['{ viewer { plan } }', {}, 2],
    ['{ posts(first: 10) { nodes { id text } totalCount } }', {}, 1 + 1 + 20 + 1],
    ['{ posts(last: 10) { edges { cursor node { id } } } }', {}, 1 + 1 + 30],
    ['{ posts { nodes { id } } }', {}, 2 + 20],
    ['query($n: Int) { posts(first: $n) { nodes { id } } }', { n: 7 }, 2 + 7],
    ['query($n: Int = 5) { posts(first: $n) { nodes { id } } }', {}, 2 + 5],
    ['{ posts(first: 2000000000) { nodes { id } } }', {}, 2 + 100],
    ['{ posts(first: -5) { nodes { id } } }', {}, 2 + 1],
    ['{ accounts { id name } }', {}, 1 + 200],
    ['{ accounts(first: 1000) { id } }', {}, 1 + 1000],
    [
      'query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Post { text } } }',
      { ids: ['a', 'b', 'c'] },
      1 + 6,
    ],
    [
      '{ a: posts(first: 2) { ...C } b: posts(first: 3) { ...C } } fragment C on PostConnection { nodes { id } }',
      {},
      4 + 5,
    ],
    [
      '{ posts(first: 2) { nodes { occurrences(first: 3) { nodes { id } } } } }',
      {},
      2 + 2 * (2 + 3),
    ],
    ['{ posts(first: 10) { nodes { contentHtml } } }', {}, 2 + 10 * 10],
    ['{ accounts(first: 2) { postingSchedule { nextFree } } }', {}, 1 + 2 * (1 + 10)],
    [
      'query($n: Int) { accounts(first: 2) { postingSchedule { nextFree(first: $n) } } }',
      { n: 100 },
      1 + 2 * (1 + 100),
    ],
    ['{ __schema { types { name } } __typename }', {}, 1],
    [
      'mutation($i: CreatePostsInput!) { createPosts(input: $i) { groupId results { index post { id } } } }',
      { i: { targets: [{}, {}, {}] } },
      1 + 1 + 3 * (1 + 1 + 1) + 1,
    ],
    [
      'mutation($t: [PostTargetInput!]!) { createPosts(input: { targets: $t, post: {}, mode: DRAFT }) { posts { id } } }',
      { t: [{}, {}] },
      1 + 1 + 2,
    ],
    [
      'mutation { deletePosts(input: { ids: ["1", "2", "3"] }) { deletedIds results { id } } }',
      {},
      1 + 1 + 1 + 3,
    ],
    [
      'mutation($i: DeletePostsInput = { ids: ["1", "2"] }) { deletePosts(input: $i) { results { id } } }',
      {},
      1 + 1 + 2,
    ],
    ['mutation($i: CreatePostsInput!) { createPosts(input: $i) { posts { id } } }', { i: 1 }, 3],
  ])('%s %j', (source, variables, expected) => {
    expect(cost(source, variables)).toBe(expected);
  });

  it.each([
    // 2 + 69 * (2 + 69)
    ['{ posts(first: 100) { nodes { occurrences(first: 100) { nodes { id } } } } }', {}, 69],
    [
      'query($n: Int) { posts(first: $n) { nodes { occurrences(last: $n) { nodes { id } } } } }',
      { n: 100 },
      69,
    ],
    // 2 + 9 * (2 + 92 * 6)
    [
      '{ posts(first: 9) { nodes { occurrences(first: 100) { nodes { ...T } } } } } fragment T on Post { a: text b: text c: text d: text e: text f: text }',
      {},
      92,
    ],
    // 1 + 999 * 5
    ['{ accounts(first: 1000) { a: id b: id c: id d: id e: id } }', {}, 999],
    [
      'mutation($i: CreatePostsInput!) { createPosts(input: $i) { posts { a: id b: id c: id d: id e: id } } }',
      { i: { targets: Array(1_000).fill({}) } },
      null,
    ],
  ])('an error tells the largest `first` that fits: %s', (source, variables, expected) => {
    const [operation] = [...prepare(source).prepared!.operations.values()];
    const { code, message } = operation!.costErrorOf(variables);
    const [, first] = /set `first` to at most (\d+) in every list\.$/.exec(message) ?? [];
    expect({ code, first }).toEqual({
      code: 'QUERY_TOO_COMPLEX',
      first: expected === null ? undefined : String(expected),
    });
  });
});
