import { capFor } from '../../../../src/domain/caps/daily-caps.js';
import type { Post } from '../../../../src/domain/posts/post.js';
import type { StoredState } from '../../../../src/domain/posts/states.js';
import { TRANSITIONS } from '../../../../src/domain/posts/transitions.js';
import type { ActionRequest } from '../../../../src/services/posts/actions/action-request.js';
import { dataInconsistencies } from '../../../fixtures/data-inconsistencies.js';
import { eventsOfWorkspace } from '../../../fixtures/event-rows.js';
import type { KeyedViewer, PostOptions } from '../../../fixtures/records.js';
import {
  actedPost,
  actionRefusals,
  actionResults,
  NOW,
  testServices,
  updatedPost,
  type TestServices,
} from '../../../fixtures/services.js';
import { forAllTests } from '../../../fixtures/lifecycle.js';

const viewers: KeyedViewer[] = [];
const aViewer = async (given: Parameters<TestServices['aViewer']>[0] = {}) => {
  const viewer = await services.aViewer(given);
  viewers.push(viewer);
  return viewer;
};
const services = forAllTests(() => testServices());
afterAll(async () => {
  expect(await dataInconsistencies(services.database, viewers)).toEqual([]);
  await services.database.drop();
});
beforeEach(() => {
  services.clock.time = NOW;
});

const DAY_MS = 86_400_000;
const TOMORROW = new Date(NOW.getTime() + DAY_MS);
const later = (days: number): void => {
  services.clock.time = new Date(NOW.getTime() + days * DAY_MS);
};
const restore = (viewer: KeyedViewer, post: Pick<Post, 'id'>, more: Partial<ActionRequest> = {}) =>
  services.act(viewer, [post], { kind: 'restore', allowDuplicate: true }, more);

async function aDeletedPost(by: KeyedViewer, more: Partial<PostOptions> = {}): Promise<Post> {
  const account = await services.anAccount({ workspaceId: by.workspace.id, sandbox: true });
  const { id } = await services.aPost({ by, account, scheduledAt: TOMORROW, ...more });
  const post = await services.storedPost(by, id);
  expect(await services.remove(by, [id])).toMatchObject({ results: [{ deleted: true }] });
  return post;
}
const slotsOf = ({ databaseId }: Post) =>
  services.sql('SELECT at FROM cap_slot WHERE post_id = $1', databaseId);

test('a deleted post comes back with everything, as a new version, with its slots and an event', async () => {
  const viewer = await aViewer();
  const label = await services.aLabel({ workspaceId: viewer.workspace.id });
  const media = await services.aMedia({ workspaceId: viewer.workspace.id });
  const post = await aDeletedPost(viewer, { labels: [label], media: [media], text: 'Back' });
  expect(await slotsOf(post)).toEqual([]);
  const restored = actedPost(await restore(viewer, post));
  const stored = await services.storedPost(viewer, post.id);
  expect([restored, stored]).toEqual(
    Array(2).fill({ ...post, version: 2, updatedAt: services.clock.now() }),
  );
  expect(await slotsOf(post)).toEqual([{ at: TOMORROW }]);
  const events = await eventsOfWorkspace(services.database.pool, viewer.workspace.id);
  expect(events.at(-1)).toMatchObject({
    type: 'post.restored',
    documentId: post.id,
    version: 2,
    before: null,
    after: 'scheduled',
  });
  const history = await services.history.pages(viewer, [post.databaseId], { limit: 5 });
  expect(history.get(post.databaseId)!.entries).toMatchObject([
    { type: 'post.restored', version: 2, changes: [], user: { id: viewer.user.id } },
    { type: 'post.created' },
  ]);
});

const IN_TIME: readonly (readonly [StoredState, StoredState])[] = [
  ['scheduled', 'scheduled'],
  ['scheduled_approved', 'scheduled_approved'],
  ['scheduled_pending', 'scheduled_pending'],
  ['scheduled_declined', 'scheduled_declined'],
  ['scheduled_reauth', 'scheduled'],
  ['draft_dated', 'draft_dated'],
  ['draft_private_dated', 'draft_private_dated'],
  ['failed', 'failed'],
  ['published_posted', 'published_posted'],
  ['published_deleted', 'published_deleted'],
];

