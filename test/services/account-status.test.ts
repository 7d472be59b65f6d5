import { POSTS_ALONE } from '../../src/domain/changes/change.js';
import { STATE_FILTERS, type Cell } from '../../src/domain/posts/states.js';
import { TRANSITIONS } from '../../src/domain/posts/transitions.js';
import type { Account, Post } from '../../src/domain/posts/post.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { aNightShift, fails, type NightShift } from '../fixtures/test-worker.js';

let night: NightShift;
beforeAll(async () => {
  night = await aNightShift();
});
afterAll(() => night.database.drop());
beforeEach(() => night.clear());

const LEAVES = [...STATE_FILTERS.scheduled.cells, ...STATE_FILTERS.recycling.cells];
const isReauth = (cell: Cell): boolean => cell.endsWith('_reauth');
const reauthOf = (cell: Cell): Cell =>
  cell.startsWith('scheduled') ? 'scheduled_reauth' : 'recycling_reauth';

async function aPostInEach(
  cells: readonly Cell[],
  requiresApproval = false,
): Promise<{ by: Viewer; account: Account; posts: Post[] }> {
  const { id: workspaceId, ownerId } = await night.aWorkspace({ requiresApproval });
  const by = await night.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  const account = await night.anAccount({ workspaceId });
  const posts: Post[] = [];
  for (const cell of cells) posts.push(await night.aPost({ by, account, cell }));
  return { by, account, posts };
}
const cellsNow = (by: Viewer, posts: readonly Post[]): Promise<Cell[]> =>
  Promise.all(posts.map(async ({ id }) => (await night.stored(by, id)).cell));
const needsReauth = async ({ id }: Account): Promise<boolean> =>
  (await night.database.prisma.account.findUniqueOrThrow({ where: { id } })).needsReauth;

describe('an account whose network takes its credentials no longer', () => {
  it('takes every scheduled and recycling post to its reauth leaf, and nothing else; connected again, each goes back where it was', async () => {
    const others: Cell[] = ['published_posted', 'published_hidden', 'draft_dated', 'failed'];
    const { by, account, posts } = await aPostInEach([...LEAVES, ...others]);
    const bystander = await night.aPost({
      by,
      account: await night.anAccount({ workspaceId: by.workspace.id }),
    });
    const stays = LEAVES.filter(isReauth);

    expect(await night.standings.needsReauth(account.id)).toBe(LEAVES.length - stays.length);
    expect(await needsReauth(account)).toBe(true);
    expect(await cellsNow(by, posts)).toEqual([...LEAVES.map(reauthOf), ...others]);
    expect(await cellsNow(by, [bystander])).toEqual(['scheduled']);
    const moved = await night.stored(by, posts[1]!.id);
    expect([moved.version, moved.updatedAt]).toEqual([2, night.clock.now()]);
    expect(
      await night.sql(
        'SELECT version, user_id, changes FROM revision WHERE post_id = $1',
        moved.databaseId,
      ),
    ).toEqual([
      {
        version: 2,
        user_id: null,
        changes: { cell: { from: 'scheduled_approved', to: 'scheduled_reauth' } },
      },
    ]);
    expect(await night.standings.needsReauth(account.id)).toBe(0);

    expect(await night.standings.restored(account.id)).toBe(LEAVES.length);
    expect(await needsReauth(account)).toBe(false);
    // Where none is remembered it is one that needs no approval here.
    const home = (cell: Cell): Cell =>
      cell === 'scheduled_reauth'
        ? 'scheduled'
        : cell === 'recycling_reauth'
          ? 'recycling_active'
          : cell;
    expect(await cellsNow(by, posts)).toEqual([...LEAVES.map(home), ...others]);
    expect((await night.stored(by, posts[1]!.id)).version).toBe(3);
  });

  it('does not let a post come back approved: neither a pending one, nor one of which nothing is remembered where approval is required', async () => {
    const { by, account, posts } = await aPostInEach(
      ['scheduled_pending', 'recycling_pending', 'scheduled_reauth', 'recycling_reauth'],
      true,
    );
    await night.standings.needsReauth(account.id);
    await night.standings.restored(account.id);
    expect(await cellsNow(by, posts)).toEqual([
      'scheduled_pending',
      'recycling_pending',
      'scheduled_pending',
      'recycling_pending',
    ]);
  });

  it('leaves alone what was moved on meanwhile', async () => {
    const { by, account, posts } = await aPostInEach(['scheduled_approved'], true);
    const editor = await night.aViewer({ workspaceId: by.workspace.id, postActions: true });
    await night.standings.needsReauth(account.id);
    await night.update(editor, posts[0]!, { text: 'New' });
    expect(await cellsNow(by, posts)).toEqual(['scheduled_pending']);
    expect(await night.standings.restored(account.id)).toBe(0);
    expect(await cellsNow(by, posts)).toEqual(['scheduled_pending']);
  });

  it('fires exactly the rows of the table', async () => {
    const rows = (event: string) => TRANSITIONS.filter((row) => row.event === event);
    for (const { from, to } of rows('account_needs_reauth')) expect(to).toBe(reauthOf(from));
    expect(rows('account_needs_reauth').map(({ from }) => from)).toEqual(
      LEAVES.filter((cell) => !isReauth(cell)),
    );
    expect(rows('account_reconnected').map(({ from, to }) => [from, to])).toEqual(
      LEAVES.filter((cell) => !isReauth(cell)).map((cell) => [reauthOf(cell), cell]),
    );
  });

  it('has its posts moved in batches, while they are being edited', async () => {
    const {
      by,
      account,
      posts: [first],
    } = await aPostInEach(['scheduled']);
    const posts = [
      first!,
      ...(await Promise.all(Array.from({ length: 229 }, () => night.aPost({ by, account })))),
    ];
    let asked = 0;
    const goesOn = async () => {
      asked += 1;
      return true;
    };
    const [moved, ...edits] = await Promise.all([
      night.standings.needsReauth(account.id, goesOn),
      ...posts
        .filter((_, n) => n % 10 === 0)
        .map((post) => night.update(by, post, { text: 'Edited' })),
    ]);
    expect([moved, asked]).toEqual([230, 2]);
    expect(edits.every((edit) => edit.kind === 'updated')).toBe(true);
    expect(new Set(await cellsNow(by, posts))).toEqual(new Set(['scheduled_reauth']));
    expect((await night.stored(by, first!.id)).text).toBe('Edited');
    // A worker that loses its lease stops after the batch at hand.
    await night.standings.restored(account.id);
    expect(await night.standings.needsReauth(account.id, async () => false)).toBe(100);
    // Connected again: who has not heard of it yet moves nothing more.
    await night.sql('UPDATE account SET needs_reauth = false WHERE id = $1', account.id);
    const late = {
      ...POSTS_ALONE,
      workspaceId: by.workspace.id,
      userId: null,
      at: night.clock.now(),
      posts: [],
      whileAccount: { accountId: account.id, needsReauth: true },
    };
    expect(await night.store.save(late)).toEqual({ kind: 'conflict' });
  });
});

