import { EMPTY_CHANGE } from '../../../src/domain/changes/change.js';
import { OPERATOR, SERVICE, type Viewer } from '../../../src/domain/access/viewer.js';
import { STATE_FILTERS, type StoredState } from '../../../src/domain/posts/states.js';
import { TRANSITIONS } from '../../../src/domain/posts/transitions.js';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import { failedEdit } from '../../fixtures/fake-network.js';
import { withWorker } from '../../fixtures/test-worker.js';

const worker = withWorker();
beforeEach(() => worker.clearJobs());

const SCHEDULED_OR_RECYCLING = [
  ...STATE_FILTERS.scheduled.storedStates,
  ...STATE_FILTERS.recycling.storedStates,
];
const isReauth = (storedState: StoredState): boolean => storedState.endsWith('_reauth');
/** A locked post stays locked, whatever happens to its account. */
const isMoved = (storedState: StoredState): boolean =>
  !isReauth(storedState) && !storedState.endsWith('_locked');
const reauthOf = (storedState: StoredState): StoredState =>
  storedState.startsWith('scheduled') ? 'scheduled_reauth' : 'recycling_reauth';

async function aPostInEach(
  storedStates: readonly StoredState[],
  requiresApproval = false,
): Promise<{ by: Viewer; account: Account; posts: Post[] }> {
  const { id: workspaceId, ownerId } = await worker.aWorkspace({ requiresApproval });
  const by = await worker.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  const account = await worker.anAccount({ workspaceId });
  const posts: Post[] = [];
  for (const storedState of storedStates)
    posts.push(await worker.aPost({ by, account, storedState }));
  return { by, account, posts };
}
const currentStoredStates = (by: Viewer, posts: readonly Post[]): Promise<StoredState[]> =>
  Promise.all(posts.map(async ({ id }) => (await worker.storedPost(by, id)).storedState));
const needsReauth = async ({ id }: Account): Promise<boolean> =>
  (await worker.database.prisma.account.findUniqueOrThrow({ where: { id } })).needsReauth;

describe('an account whose credentials are rejected', () => {
  it('moves only scheduled and recycling posts to their reauth state, and back to their previous state after reconnection', async () => {
    const others: StoredState[] = ['published_posted', 'published_hidden', 'draft_dated', 'failed'];
    const { by, account, posts } = await aPostInEach([...SCHEDULED_OR_RECYCLING, ...others]);
    const bystander = await worker.aPost({
      by,
      account: await worker.anAccount({ workspaceId: by.workspace.id }),
    });
    const moved = SCHEDULED_OR_RECYCLING.filter(isMoved);

    expect(await worker.accountStatus.markNeedsReauth(account.id)).toBe(moved.length);
    expect(await needsReauth(account)).toBe(true);
    expect(await currentStoredStates(by, posts)).toEqual([
      ...SCHEDULED_OR_RECYCLING.map((state) => (isMoved(state) ? reauthOf(state) : state)),
      ...others,
    ]);
    expect(await currentStoredStates(by, [bystander])).toEqual(['scheduled']);
    const second = await worker.storedPost(by, posts[1]!.id);
    expect([second.version, second.updatedAt]).toEqual([2, worker.clock.now()]);
    expect(
      await worker.sql(
        'SELECT version, user_id, changes FROM revision WHERE post_id = $1',
        second.databaseId,
      ),
    ).toEqual([
      {
        version: 2,
        user_id: null,
        changes: { storedState: { from: 'scheduled_approved', to: 'scheduled_reauth' } },
      },
    ]);
    expect(await worker.accountStatus.markNeedsReauth(account.id)).toBe(0);

    expect(await worker.accountStatus.markReconnected(account.id, OPERATOR)).toBe(
      SCHEDULED_OR_RECYCLING.filter((state) => isMoved(state) || isReauth(state)).length,
    );
    expect(await needsReauth(account)).toBe(false);
    // Where none is remembered it is one that needs no approval here.
    const restoredState = (storedState: StoredState): StoredState =>
      storedState === 'scheduled_reauth'
        ? 'scheduled'
        : storedState === 'recycling_reauth'
          ? 'recycling_active'
          : storedState;
    expect(await currentStoredStates(by, posts)).toEqual([
      ...SCHEDULED_OR_RECYCLING.map(restoredState),
      ...others,
    ]);
    expect((await worker.storedPost(by, posts[1]!.id)).version).toBe(3);
  });

  it('never restores a post as approved if it was pending, or if its previous state is unknown and approval is required', async () => {
    const { by, account, posts } = await aPostInEach(
      ['scheduled_pending', 'recycling_pending', 'scheduled_reauth', 'recycling_reauth'],
      true,
    );
    await worker.accountStatus.markNeedsReauth(account.id);
    await worker.accountStatus.markReconnected(account.id, OPERATOR);
    expect(await currentStoredStates(by, posts)).toEqual([
      'scheduled_pending',
      'recycling_pending',
      'scheduled_pending',
      'recycling_pending',
    ]);
  });

  it('does not change posts whose state changed meanwhile', async () => {
    const { by, account, posts } = await aPostInEach(['scheduled_approved'], true);
    const editor = await worker.aViewer({ workspaceId: by.workspace.id, postActions: true });
    await worker.accountStatus.markNeedsReauth(account.id);
    await worker.update(editor, posts[0]!, { text: 'New' });
    expect(await currentStoredStates(by, posts)).toEqual(['scheduled_pending']);
    expect(await worker.accountStatus.markReconnected(account.id, OPERATOR)).toBe(0);
    expect(await currentStoredStates(by, posts)).toEqual(['scheduled_pending']);
  });

  it('applies exactly the transitions of the table', async () => {
    const rows = (event: string) => TRANSITIONS.filter((row) => row.event === event);
    for (const { from, to } of rows('account_needs_reauth')) expect(to).toBe(reauthOf(from));
    expect(rows('account_needs_reauth').map(({ from }) => from)).toEqual(
      SCHEDULED_OR_RECYCLING.filter(isMoved),
    );
    expect(rows('account_reconnected').map(({ from, to }) => [from, to])).toEqual(
      SCHEDULED_OR_RECYCLING.filter((storedState) => !isReauth(storedState)).map((storedState) => [
        reauthOf(storedState),
        storedState,
      ]),
    );
  });

  it('moves posts in batches while they are edited concurrently', async () => {
    const {
      by,
      account,
      posts: [first],
    } = await aPostInEach(['scheduled']);
    const posts = [
      first!,
      ...(await Promise.all(Array.from({ length: 229 }, () => worker.aPost({ by, account })))),
    ];
    let calls = 0;
    const goesOn = async () => {
      calls += 1;
      return true;
    };
    const [moved, ...edits] = await Promise.all([
      worker.accountStatus.markNeedsReauth(account.id, goesOn),
      ...posts
        .filter((_, n) => n % 10 === 0)
        .map((post) => worker.update(by, post, { text: 'Edited' })),
    ]);
    expect([moved, calls]).toEqual([230, 2]);
    expect(edits.every((edit) => edit.kind === 'updated')).toBe(true);
    expect(new Set(await currentStoredStates(by, posts))).toEqual(new Set(['scheduled_reauth']));
    expect((await worker.storedPost(by, first!.id)).text).toBe('Edited');
    // A worker that loses its lease stops after the current batch.
    await worker.accountStatus.markReconnected(account.id, OPERATOR);
    expect(await worker.accountStatus.markNeedsReauth(account.id, async () => false)).toBe(100);
    // Connected again: who has not heard of it yet moves nothing more.
    await worker.sql('UPDATE account SET needs_reauth = false WHERE id = $1', account.id);
    const late = {
      ...EMPTY_CHANGE,
      workspaceId: by.workspace.id,
      actor: SERVICE,
      at: worker.clock.now(),
      posts: [],
      requiredAccountStatus: { accountId: account.id, needsReauth: true },
    };
    expect(await worker.store.save(late)).toEqual({ kind: 'conflict' });
  });
});