test.each(IN_TIME)('before its time, %s comes back as %s', async (storedState, expected) => {
  const viewer = await aViewer();
  const post = await aDeletedPost(viewer, { storedState });
  expect(actedPost(await restore(viewer, post)).storedState).toBe(expected);
});

test.each<readonly [StoredState, StoredState, boolean]>([
  ...TRANSITIONS.filter(({ event, from }) => event === 'restored_late' && from !== 'recurring').map(
    ({ from, to }) => [from, to, false] as const,
  ),
  ['draft_dated', 'draft_dated', true],
  ['failed', 'failed', true],
  ['published_posted', 'published_posted', true],
])('after its time, %s comes back as %s', async (storedState, expected, keepsTime) => {
  const viewer = await aViewer();
  const post = await aDeletedPost(viewer, { storedState });
  later(2);
  const restored = actedPost(await restore(viewer, post));
  expect([restored.storedState, restored.scheduledAt]).toEqual([
    expected,
    keepsTime ? TOMORROW : null,
  ]);
});

test('if the account needs reauthorization now, or the member needs approval, the post waits', async () => {
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval: true });
  const owner = await aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  const editor = await aViewer({ workspaceId });
  const account = await services.anAccount({ workspaceId, sandbox: true });
  const posts = [
    await aDeletedPost(owner, { account }),
    await aDeletedPost(editor, { storedState: 'scheduled_approved' }),
  ];
  await services.sql('UPDATE account SET needs_reauth = true WHERE id = $1', account.id);
  expect(actedPost(await restore(owner, posts[0]!)).storedState).toBe('scheduled_reauth');
  expect(actedPost(await restore(editor, posts[1]!)).storedState).toBe('scheduled_pending');
});

test('a series comes back with the occurrences that were deleted with it and are ahead', async () => {
  const viewer = await aViewer();
  const account = await services.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
  const post = await services.aPost({ by: viewer, account, scheduledAt: TOMORROW });
  updatedPost(
    await services.update(viewer, post, {
      recurring: {
        repeat: 'daily',
        startDate: TOMORROW.toISOString(),
        endDate: new Date(NOW.getTime() + 4 * DAY_MS).toISOString(),
      },
    }),
  );
  const children = await services.store.futureChildren(post.databaseId, NOW);
  expect(children).toHaveLength(4);
  await services.remove(viewer, [children[3]!.id]);
  later(0.1);
  await services.remove(viewer, [post.id]);
  later(1.5);
  const restored = actedPost(await restore(viewer, post));
  expect([restored.storedState, restored.scheduledAt]).toEqual([
    'recurring',
    children[1]!.scheduledAt,
  ]);
  const back = await services.store.futureChildren(post.databaseId, NOW);
  expect(back.map(({ id }) => id)).toEqual([children[1]!.id, children[2]!.id]);
});

test('an occurrence keeps its series, and is independent if the series is gone', async () => {
  const viewer = await aViewer();
  const account = await services.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
  const post = await services.aPost({ by: viewer, account, scheduledAt: TOMORROW });
  const recurring = { repeat: 'daily', startDate: TOMORROW.toISOString() } as const;
  updatedPost(await services.update(viewer, post, { recurring }));
  const [first, second] = await services.store.futureChildren(post.databaseId, NOW);
  await services.remove(viewer, [first!.id]);
  expect(actedPost(await restore(viewer, first!)).parentId).toBe(post.databaseId);
  await services.remove(viewer, [post.id]);
  expect(actedPost(await restore(viewer, second!))).toMatchObject({
    parentId: null,
    storedState: 'scheduled',
  });
});