describe('a network’s answer', () => {
  it('that it takes the credentials no longer moves the account’s posts, and then ends the job', async () => {
    const {
      by,
      account,
      posts: [published, scheduled],
    } = await aPostInEach(['published_posted', 'scheduled_approved']);
    await night.sql("UPDATE post SET remote_id = '109' WHERE id = $1", published!.databaseId);
    const job = await night.change(by, published!, { text: 'Two' });
    night.network.answers(fails('NETWORK_REAUTHORIZATION_NEEDED'));
    expect(await night.doDue()).toEqual(['failed']);
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ id: published!.id, code: 'NETWORK_REAUTHORIZATION_NEEDED' }],
    });
    expect(await needsReauth(account)).toBe(true);
    expect(await cellsNow(by, [published!, scheduled!])).toEqual([
      'published_posted',
      'scheduled_reauth',
    ]);
  });

  it('that it has the post no longer makes it a deleted one, which later jobs know without asking', async () => {
    const { by, post } = await night.aPublishedPost();
    const job = await night.change(by, post, { text: 'Two' });
    night.network.answers(fails('NETWORK_POST_DELETED'));
    expect(await night.doDue()).toEqual(['failed']);
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ code: 'NETWORK_POST_DELETED' }],
    });
    expect(await night.stored(by, post.id)).toMatchObject({
      cell: 'published_deleted',
      version: 3,
      text: 'Two',
      networkSync: { status: 'failed' },
    });
    expect(
      await night.sql(
        'SELECT version, user_id, changes FROM revision WHERE post_id = $1 ORDER BY version',
        post.databaseId,
      ),
    ).toEqual([
      { version: 2, user_id: by.user.id, changes: { text: { from: 'One', to: 'Two' } } },
      {
        version: 3,
        user_id: null,
        changes: { cell: { from: 'published_posted', to: 'published_deleted' } },
      },
    ]);
    await night.sql(
      "UPDATE job SET status = 'working', finished_at = NULL, due_at = now() - interval '1 minute' WHERE id = $1",
      job,
    );
    await night.runs.reconcile();
    expect(await night.doDue()).toEqual(['failed']);
    expect(night.network.edits).toHaveLength(1);
  });
});
