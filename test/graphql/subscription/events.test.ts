import { openStream, type OpenStream } from '../../fixtures/event-stream.js';
import { withGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { settled } from '../../fixtures/settled.js';

const gateway = withGateway();

const open: OpenStream[] = [];
afterEach(() => open.splice(0).forEach((stream) => stream.close()));

const EVENTS = `subscription ($types: [EventType!], $accountIds: [ID!], $after: String) {
  events(types: $types, accountIds: $accountIds, after: $after) {
    id type version postId accountId fields stateBefore stateAfter api cursor
    user { name } post { id text } job { id }
  }
}`;

interface Options {
  readonly as?: KeyedViewer;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
}

async function subscribe(
  variables: Readonly<Record<string, unknown>> = {},
  { as = gateway.owner, query = EVENTS, ...options }: Options = {},
): Promise<OpenStream> {
  await settled(gateway.db.pool); // no event of before is sent
  const stream = await openStream({
    url: gateway.url,
    key: as.apiKey,
    workspaceId: as.workspace.id,
    query,
    variables,
    ...options,
  });
  open.push(stream);
  return stream;
}

const nextEvent = async (stream: OpenStream): Promise<any> => {
  const { data, errors } = await stream.nextResult();
  expect(errors).toBeUndefined();
  return data.events;
};

const update = async (id: string, post: object, as = gateway.owner): Promise<void> => {
  const { body } = await gateway.graphql(
    'mutation ($input: UpdatePostInput!) { updatePost(input: $input) { userErrors { message } } }',
    { input: { id, post } },
    { as },
  );
  expect(body.data.updatePost.userErrors).toEqual([]);
};

const toDraft = async (id: string, visibility: 'PUBLIC' | 'PRIVATE'): Promise<void> => {
  const { body } = await gateway.graphql(
    'mutation ($input: SchedulePostsInput!) { schedulePosts(input: $input) { userErrors { message } } }',
    { input: { ids: [id], mode: 'DRAFT', visibility } },
  );
  expect(body.data.schedulePosts.userErrors).toEqual([]);
};

const aColleague = (name = 'Carl'): Promise<KeyedViewer> =>
  gateway.records.aViewer({ workspaceId: gateway.owner.workspace.id, role: 'admin', name });
const aDraft = () =>
  gateway.records.aPost({ by: gateway.owner, storedState: 'draft_undated', text: 'Hello' });

test('an event is sent as it happens, with its post', async () => {
  const post = await aDraft();
  const stream = await subscribe();
  expect([stream.status, stream.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  await update(post.id, { text: 'Hello, world' });
  expect(await nextEvent(stream)).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-f]{24}$/),
    type: 'POST_UPDATED',
    version: 2,
    postId: post.id,
    accountId: null,
    fields: ['text'],
    stateBefore: 'DRAFT_UNDATED',
    stateAfter: 'DRAFT_UNDATED',
    api: 'GRAPHQL',
    cursor: expect.any(String),
    user: { name: 'Olga' },
    post: { id: post.id, text: 'Hello, world' },
    job: null,
  });
});

test('the cursor continues after an event, in `after`, in Last-Event-ID and in `changes`', async () => {
  const post = await aDraft();
  const stream = await subscribe();
  await update(post.id, { text: 'One' });
  const first = await nextEvent(stream);
  stream.close();
  await update(post.id, { text: 'Two' });
  await update(post.id, { text: 'Three' });

  const byArgument = await subscribe({ after: first.cursor });
  const byHeader = await subscribe(
    { after: 'replaced by the header' },
    { headers: { 'Last-Event-ID': first.cursor } },
  );
  for (const continued of [byArgument, byHeader])
    expect([(await nextEvent(continued)).version, (await nextEvent(continued)).version]).toEqual([
      3, 4,
    ]);
  const { body } = await gateway.graphql(
    'query ($after: String) { changes(after: $after) { nodes { postId version } } }',
    { after: first.cursor },
  );
  expect(body.data.changes.nodes).toEqual([{ postId: post.id, version: 4 }]);
});

