import { POSTS_ALONE } from '../../src/domain/changes/change.js';
import { aWorkshop, type Workshop } from '../fixtures/services.js';
import type { RemoveOutcome } from '../../src/services/posts/post-outcomes.js';

let shop: Workshop;
beforeAll(async () => {
  shop = await aWorkshop();
});
afterAll(() => shop.database.drop());

const codes = (outcome: RemoveOutcome): (string | null)[] =>
  outcome.kind === 'done'
    ? outcome.results.map((one) => (one.deleted ? 'deleted' : one.code))
    : ['refused'];

test('each id has a result, in the order sent; two forms of one post count once, the first as sent', async () => {
  const viewer = await shop.aViewer();
  const stranger = await shop.aViewer();
  const [a, b, c] = [
    await shop.aPost({ by: viewer }),
    await shop.aPost({ by: viewer }),
    await shop.aPost({ by: viewer }),
  ];
  const foreign = await shop.aPost({ by: stranger });
  const outcome = await shop.remove(viewer, [
    a.id,
    String(b.databaseId),
    a.id.toUpperCase(),
    foreign.id,
    String(foreign.databaseId),
    'nonsense',
    b.id,
    c.id,
    String(a.databaseId),
    'nonsense',
  ]);
  expect(
    outcome.kind === 'done' && outcome.results.map(({ id, deleted, code }) => [id, deleted, code]),
  ).toEqual([
    [a.id, true, null],
    [String(b.databaseId), true, null],
    [foreign.id, false, 'FORBIDDEN'],
    [String(foreign.databaseId), false, 'POST_NOT_FOUND'],
    ['nonsense', false, 'POST_NOT_FOUND'],
    [c.id, true, null],
  ]);
  expect(codes(await shop.remove(viewer, [a.id]))).toEqual(['POST_NOT_FOUND']);
  await expect(shop.posts.get(viewer, a.id, new Set())).rejects.toMatchObject({
    code: 'POST_NOT_FOUND',
  });
  expect((await shop.store.byDatabaseId(viewer, [a.databaseId])).size).toBe(0);
  expect(await shop.sql('SELECT deleted_at FROM post WHERE id = $1', a.databaseId)).toEqual([
    { deleted_at: shop.clock.time },
  ]);
});

test('all or nothing deletes nothing where one is refused', async () => {
  const viewer = await shop.aViewer();
  const [a, queued] = [
    await shop.aPost({ by: viewer }),
    await shop.aPost({ by: viewer, queuedAt: new Date() }),
  ];
  const reminder = await shop.aPost({
    by: viewer,
    queuedAt: new Date(),
    reminder: true,
    details: { reminder: true },
  });
  expect(
    codes(await shop.remove(viewer, [a.id, queued.id, reminder.id], { policy: 'all_or_nothing' })),
  ).toEqual(['RULE_VIOLATION', 'RULE_VIOLATION', 'RULE_VIOLATION']);
  expect((await shop.stored(viewer, a.id)).version).toBe(1);
  expect(codes(await shop.remove(viewer, [a.id, queued.id, reminder.id]))).toEqual([
    'deleted',
    'RULE_VIOLATION',
    'deleted',
  ]);
});

test('the creator of a post that waits for approval is told before it goes', async () => {
  const owner = await shop.aViewer({ name: 'Olga' });
  const editor = await shop.aViewer({ workspaceId: owner.workspace.id });
  const pending = await shop.aPost({
    by: editor,
    cell: 'scheduled_pending',
    text: '🎉'.repeat(100),
  });
  const plain = await shop.aPost({ by: editor });
  expect(codes(await shop.remove(owner, [pending.id, plain.id]))).toEqual(['deleted', 'deleted']);
  expect(
    await shop.sql(
      'SELECT user_id, kind, post_id::int, message FROM notification WHERE workspace_id = $1',
      owner.workspace.id,
    ),
  ).toEqual([
    {
      user_id: editor.user.id,
      kind: 'pending_post_deleted',
      post_id: pending.databaseId,
      message: `Olga deleted your post that was awaiting approval: ${'🎉'.repeat(80)}`,
    },
  ]);
});

test('a published post in a workspace that requires approval is out of an editor’s hands, its own too', async () => {
  const workspace = await shop.aWorkspace({ requiresApproval: true });
  const editor = await shop.aViewer({ workspaceId: workspace.id, postActions: true });
  const admin = await shop.aViewer({ workspaceId: workspace.id, role: 'admin' });
  const post = await shop.aPost({ by: editor, cell: 'published_posted' });
  expect(codes(await shop.remove(editor, [post.id]))).toEqual(['FORBIDDEN']);
  expect(codes(await shop.remove(admin, [post.id]))).toEqual(['deleted']);
});

test('many deletions of the same posts, in any order, delete each once', async () => {
  const viewer = await shop.aViewer();
  const posts = await Promise.all(Array.from({ length: 10 }, () => shop.aPost({ by: viewer })));
  const ids = posts.map((post) => post.id);
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, (_, n) => shop.remove(viewer, n % 2 ? ids : ids.toReversed())),
  );
  expect(outcomes.flatMap(codes).filter((code) => code === 'deleted')).toHaveLength(10);
  expect(outcomes.flatMap(codes).filter((code) => code === 'POST_NOT_FOUND')).toHaveLength(50);
});

test('a deletion and an edit at once: the post is gone, and the edit says so or came first', async () => {
  const viewer = await shop.aViewer();
  for (let n = 0; n < 10; n++) {
    const post = await shop.aPost({ by: viewer });
    const [edit, removal] = await Promise.all([
      shop.update(viewer, post, { text: 'New' }),
      shop.remove(viewer, [post.id]),
    ]);
    expect(codes(removal)).toEqual(['deleted']);
    expect(edit.kind === 'updated' || edit.refusals[0]!.code === 'POST_NOT_FOUND').toBe(true);
  }
});

test('where one of several posts is not as it was read, none is deleted', async () => {
  const viewer = await shop.aViewer();
  const [a, b, c] = [
    await shop.aPost({ by: viewer }),
    await shop.aPost({ by: viewer }),
    await shop.aPost({ by: viewer }),
  ];
  const stale = [
    { ...b, version: b.version - 1 },
    { ...b, queuedAt: shop.clock.time },
    { ...b, databaseId: 2_000_000_000 },
  ];
  for (const one of stale) {
    const before = await shop.everything();
    const posts = [a, one, c].map((post) => ({ kind: 'remove' as const, before: post }));
    expect(
      await shop.store.save({
        ...POSTS_ALONE,
        workspaceId: viewer.workspace.id,
        userId: viewer.user.id,
        at: shop.clock.time,
        posts,
      }),
    ).toEqual({ kind: 'conflict' });
    expect(await shop.everything()).toEqual(before);
  }
});