test.each(['ends', 'is deleted'])(
  'an occurrence that is restored while its series %s is independent',
  async (end) => {
    const viewer = await aViewer();
    const account = await services.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
    const series = await services.aPost({ by: viewer, account, scheduledAt: TOMORROW });
    const recurring = { repeat: 'daily', startDate: TOMORROW.toISOString() } as const;
    updatedPost(await services.update(viewer, series, { recurring }));
    const [occurrence] = await services.store.futureChildren(series.databaseId, NOW);
    await services.remove(viewer, [occurrence!.id]);
    const { save } = services.store;
    const spy = jest.spyOn(services.store, 'save').mockImplementationOnce(async (...args) => {
      if (end === 'ends') updatedPost(await services.update(viewer, series, { recurring: null }));
      else await services.remove(viewer, [series.id]);
      return save(...args);
    });
    expect(actedPost(await restore(viewer, occurrence!)).parentId).toBeNull();
    spy.mockRestore();
    expect((await services.storedPost(viewer, occurrence!.id)).parentId).toBeNull();
  },
);

test('a series whose dates have passed becomes an undated draft', async () => {
  const viewer = await aViewer();
  const post = await aDeletedPost(viewer, {
    storedState: 'recurring',
    recurring: {
      repeat: 'daily',
      startDate: TOMORROW.toISOString(),
      endDate: TOMORROW.toISOString(),
    },
  });
  later(3);
  expect(actedPost(await restore(viewer, post))).toMatchObject({
    storedState: 'draft_undated',
    scheduledAt: null,
  });
});

describe('it is refused', () => {
  test('without free slots of the daily cap', async () => {
    const viewer = await aViewer();
    const account = await services.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
    const post = await aDeletedPost(viewer, { account });
    const { network, type: accountType } = account;
    const { plan } = viewer.workspace;
    const { limit } = capFor({ network, accountType, postType: post.type, plan });
    for (let index = 0; index < limit; index += 1)
      await services.aPost({ by: viewer, account, scheduledAt: TOMORROW });
    expect(actionRefusals(await restore(viewer, post))).toEqual(['DAILY_LIMIT_EXCEEDED']);
    expect((await services.remove(viewer, [post.id])).kind).toBe('done');
  });

  test('for posts that are gone, of others, of other workspaces, and private drafts', async () => {
    const owner = await aViewer();
    const workspaceId = owner.workspace.id;
    const editor = await aViewer({ workspaceId });
    const reader = await aViewer({ workspaceId, role: 'viewer' });
    const stranger = await aViewer();
    const post = await aDeletedPost(owner);
    const draft = await aDeletedPost(owner, { storedState: 'draft_private_dated' });
    const old = await aDeletedPost(owner);
    await services.sql(
      "UPDATE post SET deleted_at = deleted_at - interval '31 days' WHERE id = $1",
      old.databaseId,
    );
    const cases: [KeyedViewer, string][] = [
      [editor, post.id],
      [reader, post.id],
      [stranger, post.id],
      [editor, draft.id],
      [owner, old.id],
    ];
    const codes = await Promise.all(
      cases.map(async ([viewer, id]) => actionRefusals(await restore(viewer, { id }))),
    );
    const unknown = Array<string>(3).fill('POST_NOT_FOUND');
    expect(codes.flat()).toEqual(['FORBIDDEN', 'FORBIDDEN', ...unknown]);
  });
});

test('a post that was not deleted is done already; a dry run writes nothing; a key replays', async () => {
  const viewer = await aViewer();
  const existing = await services.aPost({ by: viewer });
  const post = await aDeletedPost(viewer);
  const before = await services.allRows();
  expect(actedPost(await restore(viewer, existing))).toMatchObject({ version: 1 });
  expect(actedPost(await restore(viewer, post, { dryRun: true }))).toMatchObject({ version: 2 });
  expect(await services.allRows()).toEqual(before);
  const idempotencyKey = 'key';
  const outcomes = [
    await restore(viewer, post, { idempotencyKey }),
    await restore(viewer, post, { idempotencyKey }),
  ];
  expect(outcomes.map(({ replayed }) => replayed)).toEqual([false, true]);
  expect(outcomes.map((outcome) => actionResults(outcome)[0]!.post!.version)).toEqual([2, 2]);
});
