import type { KeyedViewer } from '../fixtures/records.js';
import { NOW } from '../fixtures/services.js';
import { admitted, openDoor } from './asking.js';

let door: Awaited<ReturnType<typeof openDoor>>;
let owner: KeyedViewer;
let editor: KeyedViewer;
beforeAll(async () => {
  door = await openDoor();
  owner = await door.records.aViewer({ role: 'owner', name: 'Olga' });
  editor = await door.records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'editor',
    name: 'Emil',
  });
});
afterAll(() => door.database.drop());

it('pages through labels by name and media by time', async () => {
  for (const name of ['b', 'A', 'c'])
    await door.records.aLabel({ workspaceId: owner.workspace.id, name });
  for (const title of ['one', 'two'])
    await door.records.aMedia({ workspaceId: owner.workspace.id, title });
  const first = (
    await door.ask(
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
  const { data } = await door.ask(
    owner,
    `{ labels(after: "${first.labels.pageInfo.endCursor}") { nodes { name } } media(before: "${first.media.edges[0].cursor}") { nodes { title } } }`,
  );
  expect(data).toEqual({
    labels: { nodes: [{ name: 'c' }] },
    media: { nodes: [{ title: 'two' }] },
  });
  expect(
    (await door.ask(owner, `{ media(after: "${first.labels.pageInfo.endCursor}") { totalCount } }`))
      .codes,
  ).toEqual(['BAD_USER_INPUT']);
});

it('shows addresses and social ids to owners and admins of that workspace only', async () => {
  const elsewhere = await door.records.aViewer({ role: 'owner' });
  await door.records.aViewer({
    workspaceId: elsewhere.workspace.id,
    userId: owner.user.id,
    role: 'editor',
  });
  await door.records.anAccount({ workspaceId: owner.workspace.id, socialId: 's-1' });
  const query = '{ workspaces { id members { role postActions email } } accounts { socialId } }';
  const seen = (await door.ask(owner, query)).data;
  const emails = (id: string) =>
    seen.workspaces
      .find((one: { id: string }) => one.id === id)
      .members.map(({ email }: { email: string | null }) => email !== null);
  expect([emails(owner.workspace.id), emails(elsewhere.workspace.id)]).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(seen.accounts).toContainEqual({ socialId: 's-1' });
  const { data } = await door.ask(editor, query);
  expect(data.workspaces[0].members.map(({ email }: { email: unknown }) => email)).toEqual([
    null,
    null,
  ]);
  expect(data.accounts.every(({ socialId }: { socialId: unknown }) => socialId === null)).toBe(
    true,
  );
});

it('tells the viewer who they are, without a workspace too', async () => {
  const query =
    '{ viewer { user { name } workspace { id } role postActions plan scopes key { id prefix scopes expiresAt } } rateLimit { limit remaining resetAt } }';
  const inside = (await door.ask(owner, query)).data;
  expect(inside.viewer).toMatchObject({
    user: { name: 'Olga' },
    workspace: { id: owner.workspace.id },
    role: 'OWNER',
    postActions: true,
    plan: 'BUSINESS',
    scopes: ['WORKSPACES', 'ACCOUNTS', 'POSTS', 'MEDIA'],
  });
  expect(inside.rateLimit).toEqual({
    limit: 100,
    remaining: 93,
    resetAt: '2026-11-21T12:00:00.000Z',
  });
  const outside = (await door.send(admitted(owner, { kind: 'stranger' }), { body: { query } }))
    .data;
  expect(outside.viewer).toMatchObject({ workspace: null, role: null, postActions: false });
  expect(
    (
      await door.send(admitted(owner, { kind: 'missing' }), {
        body: { query: '{ viewer { notifications { nodes { id } } } }' },
      })
    ).codes,
  ).toEqual(['MISSING_WORKSPACE']);
});

it('shows what a change in need of approval told those who approve', async () => {
  const boss = await door.records.aViewer({
    workspaceId: (await door.records.aWorkspace({ requiresApproval: true })).id,
    role: 'admin',
  });
  const writer = await door.records.aViewer({ workspaceId: boss.workspace.id, role: 'editor' });
  const post = await door.records.aPost({ by: writer });
  const { data: changed } = await door.ask(
    writer,
    `mutation { updatePost(input: { id: "${post.id}", post: { text: "new" } }) { post { state } userErrors { code } } }`,
  );
  expect(changed.updatePost).toEqual({ post: { state: 'SCHEDULED_PENDING' }, userErrors: [] });
  const { data } = await door.ask(
    boss,
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
  expect((await door.ask(boss, `{ node(id: "${id}") { __typename } }`)).data.node).toEqual({
    __typename: 'Notification',
  });
  expect((await door.ask(writer, `{ node(id: "${id}") { __typename } }`)).data.node).toBeNull();
  const mediaOnly = { ...boss, key: { ...boss.key, scopes: ['media' as const] } };
  const { data: part, codes } = await door.ask(
    mediaOnly,
    '{ viewer { notifications { nodes { id post { id } } } } }',
  );
  expect({ part: part.viewer.notifications.nodes, codes }).toEqual({
    part: [{ id, post: null }],
    codes: ['MISSING_SCOPE'],
  });
});

it('gives the law’s tables', async () => {
  const { data } = await door.ask(
    owner,
    '{ networks { network kind editable { field maxLength types appliesTo } dailyCaps { postKind plan limit accountTypes } adapter { edits verified note } } }',
  );
  expect(data.networks).toHaveLength(13);
  const youtube = data.networks.find(({ network }: { network: string }) => network === 'YOUTUBE');
  expect(youtube).toMatchObject({
    kind: 'VIDEO',
    adapter: { edits: true, verified: false },
    editable: [
      { field: 'title', maxLength: 100, types: [], appliesTo: 'SERVICE_AND_NETWORK' },
      { field: 'text', maxLength: 5000 },
      { field: 'labels', appliesTo: 'SERVICE' },
    ],
  });
  const adapters = Object.fromEntries(
    data.networks.map(({ network, adapter }: any) => [network, adapter]),
  );
  expect(adapters.WORDPRESS).toEqual({
    edits: true,
    verified: true,
    note: expect.stringMatching(/featured picture/),
  });
  const labelsOnly = {
    edits: false,
    verified: false,
    note: 'Nothing can change there after publication: labels change in the service’s own records.',
  };
  const unedited = data.networks
    .filter(({ adapter }: any) => !adapter.edits)
    .map(({ network, adapter }: any) => [network, adapter]);
  expect(Object.fromEntries(unedited)).toEqual(
    Object.fromEntries(
      ['BLUESKY', 'INSTAGRAM', 'PINTEREST', 'THREADS', 'TIKTOK', 'TWITTER'].map((network) => [
        network,
        labelsOnly,
      ]),
    ),
  );
  expect(
    data.networks.filter(({ adapter }: any) => adapter.verified).map(({ network }: any) => network),
  ).toEqual(['WORDPRESS']);
  expect(
    youtube.dailyCaps.map(({ plan, limit }: { plan: string; limit: number }) => [plan, limit]),
  ).toEqual([
    ['FREE', 5],
    ['PROFESSIONAL', 10],
    ['BUSINESS', 15],
  ]);
});

it('tells of each daily cap its limit, what the last 24 hours used and left, and when one more fits', async () => {
  const viewer = await door.records.aViewer({ role: 'owner' });
  const account = await door.records.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'facebook',
    type: 'page',
  });
  const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
  const caps = async (): Promise<unknown> =>
    (
      await door.ask(
        viewer,
        '{ accounts { dailyCaps { postKind limit used remaining nextFreeAt } } }',
      )
    ).data.accounts[0].dailyCaps;
  const stories = { postKind: 'story', limit: 36, used: 0, remaining: 36, nextFreeAt: null };
  for (let n = 0; n < 35; n++)
    await door.records.aPost({
      by: viewer,
      account,
      cell: 'published_posted',
      scheduledAt: ago(60 + n),
    });
  await door.records.aPost({
    by: viewer,
    account,
    cell: 'published_posted',
    scheduledAt: ago(24 * 60),
  });
  expect(await caps()).toEqual([
    { postKind: 'post', limit: 36, used: 35, remaining: 1, nextFreeAt: null },
    stories,
  ]);
  await door.records.aPost({
    by: viewer,
    account,
    cell: 'published_posted',
    scheduledAt: ago(23 * 60),
  });
  expect(await caps()).toEqual([
    { postKind: 'post', limit: 36, used: 36, remaining: 0, nextFreeAt: '2026-11-21T09:00:00.000Z' },
    stories,
  ]);
});

describe('a series', () => {
  it('shows its children a window at a time, strangers’ private drafts never', async () => {
    const rule = {
      repeat: 'daily' as const,
      repeatRate: 1,
      daysOfWeek: [0, 6],
      startDate: '2030-01-01T09:00:00.000Z',
    };
    const series = await Promise.all(
      [1, 2].map(() => door.records.aPost({ by: editor, cell: 'recurring', recurring: rule })),
    );
    for (const { databaseId } of series) {
      for (const day of [1, 2, 3])
        await door.records.aPost({
          by: editor,
          parentId: databaseId,
          scheduledAt: new Date(`2030-01-0${day}T09:00:00Z`),
          text: `day ${day}`,
        });
      await door.records.aPost({
        by: editor,
        cell: 'draft_private_dated',
        parentId: databaseId,
        text: 'hidden',
      });
    }
    const query = `{ nodes(ids: ["${series[0]!.id}", "${series[1]!.id}"]) { ... on Post { recurring { frequency repeatEvery weekdays startDate endDate } occurrences(first: 2) { totalCount nodes { text parent { id } } pageInfo { hasNextPage } } } } }`;
    const { data } = await door.ask(owner, query);
    expect(data.nodes).toEqual(
      series.map(({ id }) => ({
        recurring: {
          frequency: 'daily',
          repeatEvery: 1,
          weekdays: ['monday', 'sunday'],
          startDate: '2030-01-01T09:00:00.000Z',
          endDate: null,
        },
        occurrences: {
          totalCount: 3,
          nodes: [
            { text: 'day 3', parent: { id } },
            { text: 'day 2', parent: { id } },
          ],
          pageInfo: { hasNextPage: true },
        },
      })),
    );
    expect((await door.ask(editor, query)).data.nodes[0].occurrences.totalCount).toBe(4);
    const facets = '{ totalCount facets { exact states { state count } labels { count } } }';
    const { data: apart } = await door.ask(
      owner,
      `{ nodes(ids: ["${series[0]!.id}", "${series[1]!.id}"]) { ... on Post { occurrences ${facets} } } }`,
    );
    expect(apart.nodes).toEqual(
      series.map(() => ({
        occurrences: {
          totalCount: 3,
          facets: { exact: true, states: [{ state: 'SCHEDULED', count: 3 }], labels: [] },
        },
      })),
    );
  });

  it('is no parent that a stranger may see', async () => {
    const hidden = await door.records.aPost({ by: editor, cell: 'draft_private_undated' });
    const child = await door.records.aPost({ by: editor, parentId: hidden.databaseId });
    const query = `{ post(id: "${child.id}") { parent { id } } }`;
    expect([
      (await door.ask(owner, query)).data.post.parent,
      (await door.ask(editor, query)).data.post.parent,
    ]).toEqual([null, { id: hidden.id }]);
  });
});

it('asks the database as often for a hundred posts as for one', async () => {
  const viewer = await door.records.aViewer({ role: 'owner' });
  const account = await door.records.anAccount({ workspaceId: viewer.workspace.id });
  const label = await door.records.aLabel({ workspaceId: viewer.workspace.id });
  const media = await door.records.aMedia({ workspaceId: viewer.workspace.id });
  const parent = await door.records.aPost({
    by: viewer,
    account,
    cell: 'recurring',
    recurring: { repeat: 'daily' },
  });
  for (let index = 0; index < 20; index++)
    await door.records.aPost({
      by: viewer,
      account,
      labels: [label],
      media: [media],
      parentId: parent.databaseId,
    });
  const { pool } = door.database;
  const counted = async (first: number): Promise<number> => {
    let statements = 0;
    const count = (): void => void (statements += 1);
    pool.on('acquire', count);
    const { errors } = await door.ask(
      viewer,
      `{ posts(first: ${first}) { totalCount nodes { text labels { name } media { url } user { name } account { name dailyCaps { used } } parent { text }
      occurrences(first: 1) { nodes { id } } editability { field } deletability { allowed } networkSync { job { id } } content { type } details { type } } } }`,
    );
    pool.off('acquire', count);
    expect(errors).toBeUndefined();
    return statements;
  };
  const one = await counted(1);
  expect(one).toBeLessThanOrEqual(6);
  expect(await counted(20)).toBeLessThanOrEqual(one);
});

it('met no fault on the way', () => expect(door.faults).toEqual([]));
