import { openStream } from '../../fixtures/event-stream.js';
import { withGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer } from '../../fixtures/records.js';

const gateway = withGateway();

const EVENTS = `subscription ($types: [EventType!], $accountIds: [ID!], $after: String) {
  events(types: $types, accountIds: $accountIds, after: $after) { id }
}`;

interface Options {
  readonly as?: KeyedViewer;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error, which is the only result before the stream completes. */
const errorOf = async (variables: object, options: Options = {}): Promise<any> => {
  const { as = gateway.owner, query = EVENTS, headers = {} } = options;
  const stream = await openStream({
    url: gateway.url,
    key: as.apiKey,
    workspaceId: as.workspace.id,
    query,
    variables: variables as Record<string, unknown>,
    headers,
  });
  const messages = await stream.rest();
  expect(messages.map(({ event }) => event)).toEqual(['next', 'complete']);
  const [error] = messages[0]!.data.errors;
  return { ...error.extensions, message: error.message };
};

test.each([
  ['an empty list of types', { types: [] }, ['types']],
  ['an empty list of accounts', { accountIds: [] }, ['accountIds']],
  ['a cursor that was modified', { after: 'x' }, ['after']],
  ['an account of nobody', { accountIds: ['acc_unknown'] }, ['accountIds', 0]],
])('%s', async (_what, variables, path) => {
  expect(await errorOf(variables)).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: [{ path }],
  });
});

test('an unknown type', async () => {
  const { code, message } = await errorOf({ types: ['POST_SHOUTED'] });
  expect(code).toBe('BAD_USER_INPUT');
  expect(message).toMatch(/"types\[0\]".*Allowed: POST_CREATED/);
});

test('an account of another workspace', async () => {
  const { workspace } = await gateway.records.aViewer();
  const { id } = await gateway.records.anAccount({ workspaceId: workspace.id });
  expect(await errorOf({ accountIds: [id] })).toMatchObject({
    problems: [{ path: ['accountIds', 0] }],
  });
});

test('a cursor of another workspace', async () => {
  const stranger = await gateway.records.aViewer();
  const { body } = await gateway.graphql('{ changes { nextCursor } }', {}, { as: stranger });
  expect(await errorOf({ after: body.data.changes.nextCursor })).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: [{ path: ['after'] }],
  });
});

test('a modified Last-Event-ID', async () => {
  expect(await errorOf({}, { headers: { 'Last-Event-ID': 'x' } })).toMatchObject({
    problems: [{ path: ['Last-Event-ID'] }],
  });
});

test('an invalid document, and one that costs too much', async () => {
  expect(await errorOf({}, { query: 'subscription { events { colour } }' })).toMatchObject({
    code: 'BAD_USER_INPUT',
  });
  const aliases = Array.from(
    { length: 20 },
    (_each, n) => `h${n}: history(first: 100) { nodes { user { id name } } }`,
  );
  const query = `subscription { events { post { ${aliases.join(' ')} } } }`;
  expect(await errorOf({}, { query })).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
});

test('a key without the scope', async () => {
  const { workspace } = gateway.owner;
  const viewer = await gateway.records.aViewer({ workspaceId: workspace.id, scopes: ['media'] });
  expect(await errorOf({}, { as: viewer })).toMatchObject({ code: 'MISSING_SCOPE' });
});
