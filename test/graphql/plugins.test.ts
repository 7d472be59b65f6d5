import type { ApolloServerPlugin } from '@apollo/server';
import type { EventStream } from '../../src/services/events/live-events.js';
import { GatewayError } from '../../src/domain/errors.js';
import type { GatewayContext } from '../../src/graphql/context.js';
import { SerializedData } from '../../src/graphql/apollo-server.js';
import { createGraphqlServer } from '../../src/graphql/server.js';
import { waitFor } from '../fixtures/wait-for.js';
import { authenticatedAs, openTestApi } from './test-api.js';
import { forAllTests } from '../fixtures/lifecycle.js';

/** What a plugin of Apollo Server saw of an operation. */
interface SeenOperation {
  /** Type and name; null if none was chosen. */
  operation: string | null;
  errors: string[];
  /** What wrote the result; null until Apollo Server sends the response. */
  end: 'compiled' | 'graphql-js' | 'errors' | null;
  /** The result, as a plugin serializes it. */
  result: unknown;
}

const seen: SeenOperation[] = [];
const invalidRequests: string[] = [];
const plugin: ApolloServerPlugin<GatewayContext> = {
  requestDidStart: async () => {
    const of: SeenOperation = { operation: null, errors: [], end: null, result: null };
    seen.push(of);
    return {
      async didResolveOperation({ operation, operationName }) {
        if (operation) of.operation = `${operation.operation} ${operationName}`;
      },
      async didEncounterErrors({ errors }) {
        of.errors.push(...errors.map(({ message }) => message));
      },
      async willSendResponse({ response: { body } }) {
        const result = body.kind === 'single' ? body.singleResult : {};
        of.result = JSON.parse(JSON.stringify(result));
        if (result.data instanceof SerializedData) of.end = 'compiled';
        else of.end = result.data ? 'graphql-js' : 'errors';
      },
    };
  },
  async invalidRequestWasReceived({ error }) {
    invalidRequests.push(error.message);
  },
};
const api = forAllTests(() => openTestApi({ plugins: [plugin] }));
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));
afterAll(async () => {
  await api.services.liveEvents.close();
  await api.database.drop();
});
beforeEach(() => {
  seen.length = 0;
  invalidRequests.length = 0;
});

const asOwner = () => authenticatedAs(owner);
const get = (parameters: Record<string, string>) =>
  api.send(asOwner(), {
    method: 'GET',
    headers: { 'content-type': 'application/json' },
    search: `?${new URLSearchParams(parameters).toString()}`,
  });
const post = (body: object) => api.send(asOwner(), { body });

const LIST = 'query List { posts(first: 1) { totalCount } }';
const NODE = 'query Node { node(id: "wks_none") { id } }';
const DELETE = 'mutation Delete { deletePosts(input: { ids: ["nope"] }) { deletedIds } }';

it.each([
  ['a compiled query by POST', () => post({ query: LIST }), 'query List', 'compiled'],
  ['a compiled query by GET', () => get({ query: LIST }), 'query List', 'compiled'],
  ['a query by POST that is not compiled', () => post({ query: NODE }), 'query Node', 'graphql-js'],
  ['a query by GET that is not compiled', () => get({ query: NODE }), 'query Node', 'graphql-js'],
  ['a compiled mutation', () => post({ query: DELETE }), 'mutation Delete', 'compiled'],
  [
    'one of several operations',
    () => post({ query: `${LIST} ${DELETE}`, operationName: 'Delete' }),
    'mutation Delete',
    'compiled',
  ],
])('a plugin sees %s', async (_what, send, operation, end) => {
  const { status, data, errors, extensions } = await send();
  expect([status, errors]).toEqual([200, undefined]);
  expect(seen).toEqual([{ operation, errors: [], end, result: { data, extensions } }]);
});

