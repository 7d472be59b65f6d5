import type { Post } from '../../../src/domain/posts/post.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { eventsOfWorkspace } from '../../fixtures/event-rows.js';
import { withApi } from '../test-api.js';
import type { Label } from '../../../src/domain/posts/post-content.js';

let [creator, owner, admin]: KeyedViewer[] = [];
let [draft, child, series]: Post[] = [];
let label: Label;
let jobId: string;
/**
 * Every way to find a post (D13): a private draft is visible to its creator only, not even to
 * owners.
 */
const api = withApi();
beforeAll(async () => {
  const {
    records,
    database: { prisma },
  } = api;
  owner = await records.aViewer({ role: 'owner' });
  const workspaceId = owner.workspace.id;
  admin = await records.aViewer({ workspaceId, role: 'admin' });
  creator = await records.aViewer({ workspaceId, role: 'editor', postActions: true });
  label = await records.aLabel({ workspaceId, name: 'hush' });
  series = await records.aPost({
    by: owner,
    storedState: 'recurring',
    recurring: { repeat: 'daily', repeatRate: 1, startDate: '2030-01-01T09:00:00.000Z' },
  });
  const account = await records.anAccount({ workspaceId, network: 'telegram', type: 'channel' });
  draft = await records.aPost({
    by: creator,
    account,
    storedState: 'draft_private_dated',
    type: 'document',
    parentId: series.databaseId,
    text: 'zebrasecret',
    labels: [label],
  });
  child = await records.aPost({ by: owner, parentId: draft.databaseId });
  jobId = records.ids.prefixed('job');
  await prisma.job.create({
    data: {
      id: jobId,
      workspaceId,
      kind: 'network_edit',
      status: 'working',
      postId: BigInt(draft.databaseId),
    },
  });
  const notes = [creator, owner, admin].map(({ user }) => ({
    id: records.ids.prefixed('ntf'),
    userId: user.id,
    workspaceId,
    kind: 'approval_requested' as const,
    message: 'x',
    postId: BigInt(draft!.databaseId),
  }));
  await prisma.notification.createMany({ data: notes });
});
const seen = (selection: string) => `{ seen: ${selection} }`;
const facet = (name: string, inner: string) =>
  seen(`posts(first: 1) { facets { ${name} { count ${inner} } } }`);

it.each<[field: string, query: () => string, forCreator: () => unknown, forOthers: () => unknown]>([
  [
    'lists',
    () => seen('posts { nodes { id } }'),
    () => ({ nodes: expect.arrayContaining([{ id: draft!.id }]) }),
    () => ({ nodes: expect.not.arrayContaining([{ id: draft!.id }]) }),
  ],
  [
    'lists of private drafts',
    () => seen('posts(filter: { states: [DRAFT_PRIVATE] }) { nodes { id } }'),
    () => ({ nodes: [{ id: draft!.id }] }),
    () => ({ nodes: [] }),
  ],
  [
    'lists by member',
    () => seen(`posts(filter: { memberId: "${creator!.user.id}" }) { nodes { id } }`),
    () => ({ nodes: [{ id: draft!.id }] }),
    () => ({ nodes: [] }),
  ],
  [
    'lists by label',
    () => seen(`posts(filter: { labelIds: ["${label.id}"] }) { nodes { id } }`),
    () => ({ nodes: [{ id: draft!.id }] }),
    () => ({ nodes: [] }),
  ],
  [
    'search',
    () => seen('posts(filter: { query: "zebrasecret" }) { nodes { id } totalCount }'),
    () => ({ nodes: [{ id: draft!.id }], totalCount: 1 }),
    () => ({ nodes: [], totalCount: 0 }),
  ],
  [
    'totals',
    () => seen('posts { totalCount }'),
    () => ({ totalCount: 3 }),
    () => ({ totalCount: 2 }),
  ],
  [
    'facets of states',
    () => facet('states', 'state'),
    () => countsWith({ state: 'DRAFT_PRIVATE' }),
    () => countsWithout({ state: 'DRAFT_PRIVATE' }),
  ],
  [
    'facets of networks',
    () => facet('networks', 'network'),
    () => countsWith({ network: 'TELEGRAM' }),
    () => countsWithout({ network: 'TELEGRAM' }),
  ],
  [
    'facets of types',
    () => facet('types', 'type'),
    () => countsWith({ type: 'DOCUMENT' }),
    () => countsWithout({ type: 'DOCUMENT' }),
  ],
  [
    'facets of labels',
    () => facet('labels', 'label { name }'),
    () => countsWith({ label: { name: 'hush' } }),
    () => countsWithout({ label: { name: 'hush' } }),
  ],
  ['node', () => seen(`node(id: "${draft!.id}") { id }`), () => ({ id: draft!.id }), () => null],
  [
    'nodes',
    () => seen(`nodes(ids: ["${draft!.id}"]) { id }`),
    () => [{ id: draft!.id }],
    () => [null],
  ],
  [
    'post',
    () => seen(`post(id: "${draft!.id}") { text }`),
    () => ({ text: 'zebrasecret' }),
    () => null,
  ],
  [
    'post by database ID',
    () => seen(`post(id: "${draft!.databaseId}") { text }`),
    () => ({ text: 'zebrasecret' }),
    () => null,
  ],
  [
    'parents',
    () => seen(`post(id: "${child!.id}") { parent { id } }`),
    () => ({ parent: { id: draft!.id } }),
    () => ({ parent: null }),
  ],
  [
    'occurrences',
    () => seen(`post(id: "${series!.id}") { occurrences { totalCount nodes { id } } }`),
    () => ({ occurrences: { totalCount: 1, nodes: [{ id: draft!.id }] } }),
    () => ({ occurrences: { totalCount: 0, nodes: [] } }),
  ],
  [
    'jobs',
    () => seen(`jobStatus(id: "${jobId}") { id post { id } }`),
    () => ({ id: jobId, post: { id: draft!.id } }),
    () => ({ id: jobId, post: null }),
  ],
  [
    'notifications',
    () => seen('viewer { notifications { nodes { post { id } } } }'),
    () => ({ notifications: { nodes: [{ post: { id: draft!.id } }] } }),
    () => ({ notifications: { nodes: [{ post: null }] } }),
  ],
  [
    'labels',
    () => seen('labels { nodes { name } totalCount }'),
    () => ({ nodes: [{ name: 'hush' }], totalCount: 1 }),
    () => ({ nodes: [], totalCount: 0 }),
  ],
  [
    'node of a label',
    () => seen(`node(id: "${label.id}") { id }`),
    () => ({ id: label.id }),
    () => null,
  ],
  [
    'updates',
    () => change('updatePost', `id: "${draft!.id}", post: { text: "x" }`, 'post { id }'),
    () => ({ post: { id: draft!.id }, userErrors: [] }),
    () => ({ post: null, userErrors: [{ code: 'FORBIDDEN' }] }),
  ],
  [
    'deletions',
    () =>
      change(
        'deletePosts',
        `ids: ["${draft!.id}", "${draft!.databaseId}"]`,
        'deletedIds results { code }',
      ),
    () => ({ deletedIds: [draft!.id], results: [{ code: null }], userErrors: [] }),
    () => ({
      deletedIds: [],
      results: [{ code: 'FORBIDDEN' }, { code: 'POST_NOT_FOUND' }],
      userErrors: [{ code: 'FORBIDDEN' }, { code: 'POST_NOT_FOUND' }],
    }),
  ],
])('%s', async (_field, query, forCreator, forOthers) => {
  const seenBy = async (viewer: KeyedViewer): Promise<unknown> =>
    (await api.execute(viewer, query())).data.seen;
  expect(await seenBy(creator!)).toEqual(forCreator());
  expect(await seenBy(owner!)).toEqual(forOthers());
  expect(await seenBy(admin!)).toEqual(forOthers());
});