describe('a network’s response', () => {
  it('that rejects the credentials moves the account’s posts before the job ends', async () => {
    const {
      by,
      account,
      posts: [published, scheduled],
    } = await aPostInEach(['published_posted', 'scheduled_approved']);
    await worker.sql("UPDATE post SET remote_id = '109' WHERE id = $1", published!.databaseId);
    const job = await worker.change(by, published!, { text: 'Two' });
    worker.network.respondWith(failedEdit('NETWORK_REAUTHORIZATION_NEEDED'));
    expect(await worker.runDueJobs()).toEqual(['failed']);
    expect(await worker.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ id: published!.id, code: 'NETWORK_REAUTHORIZATION_NEEDED' }],
    });
    expect(await needsReauth(account)).toBe(true);
    expect(await currentStoredStates(by, [published!, scheduled!])).toEqual([
      'published_posted',
      'scheduled_reauth',
    ]);
  });

  it('that the post does not exist marks it as deleted, so that later jobs send no request', async () => {
    const { by, post } = await worker.aPublishedPost();
    const job = await worker.change(by, post, { text: 'Two' });
    worker.network.respondWith(failedEdit('NETWORK_POST_DELETED'));
    expect(await worker.runDueJobs()).toEqual(['failed']);
    expect(await worker.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ code: 'NETWORK_POST_DELETED' }],
    });
    expect(await worker.storedPost(by, post.id)).toMatchObject({
      storedState: 'published_deleted',
      version: 3,
      text: 'Two',
      networkSync: { status: 'failed' },
    });
    expect(
      await worker.sql(
        'SELECT version, user_id, changes FROM revision WHERE post_id = $1 ORDER BY version',
        post.databaseId,
      ),
    ).toEqual([
      { version: 2, user_id: by.user.id, changes: { text: { from: 'One', to: 'Two' } } },
      {
        version: 3,
        user_id: null,
        changes: { storedState: { from: 'published_posted', to: 'published_deleted' } },
      },
    ]);
    await worker.sql(
      "UPDATE job SET status = 'working', finished_at = NULL, due_at = now() - interval '1 minute' WHERE id = $1",
      job,
    );
    expect(await worker.runDueJobs()).toEqual(['failed']);
    expect(worker.network.edits).toHaveLength(1);
  });
});
