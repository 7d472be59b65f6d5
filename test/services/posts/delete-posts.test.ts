import { EMPTY_CHANGE } from '../../../src/domain/changes/change.js';
import { toActor } from '../../../src/domain/access/viewer.js';
import { withServices } from '../../fixtures/services.js';
import { waitFor } from '../../fixtures/wait-for.js';
import type { DeleteOutcome } from '../../../src/services/posts/delete-posts.js';

const services = withServices();

const codes = (outcome: DeleteOutcome): (string | null)[] =>
  outcome.kind === 'done'
    ? outcome.results.map((one) => (one.deleted ? 'deleted' : one.code))
    : ['refused'];

test('each id has a result in the order sent; two ids of one post count once, as the first one', async () => {
  const viewer = await services.aViewer();
  const nonMember = await services.aViewer();
  const [a, b, c] = [
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer }),
  ];
  const foreign = await services.aPost({ by: nonMember });
  const outcome = await services.remove(viewer, [
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
  expect(codes(await services.remove(viewer, [a.id]))).toEqual(['POST_NOT_FOUND']);
  await expect(services.posts.get(viewer, a.id, new Set())).rejects.toMatchObject({
    code: 'POST_NOT_FOUND',
  });
  expect((await services.store.byDatabaseId(viewer, [a.databaseId])).size).toBe(0);
  expect(await services.sql('SELECT deleted_at FROM post WHERE id = $1', a.databaseId)).toEqual([
    { deleted_at: services.clock.time },
  ]);
});

test('all_or_nothing deletes nothing if one post is refused', async () => {
  const viewer = await services.aViewer();
  const [a, queued] = [
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer, queuedAt: new Date() }),
  ];
  const reminder = await services.aPost({
    by: viewer,
    queuedAt: new Date(),
    reminder: true,
    details: { reminder: true },
  });
  expect(
    codes(
      await services.remove(viewer, [a.id, queued.id, reminder.id], { policy: 'all_or_nothing' }),
    ),
  ).toEqual(['RULE_VIOLATION', 'RULE_VIOLATION', 'RULE_VIOLATION']);
  expect((await services.storedPost(viewer, a.id)).version).toBe(1);
  expect(codes(await services.remove(viewer, [a.id, queued.id, reminder.id]))).toEqual([
    'deleted',
    'RULE_VIOLATION',
    'deleted',
  ]);
});

test('the creator of a pending post is notified of its deletion', async () => {
  const owner = await services.aViewer({ name: 'Olga' });
  const editor = await services.aViewer({ workspaceId: owner.workspace.id });
  const pending = await services.aPost({
    by: editor,
    storedState: 'scheduled_pending',
    text: '🎉'.repeat(100),
  });
  const plain = await services.aPost({ by: editor });
  expect(codes(await services.remove(owner, [pending.id, plain.id]))).toEqual([
    'deleted',
    'deleted',
  ]);
  expect(
    await services.sql(
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

test('an editor cannot delete published posts in a workspace that requires approval, including their own', async () => {
  const workspace = await services.aWorkspace({ requiresApproval: true });
  const editor = await services.aViewer({ workspaceId: workspace.id, postActions: true });
  const admin = await services.aViewer({ workspaceId: workspace.id, role: 'admin' });
  const post = await services.aPost({ by: editor, storedState: 'published_posted' });
  expect(codes(await services.remove(editor, [post.id]))).toEqual(['FORBIDDEN']);
  expect(codes(await services.remove(admin, [post.id]))).toEqual(['deleted']);
});

test('concurrent deletions of the same posts, in any order, delete each once', async () => {
  const viewer = await services.aViewer();
  const posts = await Promise.all(Array.from({ length: 10 }, () => services.aPost({ by: viewer })));
  const ids = posts.map((post) => post.id);
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, (_, n) => services.remove(viewer, n % 2 ? ids : ids.toReversed())),
  );
  expect(outcomes.flatMap(codes).filter((code) => code === 'deleted')).toHaveLength(10);
  expect(outcomes.flatMap(codes).filter((code) => code === 'POST_NOT_FOUND')).toHaveLength(50);
});

test('a concurrent deletion and edit: the post is deleted, and the edit was saved first or is refused', async () => {
  const viewer = await services.aViewer();
  for (let n = 0; n < 10; n++) {
    const post = await services.aPost({ by: viewer });
    const [edit, removal] = await Promise.all([
      services.update(viewer, post, { text: 'New' }),
      services.remove(viewer, [post.id]),
    ]);
    expect(codes(removal)).toEqual(['deleted']);
    expect(edit.kind === 'updated' || edit.refusals[0]!.code === 'POST_NOT_FOUND').toBe(true);
  }
});

test('if one of several posts changed after it was read, none is deleted', async () => {
  const viewer = await services.aViewer();
  const [a, b, c] = [
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer }),
  ];
  const stale = [
    { ...b, version: b.version - 1 },
    { ...b, queuedAt: services.clock.time },
    { ...b, databaseId: 2_000_000_000 },
  ];
  for (const one of stale) {
    const before = await services.allRows();
    const posts = [a, one, c].map((post) => ({ kind: 'delete' as const, before: post }));
    expect(
      await services.store.save({
        ...EMPTY_CHANGE,
        workspaceId: viewer.workspace.id,
        actor: toActor(viewer),
        at: services.clock.time,
        posts,
      }),
    ).toEqual({ kind: 'conflict' });
    expect(await services.allRows()).toEqual(before);
  }
});

test('concurrent deletions lock their posts in the same order', async () => {
  const viewer = await services.aViewer();
  const [first, second, third] = [
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer }),
  ];
  const blocker = await services.database.pool.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM post WHERE id = $1 FOR UPDATE', [second.databaseId]);
  const ids = [first.id, second.id, third.id];
  const deletions = [services.remove(viewer, ids), services.remove(viewer, ids.toReversed())];
  await waitFor(async () => {
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    return (await blocker.query(waiting)).rowCount === deletions.length;
  });
  const others = [first.databaseId, third.databaseId];
  const free = await blocker.query(
    'SELECT id FROM post WHERE id = ANY($1) FOR UPDATE SKIP LOCKED',
    [others],
  );
  expect(free.rowCount).toBe(1);
  await blocker.query('ROLLBACK');
  blocker.release();
  const results = (await Promise.all(deletions)).flatMap(codes);
  expect(results.filter((result) => result === 'deleted')).toHaveLength(ids.length);
});
