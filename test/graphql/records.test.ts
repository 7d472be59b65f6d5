import { authenticatedAs, withApi } from './test-api.js';
import { forAllTests } from '../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner', name: 'Olga' }));

const editor = forAllTests(() =>
  api.records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'editor',
    name: 'Emil',
  }),
);

it('pages through labels by name and media by time', async () => {
  for (const name of ['b', 'A', 'c'])
    await api.records.aLabel({ workspaceId: owner.workspace.id, name });
  for (const title of ['one', 'two'])
    await api.records.aMedia({ workspaceId: owner.workspace.id, title });
  const first = (
    await api.execute(
      owner,
      '{ labels(first: 2) { nodes { name } totalCount pageInfo { endCursor hasNextPage } } media(last: 1) { nodes { title } totalCount edges { cursor } } }',
    )
  ).data;
  expect(first.labels).toMatchObject({
    nodes: [{ name: 'A' }, { name: 'b' }],
    totalCount: 3,
    pageInfo: { hasNextPage: true },
  });
  expect(first.media).toMatchObject({ nodes: [{ title: 'one' }], totalCount: 2 });
  const { data } = await api.execute(
    owner,
    `{ labels(after: "${first.labels.pageInfo.endCursor}") { nodes { name } } media(before: "${first.media.edges[0].cursor}") { nodes { title } } }`,
  );
  expect(data).toEqual({
    labels: { nodes: [{ name: 'c' }] },
    media: { nodes: [{ title: 'two' }] },
  });
  expect(
    (
      await api.execute(
        owner,
        `{ media(after: "${first.labels.pageInfo.endCursor}") { totalCount } }`,
      )
    ).codes,
  ).toEqual(['BAD_USER_INPUT']);
});

it('shows how the posts of a workspace are published', async () => {
  const by = await api.records.aViewer({ role: 'owner' });
  const query = '{ workspaces { id lateMinutes locked } }';
  const { id } = by.workspace;
  expect((await api.execute(by, query)).data.workspaces).toEqual([
    { id, lateMinutes: 60, locked: false },
  ]);
  await api.database.pool.query(
    'UPDATE workspace SET late_minutes = 5, locked = true WHERE id = $1',
    [id],
  );
  expect((await api.execute(by, query)).data.workspaces).toEqual([
    { id, lateMinutes: 5, locked: true },
  ]);
});

it('shows email addresses and social IDs to owners and admins of that workspace only', async () => {
  const otherWorkspaceOwner = await api.records.aViewer({ role: 'owner' });
  await api.records.aViewer({
    workspaceId: otherWorkspaceOwner.workspace.id,
    userId: owner.user.id,
    role: 'editor',
  });
  await api.records.anAccount({ workspaceId: owner.workspace.id, socialId: 's-1' });
  const query = '{ workspaces { id members { role postActions email } } accounts { socialId } }';
  const seen = (await api.execute(owner, query)).data;
  const emails = (id: string) =>
    seen.workspaces
      .find((one: { id: string }) => one.id === id)
      .members.map(({ email }: { email: string | null }) => email !== null);
  expect([emails(owner.workspace.id), emails(otherWorkspaceOwner.workspace.id)]).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(seen.accounts).toContainEqual({ socialId: 's-1' });
  const { data } = await api.execute(editor, query);
  expect(data.workspaces[0].members.map(({ email }: { email: unknown }) => email)).toEqual([
    null,
    null,
  ]);
  expect(data.accounts.every(({ socialId }: { socialId: unknown }) => socialId === null)).toBe(
    true,
  );
});

it('returns the viewer, also without a workspace', async () => {
  const query =
    '{ viewer { user { name } workspace { id } role postActions plan scopes key { id prefix scopes expiresAt } } rateLimit { limit remaining resetAt } }';
  const withWorkspace = (await api.execute(owner, query)).data;
  expect(withWorkspace.viewer).toMatchObject({
    user: { name: 'Olga' },
    workspace: { id: owner.workspace.id },
    role: 'OWNER',
    postActions: true,
    plan: 'BUSINESS',
    scopes: ['WORKSPACES', 'ACCOUNTS', 'POSTS', 'MEDIA', 'WEBHOOKS', 'CONNECTIONS'],
  });
  expect(withWorkspace.rateLimit).toEqual({
    limit: 100,
    remaining: 93,
    resetAt: '2026-11-21T12:00:00.000Z',
  });
  const withoutWorkspace = (
    await api.send(authenticatedAs(owner, { kind: 'non_member' }), { body: { query } })
  ).data;
  expect(withoutWorkspace.viewer).toMatchObject({
    workspace: null,
    role: null,
    postActions: false,
  });
  expect(
    (
      await api.send(authenticatedAs(owner, { kind: 'missing' }), {
        body: { query: '{ viewer { notifications { nodes { id } } } }' },
      })
    ).codes,
  ).toEqual(['MISSING_WORKSPACE']);
});

it('shows the notification about a change that requires approval to the approvers', async () => {
  const admin = await api.records.aViewer({
    workspaceId: (await api.records.aWorkspace({ requiresApproval: true })).id,
    role: 'admin',
  });
  const writer = await api.records.aViewer({ workspaceId: admin.workspace.id, role: 'editor' });
  const post = await api.records.aPost({ by: writer });
  const { data: changed } = await api.execute(
    writer,
    `mutation { updatePost(input: { id: "${post.id}", post: { text: "new" } }) { post { state } userErrors { code } } }`,
  );
  expect(changed.updatePost).toEqual({ post: { state: 'SCHEDULED_PENDING' }, userErrors: [] });
  const { data } = await api.execute(
    admin,
    '{ viewer { notifications { nodes { id message post { id text } } edges { cursor } pageInfo { hasNextPage } } } }',
  );
  expect(data.viewer.notifications.nodes).toEqual([
    {
      id: expect.stringMatching(/^ntf_/),
      message: expect.any(String),
      post: { id: post.id, text: 'new' },
    },
  ]);
  const [{ id }] = data.viewer.notifications.nodes;
  expect((await api.execute(admin, `{ node(id: "${id}") { __typename } }`)).data.node).toEqual({
    __typename: 'Notification',
  });
  expect((await api.execute(writer, `{ node(id: "${id}") { __typename } }`)).data.node).toBeNull();
  const mediaOnly = { ...admin, key: { ...admin.key, scopes: ['media' as const] } };
  const { data: part, codes } = await api.execute(
    mediaOnly,
    '{ viewer { notifications { nodes { id post { id } } } } }',
  );
  expect({ part: part.viewer.notifications.nodes, codes }).toEqual({
    part: [{ id, post: null }],
    codes: ['MISSING_SCOPE'],
  });
});

it('logs no errors', () => expect(api.loggedErrors).toEqual([]));
