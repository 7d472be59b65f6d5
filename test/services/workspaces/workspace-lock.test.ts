import { OPERATOR, type Viewer } from '../../../src/domain/access/viewer.js';
import { STATE_FILTERS, type StoredState } from '../../../src/domain/posts/states.js';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import { EMPTY_CHANGE } from '../../../src/domain/changes/change.js';
import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import {
  createWorkspaceLockStore,
  lockedPostsStatement,
} from '../../../src/persistence/workspaces/suspension-store.js';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { createWorkspaceLock } from '../../../src/services/workspaces/workspace-lock.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { planOf } from '../../persistence/posts/plans.js';

let by: Viewer;
let account: Account;
const publishing = withPublishing();
beforeEach(() => aWorkspace());

async function aWorkspace(requiresApproval = false): Promise<void> {
  const { id: workspaceId, ownerId } = await publishing.aWorkspace({ requiresApproval });
  by = await publishing.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  account = await publishing.aSandboxAccount(by);
}
const workspaceLock = () =>
  createWorkspaceLock({
    ...publishing,
    workspaces: createWorkspaceLockStore(
      publishing.database,
      createAdminStore(publishing.database, NO_GRANTS_VERSIONS),
    ),
  });
const lock = () => workspaceLock().lock(by.workspace.id);
const unlock = () => workspaceLock().unlock(by.workspace.id);
const statesOf = (posts: readonly Post[]): Promise<StoredState[]> =>
  Promise.all(posts.map(async ({ id }) => (await publishing.storedPost(by, id)).storedState));

async function aPostInEach(storedStates: readonly StoredState[]): Promise<Post[]> {
  const posts: Post[] = [];
  for (const storedState of storedStates)
    posts.push(await publishing.aPost({ by, account, storedState }));
  return posts;
}

const SCHEDULED = STATE_FILTERS.scheduled.storedStates;
const RECYCLING = STATE_FILTERS.recycling.storedStates;
const isKept = (state: StoredState): boolean => !/_(locked|reauth)$/.test(state);

it('locks scheduled and recycling posts, and returns them to their previous states', async () => {
  const others: StoredState[] = ['draft_dated', 'failed', 'published_posted'];
  const states = [...SCHEDULED, ...RECYCLING].filter(isKept);
  const posts = await aPostInEach([...states, ...others]);
  const elsewhere = await publishing.aPost({ by: await publishing.aViewer() });

  expect(await lock()).toBe(states.length);
  expect(await lock()).toBe(0);
  expect(await statesOf(posts)).toEqual([
    ...states.map((state) =>
      state.startsWith('scheduled') ? 'scheduled_locked' : 'recycling_locked',
    ),
    ...others,
  ]);
  expect(
    await publishing.sql('SELECT stored_state FROM post WHERE id = $1', elsewhere.databaseId),
  ).toEqual([{ stored_state: 1 }]);
  const [event] = await publishing.sql(
    'SELECT type, api, changed, state_before, state_after FROM event WHERE post_id = $1 ORDER BY sequence DESC LIMIT 1',
    posts[0]!.databaseId,
  );
  expect(event).toEqual({
    type: 'post.updated',
    api: 'cli',
    changed: ['state'],
    state_before: 1,
    state_after: 6,
  });

  expect(await unlock()).toBe(states.length);
  expect(await unlock()).toBe(0);
  expect(await statesOf(posts)).toEqual([...states, ...others]);
  expect((await publishing.storedPost(by, posts[0]!.id)).version).toBe(3);
});

it('publishes nothing of a locked workspace: not what was handed over, nor what is planned later', async () => {
  const queued = await publishing.aDuePost({ by, account, minutesAgo: 2 });
  await publishing.sweep();
  await lock();
  const later = await publishing.aDuePost({ by, account, minutesAgo: 1 });
  expect(await publishing.sweep()).toBe(0);
  await publishing.runJobs();
  expect(await statesOf([queued, later])).toEqual(['scheduled_locked', 'scheduled']);
  expect(await publishing.deliveriesOf(queued)).toEqual([]);
  expect(await lock()).toBe(1);

  expect(await unlock()).toBe(2);
  expect(await publishing.sweep()).toBe(2);
  await publishing.runJobs();
  expect(await statesOf([queued, later])).toEqual(['published_posted', 'published_posted']);
});