it.each([
  [
    'a field that fails',
    () => post({ query: 'query Absent { post(id: "nope") { id } }' }),
    'query Absent',
    'No post has this ID.',
  ],
  [
    'a mutation that fails',
    () =>
      post({
        query: 'mutation Revert { revertPost(input: { id: "1", toVersion: 0 }) { post { id } } }',
      }),
    'mutation Revert',
    /./,
  ],
  [
    'a value of a variable',
    () =>
      post({
        query: 'query Sized($n: Int) { posts(first: $n) { totalCount } }',
        variables: { n: 'x' },
      }),
    'query Sized',
    /Variable "\$n"/,
  ],
  [
    'an operation that costs too much',
    () =>
      post({
        query:
          'query Dear { posts(first: 100) { nodes { occurrences(first: 100) { nodes { id } } } } }',
      }),
    'query Dear',
    /The operation costs/,
  ],
  ['a mutation by GET', () => get({ query: DELETE }), null, /GET requests only support query/],
  [
    'no such operation',
    () => post({ query: LIST, operationName: 'Other' }),
    null,
    /Unknown operation/,
  ],
  ['a syntax error', () => post({ query: '{ posts(' }), null, /Syntax Error/],
  ['a field that does not exist', () => post({ query: 'query Wrong { colour }' }), null, /colour/],
])('a plugin sees the error of %s', async (_what, send, operation, message) => {
  const { errors } = await send();
  expect(seen).toMatchObject([{ errors: [expect.stringMatching(message)], result: { errors } }]);
  if (operation !== null) expect(seen[0]!.operation).toBe(operation);
  expect(seen[0]!.end).not.toBeNull();
});

it('a plugin sees all errors of a document', async () => {
  const { errors } = await post({ query: '{ colour shape }' });
  expect(errors).toHaveLength(2);
  expect(seen[0]!.errors).toEqual(errors.map(({ message }: { message: string }) => message));
});

it('a plugin sees a request without a document', async () => {
  expect((await post({ operationName: 'List' })).codes).toEqual(['BAD_USER_INPUT']);
  expect(seen).toMatchObject([{ errors: [expect.stringContaining('non-empty')], end: 'errors' }]);
  expect((await post([])).codes).toEqual(['BAD_USER_INPUT']);
  expect(invalidRequests).toEqual(['Operation batching disabled.']);
});

describe('subscriptions', () => {
  const EVENTS = 'subscription Live($after: String) { events(after: $after) { id } }';
  const open = async (variables = {}, by = api.server, method: 'GET' | 'POST' = 'POST') => {
    const headers = { accept: 'text/event-stream' };
    const search = new URLSearchParams({ query: EVENTS, variables: JSON.stringify(variables) });
    const request =
      method === 'POST'
        ? { body: { query: EVENTS, variables }, search: '' }
        : { body: undefined, search: `?${search.toString()}` };
    return (await by.openStream({ ...request, method, headers }, asOwner()))!;
  };

  it.each(['GET', 'POST'] as const)(
    'a plugin sees a stream by %s until it ends',
    async (method) => {
      const stream = await open({}, api.server, method);
      expect(seen).toEqual([
        { operation: 'subscription Live', errors: [], end: null, result: null },
      ]);
      stream.disconnected();
      await waitFor(() => seen[0]!.end !== null);
      expect(seen).toMatchObject([{ errors: [], result: { data: null } }]);
    },
  );

  it('a plugin sees why a stream is refused', async () => {
    const stream = await open({ after: 'x' });
    expect(stream.errorCode).toBe('BAD_USER_INPUT');
    expect(seen).toMatchObject([
      { operation: 'subscription Live', errors: [expect.stringContaining('after')], end: 'errors' },
    ]);
  });

  it('a plugin sees the error that ends a stream', async () => {
    const error = new GatewayError('UNAUTHENTICATED', 'The key was revoked.');
    const events: EventStream = {
      cursor: 'c',
      ended: null,
      end() {},
      waitFor: (drained) => drained,
      next: () => Promise.reject(error),
      [Symbol.asyncIterator]: () => events,
    };
    const server = createGraphqlServer({
      ...api.options,
      services: {
        ...api.services,
        liveEvents: { ...api.services.liveEvents, open: async () => events },
      },
      plugins: [plugin],
    });
    const bodies: string[] = [];
    for await (const { body } of (await open({}, server)).results) bodies.push(body);
    expect(bodies).toEqual([
      '{"errors":[{"message":"The key was revoked.","extensions":{"code":"UNAUTHENTICATED"}}]}',
    ]);
    await waitFor(() => seen[0]!.end !== null);
    expect(seen).toMatchObject([
      { operation: 'subscription Live', errors: ['The key was revoked.'], end: 'errors' },
    ]);
  });
});
