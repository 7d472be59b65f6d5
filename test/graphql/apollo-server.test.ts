import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { buildSchema } from 'graphql';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { assertSkippable, createApolloExecution } from '../../src/graphql/apollo-server.js';
import type { GatewayContext } from '../../src/graphql/context.js';
import { authenticatedAs } from './test-api.js';

const UNMARKED =
  'Compiled execution would skip a plugin of Apollo Server. Let compiled execution do what the plugin does, and mark the plugin with skippedByCompiled, or set the option compiles to false.';

const logged: string[] = [];
const record = (_details: object, message: string): void => void logged.push(message);
const create = (compiles: boolean) =>
  createApolloExecution({
    schema: buildSchema('type Query { name: String }'),
    formatError: (formatted) => formatted,
    log: { error: record, warn: record },
    compiles,
  });

/** Executes `{ name }` for a request without a prepared document. */
const executeName = (execute: ReturnType<typeof create>) =>
  execute(
    {
      method: 'POST',
      contentType: 'application/json',
      body: { query: '{ name }' },
      search: '',
    },
    {
      document: null,
      state: { isWellFormed: false, cost: 1, operation: null, errorCode: null },
      authentication: authenticatedAs({} as Viewer),
    } as unknown as GatewayContext,
  );
const NAME = {
  status: 200,
  body: '{"data":{"name":null},"extensions":{"cost":{"requested":1,"maximum":5000},"rateLimit":{"limit":100,"remaining":93,"resetAt":"2026-11-21T12:00:00.000Z"}}}',
  allow: undefined,
};

it('a plugin that is not marked is refused, with what to do about it', () => {
  const mark = jest.spyOn(WeakSet.prototype, 'add');
  create(true);
  const marked = mark.mock.calls.map(([plugin]) => plugin as ApolloServerPlugin<GatewayContext>);
  mark.mockRestore();
  expect(marked).toHaveLength(7);
  expect(() => assertSkippable(marked)).not.toThrow();
  // The mark belongs to a plugin, not to its kind.
  for (const plugin of [
    {},
    ApolloServerPluginLandingPageDisabled() as ApolloServerPlugin<GatewayContext>,
  ])
    expect(() => assertSkippable([...marked, plugin])).toThrow(new Error(UNMARKED));
});

it.each([true, false])('the server starts with its own plugins, compiles: %s', async (compiles) => {
  expect(await executeName(create(compiles))).toEqual(NAME);
  expect(logged).toEqual([]);
});

it('the server does not start with plugins that are not marked, unless it does not compile', async () => {
  const mark = jest.spyOn(WeakSet.prototype, 'add').mockImplementation(function (
    this: WeakSet<object>,
  ) {
    return this;
  });
  try {
    expect(() => create(true)).toThrow(new Error(UNMARKED));
    expect(await executeName(create(false))).toEqual(NAME);
  } finally {
    mark.mockRestore();
  }
});