describe('an account that needs reauthorization, in a locked workspace', () => {
  const reject = () => publishing.accountStatus.markNeedsReauth(account.id);
  const reconnect = () => publishing.accountStatus.markReconnected(account.id, OPERATOR);

  it.each([
    ['lock, reject, reconnect, unlock', [lock, reject, reconnect, unlock]],
    ['reject, lock, unlock, reconnect', [reject, lock, unlock, reconnect]],
    ['reject, lock, reconnect, unlock', [reject, lock, reconnect, unlock]],
    ['lock, reject, unlock, reconnect', [lock, reject, unlock, reconnect]],
  ])('%s: the posts return to their first state', async (_order, steps) => {
    const states: StoredState[] = ['scheduled_approved', 'scheduled_pending', 'recycling_paused'];
    const posts = await aPostInEach(states);
    for (const step of steps) await step();
    expect(await statesOf(posts)).toEqual(states);
  });

  it('keeps the posts from being published until both are over', async () => {
    const posts = await aPostInEach(['scheduled']);
    await lock();
    await reject();
    expect(await statesOf(posts)).toEqual(['scheduled_locked']);
    await unlock();
    expect(await statesOf(posts)).toEqual(['scheduled_reauth']);
    await lock();
    await reconnect();
    expect(await statesOf(posts)).toEqual(['scheduled_locked']);
  });
});

it.each([
  [true, ['scheduled_pending', 'recycling_pending']],
  [false, ['scheduled', 'recycling_active']],
])(
  'a locked post without a known state is approved only where none is needed (%s)',
  async (requiresApproval, expected) => {
    await aWorkspace(requiresApproval);
    const posts = await aPostInEach(['scheduled_locked', 'recycling_locked']);
    await unlock();
    expect(await statesOf(posts)).toEqual(expected);
  },
);

it('an occurrence that was created while its series was locked gets the approval of its series', async () => {
  await aWorkspace(true);
  const series = await publishing.aPost({
    by,
    account,
    storedState: 'recurring',
    recurring: { repeat: 'daily' },
  });
  const [approved] = await aPostInEach(['scheduled_locked']);
  await publishing.sql('UPDATE post SET occurrence_state = 2 WHERE id = $1', series.databaseId);
  await publishing.sql(
    'UPDATE post SET parent_id = $1 WHERE id = $2',
    series.databaseId,
    approved!.databaseId,
  );
  await unlock();
  expect(await statesOf([approved!])).toEqual(['scheduled_approved']);
});

it('goes on in batches, and a change that was decided before an unlock is not saved after it', async () => {
  for (let n = 0; n < 130; n++) await publishing.aPost({ by, account });
  expect(await lock()).toBe(130);
  const late = {
    ...EMPTY_CHANGE,
    workspaceId: by.workspace.id,
    actor: OPERATOR,
    at: publishing.clock.now(),
    posts: [],
    requiredLock: false,
  };
  expect(await publishing.store.save(late)).toEqual({ kind: 'conflict' });
  expect(await unlock()).toBe(130);
});

it('finds the posts of a lock by the index on states', async () => {
  await publishing.sql(
    "INSERT INTO post (doc_id, workspace_id, creator_id, stored_state, type) SELECT substr(md5(n::text), 1, 24), $1, $2, 21, 'status' FROM generate_series(1, 5000) n",
    by.workspace.id,
    by.user.id,
  );
  await publishing.sql('ANALYZE post');
  const statement = lockedPostsStatement(
    { id: by.workspace.id, isLocked: false },
    ['scheduled_locked'],
    100,
  );
  const nodes = await planOf(publishing.database.pool, statement);
  const posts = nodes.filter(({ relation }) => relation === 'post');
  expect(posts.map(({ type }) => type)).not.toContain('Seq Scan');
});
