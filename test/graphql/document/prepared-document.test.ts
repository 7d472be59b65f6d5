import * as parser from 'graphql/language/parser.js';
import * as validation from 'graphql/validation/validate.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { authenticatedAs, openTestApi } from '../test-api.js';

let api: Awaited<ReturnType<typeof openTestApi>>;
let owner: KeyedViewer;
let parse: jest.SpyInstance;
let validate: jest.SpyInstance;
beforeAll(async () => {
  api = await openTestApi();
  owner = await api.records.aViewer({ role: 'owner' });
});
beforeEach(() => {
  parse = jest.spyOn(parser, 'parse');
  validate = jest.spyOn(validation, 'validate');
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => api.database.drop());

/** How often graphql-js parses and validates documents while `run` runs. */
async function countWork(run: () => Promise<unknown>) {
  parse.mockClear();
  validate.mockClear();
  await run();
  return { parsed: parse.mock.calls.length, validated: validate.mock.calls.length };
}

describe('each document is parsed and validated once', () => {
  it.each([
    ['that is executed', '{ viewer { user { name } } }', { parsed: 1, validated: 1 }],
    ['that graphql-js executes', '{ node(id: "nope") { id } }', { parsed: 1, validated: 1 }],
    ['with a syntax error', '{ viewer', { parsed: 1, validated: 0 }],
    ['with an unknown field', '{ viever { role } }', { parsed: 1, validated: 1 }],
    ['that exceeds a limit', `{ ${'a '.repeat(301)} }`, { parsed: 1, validated: 0 }],
    [
      'that costs too much',
      '{ posts(first: 100) { nodes { occurrences(first: 100) { nodes { id } } } } }',
      { parsed: 1, validated: 1 },
    ],
  ])('a document %s', async (_what, query, expected) => {
    const first = await api.execute(owner, query);
    expect(parse).toHaveBeenCalledTimes(expected.parsed);
    expect(validate).toHaveBeenCalledTimes(expected.validated);
    let again: unknown;
    expect(await countWork(async () => (again = await api.execute(owner, query)))).toEqual({
      parsed: 0,
      validated: 0,
    });
    expect(again).toEqual(first);
  });

  it('documents of requests at the same time', async () => {
    const documents = ['{ a: __typename }', '{ b: __typename }'];
    const requests = Array.from({ length: 20 }, (_, index) => documents[index % 2]!);
    expect(
      await countWork(() => Promise.all(requests.map((query) => api.execute(owner, query)))),
    ).toEqual({ parsed: 2, validated: 2 });
  });

  it('a document that is too long for the cache, in each request', async () => {
    const query = `{ viewer { role } } # ${'x'.repeat(20_000)}`;
    const send = () => api.execute(owner, query);
    expect(await countWork(send)).toEqual({ parsed: 1, validated: 1 });
    expect(await countWork(send)).toEqual({ parsed: 1, validated: 1 });
  });

  it('the oldest document is evicted from the cache', async () => {
    const first = '{ first: __typename }';
    await api.execute(owner, first);
    for (let index = 0; index < 500; index++) await api.execute(owner, `{ a${index}: __typename }`);
    const { data } = await api.execute(owner, first);
    expect(data).toEqual({ first: 'Query' });
    expect(parse.mock.calls.filter(([source]) => source === first).length).toBe(2);
  });
});

describe('several operations in one document', () => {
  const query =
    'query A($n: Int = 3) { posts(first: $n) { ...P } } query B { posts { ...P totalCount } viewer { role } } fragment P on PostConnection { nodes { id } }';
  it.each([
    ['A', {}, { cost: 5, operation: 'query posts', fields: ['posts'] }],
    ['A', { n: 7 }, { cost: 9, operation: 'query posts', fields: ['posts'] }],
    ['B', {}, { cost: 25, operation: 'query (several)', fields: ['posts', 'viewer'] }],
  ])('%s with %j has its own cost, name and fields', async (operationName, variables, expected) => {
    const { data, extensions, operation } = await api.send(authenticatedAs(owner), {
      body: { query, operationName, variables },
    });
    expect({ cost: extensions.cost.requested, operation, fields: Object.keys(data) }).toEqual(
      expected,
    );
  });
});

it('names operations by type and root field', async () => {
  const nameOf = async (query: string) =>
    (await api.send(authenticatedAs(owner), { body: { query } })).operation;
  expect(await nameOf('query Mine { v: viewer { role } }')).toBe('query viewer');
  expect(await nameOf('{ ... { ...R } } fragment R on Query { viewer { role } }')).toBe(
    'query viewer',
  );
  expect(await nameOf('{ a: __typename b: __typename }')).toBe('query __typename');
  expect(await nameOf('{ __typename viewer { role } }')).toBe('query (several)');
  expect(await nameOf('mutation { deletePosts(input: { ids: [] }) { deletedIds } }')).toBe(
    'mutation deletePosts',
  );
  expect(await nameOf('subscription { events { id } }')).toBe('subscription events');
  expect(await nameOf('{ unknown }')).toBeNull();
});

it.each([
  ['@include', 'query($v: Boolean = false) { posts { totalCount @include(if: $v) } }', 'if'],
  ['an argument', 'query($v: [ID!] = []) { nodes(ids: $v) { id } }', 'ids'],
])('reports a null value of a variable in %s', async (_what, query, argument) => {
  const { codes, errors } = await api.execute(owner, query, { v: null });
  expect(codes).toEqual(['BAD_USER_INPUT']);
  expect(errors[0].message).toMatch(
    new RegExp(`^Argument "${argument}" of non-null type ".*" must not be null.$`),
  );
});