test('the owner gets the private drafts of a member who is removed, and can delete them', async () => {
  const { database } = api;
  const removed = await api.records.aViewer({ workspaceId: owner!.workspace.id });
  const by = { by: removed, storedState: 'draft_private_undated' as const };
  const [hidden, deleted] = [await api.records.aPost(by), await api.records.aPost(by)];
  await api.execute(
    removed,
    `mutation { deletePosts(input: { ids: ["${deleted.id}"] }) { deletedIds } }`,
  );
  const listed =
    '{ posts(filter: { states: [DRAFT_PRIVATE] }) { totalCount nodes { id user { id } } } }';
  const before = (await api.execute(owner!, listed)).data.posts;
  const store = createAdminStore(database, NO_GRANTS_VERSIONS);
  expect(await store.removeMember(owner!.workspace.id, removed.user.id)).toBe(1);
  expect((await api.execute(owner!, listed)).data.posts).toEqual({
    totalCount: before.totalCount + 1,
    nodes: expect.arrayContaining([
      ...before.nodes,
      { id: hidden.id, user: { id: owner!.user.id } },
    ]),
  });
  const events = await eventsOfWorkspace(database.pool, owner!.workspace.id);
  expect(events.at(-1)).toMatchObject({ type: 'post.updated', visibleTo: owner!.user.id });
  expect((await api.execute(admin!, `{ post(id: "${hidden.id}") { id } }`)).data.post).toBeNull();
  const { data } = await api.execute(
    owner!,
    `mutation { deletePosts(input: { ids: ["${hidden.id}"] }) { deletedIds } restorePosts(input: { ids: ["${deleted.id}"] }) { results { code } } }`,
  );
  expect(data).toEqual({
    deletePosts: { deletedIds: [hidden.id] },
    restorePosts: { results: [{ code: null }] },
  });
  expect(await store.removeMember(owner!.workspace.id, removed.user.id)).toBeNull();
});

const change = (name: string, input: string, selection: string): string =>
  `mutation { seen: ${name}(input: { dryRun: true, ${input} }) { ${selection} userErrors { code } } }`;
function countsWith(value: object): unknown {
  return { facets: { [plural(value)]: expect.arrayContaining([{ count: 1, ...value }]) } };
}
function countsWithout(value: object): unknown {
  return {
    facets: { [plural(value)]: expect.not.arrayContaining([expect.objectContaining(value)]) },
  };
}
const plural = (value: object): string => `${Object.keys(value)[0]}s`;