test('`next` has the cursor as its ID', async () => {
  const post = await aDraft();
  const stream = await subscribe();
  expect(await stream.next()).toMatchObject({ id: expect.any(String), event: undefined });
  await update(post.id, { text: 'One' });
  const message = await stream.next();
  expect(message).toMatchObject({ event: 'next', id: message!.data.data.events.cursor });
});

test('only the wanted types and accounts are sent', async () => {
  const { workspace } = gateway.owner;
  const [account, other] = [
    await gateway.records.anAccount({ workspaceId: workspace.id }),
    await gateway.records.anAccount({ workspaceId: workspace.id }),
  ];
  const stream = await subscribe({ types: ['POST_UPDATED'], accountIds: [account.id] });
  const posts = [
    await gateway.records.aPost({ by: gateway.owner, account: other }),
    await gateway.records.aPost({ by: gateway.owner, account }),
  ];
  for (const { id } of posts) await update(id, { text: 'New' });
  expect(await nextEvent(stream)).toMatchObject({ type: 'POST_UPDATED', postId: posts[1]!.id });
});

test('a subscription can be sent by GET', async () => {
  const post = await aDraft();
  const stream = await subscribe({}, { method: 'GET' });
  await update(post.id, { text: 'One' });
  expect(await nextEvent(stream)).toMatchObject({ postId: post.id });
});

test('a query whose client accepts only event streams is one result', async () => {
  const stream = await subscribe({}, { query: '{ viewer { plan } }' });
  expect(await stream.rest()).toMatchObject(
    [
      { event: undefined },
      { event: 'next', data: { data: { viewer: { plan: 'BUSINESS' } } } },
      { event: 'complete', data: undefined },
    ].slice(1),
  );
});

test('a subscription by plain JSON is refused', async () => {
  const { status, body } = await gateway.graphql('subscription { events { __typename } }');
  expect([status, body.errors]).toMatchObject([
    200,
    [
      {
        message:
          'The result of a subscription is an event stream. Send the header Accept: text/event-stream.',
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ],
  ]);
});

test('an unknown key gets no stream', async () => {
  const stream = await subscribe({}, { as: { ...gateway.owner, apiKey: 'x' } });
  expect([stream.status, (await stream.json()).errors[0].extensions.code]).toEqual([
    401,
    'UNAUTHENTICATED',
  ]);
});

test('private drafts of others are not sent; hidden posts are deleted ones, shown posts are new', async () => {
  const colleague = await aColleague();
  const stream = await subscribe({}, { as: colleague });
  const own = await subscribe();
  const draft = await gateway.records.aPost({
    by: gateway.owner,
    storedState: 'draft_private_undated',
    text: 'Secret',
  });
  await update(draft.id, { text: 'Still secret' });
  await toDraft(draft.id, 'PUBLIC');
  await update(draft.id, { text: 'Seen by all' });
  expect([await nextEvent(stream), await nextEvent(stream)]).toMatchObject([
    { postId: draft.id, stateBefore: null, stateAfter: 'DRAFT_PUBLIC' },
    { type: 'POST_UPDATED', stateBefore: 'DRAFT_PUBLIC', post: { text: 'Seen by all' } },
  ]);
  await toDraft(draft.id, 'PRIVATE');
  await update(draft.id, { text: 'Secret again' });
  await update((await aDraft()).id, { text: 'Other' });
  expect([await nextEvent(stream), await nextEvent(stream)]).toMatchObject([
    { type: 'POST_DELETED', postId: draft.id, stateAfter: null, fields: [], post: null },
    { type: 'POST_CREATED' },
  ]);
  const versions = [];
  for (let version = 0; version < 6;) {
    const event = await nextEvent(own);
    if (event.postId !== draft.id) continue;
    version = event.version;
    versions.push(version);
  }
  expect(versions).toEqual([1, 2, 3, 4, 5, 6]);
});
