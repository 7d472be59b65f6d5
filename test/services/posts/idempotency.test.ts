import { refusalsOf, updatedPost, withServices } from '../../fixtures/services.js';
const services = withServices();

const records = (userId: string) =>
  services.sql<{ key: string; outcome: unknown }>(
    'SELECT key, outcome FROM idempotency WHERE user_id = $1',
    userId,
  );
const K = { idempotencyKey: 'k' };

test('the same request again has the same outcome, whatever happened since', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({
    by: viewer,
    storedState: 'published_posted',
    account: await services.anAccount({ workspaceId: viewer.workspace.id, network: 'linkedin' }),
  });
  const first = await services.update(viewer, post, { text: 'One', labels: [{ name: 'x' }] }, K);
  await services.update(viewer, post, { text: 'Two' });
  const again = await services.update(
    viewer,
    { id: String(post.databaseId) },
    { labels: [{ name: 'x' }], text: 'One' },
    K,
  );
  expect(again).toEqual({ ...first, replayed: true });
  expect(await services.storedPost(viewer, post.id)).toMatchObject({ version: 3, text: 'Two' });
});

test('another input under the same key is refused; another post, member or operation has keys of its own', async () => {
  const viewer = await services.aViewer();
  const admin = await services.aViewer({ workspaceId: viewer.workspace.id, role: 'admin' });
  const [post, other] = [
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer }),
  ];
  await services.update(viewer, post, { text: 'One' }, K);
  expect(refusalsOf(await services.update(viewer, post, { text: 'Two' }, K))).toEqual([
    'IDEMPOTENCY_MISMATCH idempotencyKey',
  ]);
  expect(
    refusalsOf(await services.update(viewer, post, { text: 'One' }, { ...K, expectedVersion: 2 })),
  ).toEqual(['IDEMPOTENCY_MISMATCH idempotencyKey']);
  for (const outcome of [
    await services.update(viewer, other, { text: 'Two' }, K),
    await services.update(admin, post, { text: 'Two' }, K),
  ])
    expect(outcome).toMatchObject({ kind: 'updated', replayed: false });
  expect(await services.remove(viewer, [other.id], K)).toMatchObject({
    kind: 'done',
    replayed: false,
  });
  expect(await services.remove(viewer, [other.id], K)).toMatchObject({
    kind: 'done',
    replayed: true,
    results: [{ id: other.id, deleted: true }],
  });
  expect(refusalsOf(await services.remove(viewer, [post.id], K))).toEqual([
    'IDEMPOTENCY_MISMATCH idempotencyKey',
  ]);
});

test('a member who became a viewer gets no replay of a recorded deletion', async () => {
  const editor = await services.aViewer({ role: 'editor' });
  const post = await services.aPost({ by: editor });
  await services.remove(editor, [post.id], K);
  const demoted = await services.remove({ ...editor, role: 'viewer' }, [post.id], K);
  expect(demoted).toMatchObject({
    replayed: false,
    results: [{ id: post.id, deleted: false, code: 'POST_NOT_FOUND' }],
  });
});

test('twenty concurrent duplicate requests have one effect and one outcome', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => services.update(viewer, post, { text: 'Once' }, K)),
  );
  expect(outcomes.map((outcome) => updatedPost(outcome).version)).toEqual(Array(20).fill(2));
  expect(outcomes.filter((outcome) => !outcome.replayed)).toHaveLength(1);
  expect((await services.storedPost(viewer, post.id)).version).toBe(2);
  const removals = await Promise.all(
    Array.from({ length: 20 }, () => services.remove(viewer, [post.id], K)),
  );
  expect(removals.filter((outcome) => !outcome.replayed)).toHaveLength(1);
  expect(removals.map((outcome) => outcome.kind === 'done' && outcome.results[0]!.deleted)).toEqual(
    Array(20).fill(true),
  );
});

test('refusals of the rules are recorded; conflicts, missing rights and dry runs are not', async () => {
  const viewer = await services.aViewer();
  const editor = await services.aViewer({ workspaceId: viewer.workspace.id });
  const post = await services.aPost({ by: viewer });
  expect(
    refusalsOf(
      await services.update(viewer, post, { type: 'article' }, { idempotencyKey: 'rule' }),
    ),
  ).toEqual(['RULE_VIOLATION type']);
  expect(
    await services.update(viewer, post, { type: 'article' }, { idempotencyKey: 'rule' }),
  ).toMatchObject({ kind: 'refused', replayed: true, refusals: [{ code: 'RULE_VIOLATION' }] });
  expect(
    refusalsOf(
      await services.update(
        viewer,
        post,
        { text: 'x' },
        { idempotencyKey: 'version', expectedVersion: 7 },
      ),
    ),
  ).toEqual(['CONFLICT expectedVersion']);
  await services.update(viewer, post, { text: 'x' }, { idempotencyKey: 'dry', dryRun: true });
  expect(
    refusalsOf(await services.update(editor, post, { text: 'x' }, { idempotencyKey: 'rights' })),
  ).toEqual(['FORBIDDEN']);
  expect(await services.remove(editor, [post.id], { idempotencyKey: 'rights' })).toMatchObject({
    results: [{ code: 'FORBIDDEN' }],
  });
  expect((await records(viewer.user.id)).map((row) => row.key)).toEqual(['rule']);
  expect(await records(editor.user.id)).toEqual([]);
});

test('a dry run with a used key gets what the real call gets: a mismatch or the recorded outcome', async () => {
  const viewer = await services.aViewer();
  const [post, other] = [
    await services.aPost({ by: viewer }),
    await services.aPost({ by: viewer, text: 'kept' }),
  ];
  const key = { idempotencyKey: 'used' };
  await services.update(viewer, post, { text: 'first' }, key);
  const before = await records(viewer.user.id);
  for (const dryRun of [true, false]) {
    expect(
      refusalsOf(await services.update(viewer, post, { text: 'other' }, { ...key, dryRun })),
    ).toEqual(['IDEMPOTENCY_MISMATCH idempotencyKey']);
    expect(
      await services.update(viewer, post, { text: 'first' }, { ...key, dryRun }),
    ).toMatchObject({ kind: 'updated', replayed: true, post: { text: 'first', version: 2 } });
  }
  expect(await records(viewer.user.id)).toEqual(before);

  await services.remove(viewer, [post.id], key);
  for (const dryRun of [true, false]) {
    expect(await services.remove(viewer, [other.id], { ...key, dryRun })).toMatchObject({
      kind: 'refused',
      refusals: [{ code: 'IDEMPOTENCY_MISMATCH' }],
    });
    expect(await services.remove(viewer, [post.id], { ...key, dryRun })).toMatchObject({
      kind: 'done',
      replayed: true,
      results: [{ deleted: true }],
    });
  }
});

test('an id that the database cannot store is returned as it was sent, in a replay as well', async () => {
  const viewer = await services.aViewer();
  const strange = ['\0', '\ud800', '\\u0000'];
  const post = await services.aPost({ by: viewer });
  for (const [key, ids] of [
    ['none', strange],
    ['some', [post.id, ...strange]],
  ] as const) {
    const first = await services.remove(viewer, ids, { idempotencyKey: key });
    expect(first.kind === 'done' && first.results.map(({ id }) => id)).toEqual(ids);
    expect(await services.remove(viewer, ids, { idempotencyKey: key })).toEqual({
      ...first,
      replayed: true,
    });
  }
});

test('rights are checked before the record is read', async () => {
  const viewer = await services.aViewer();
  const editor = await services.aViewer({ workspaceId: viewer.workspace.id, postActions: true });
  const post = await services.aPost({ by: viewer });
  await services.update(editor, post, { text: 'x' }, K);
  expect(
    refusalsOf(await services.update({ ...editor, postActions: false }, post, { text: 'x' }, K)),
  ).toEqual(['FORBIDDEN']);
});

test('a record expires after a day', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const age = (interval: string) =>
    services.sql(
      `UPDATE idempotency SET started_at = now() - interval '${interval}' WHERE user_id = $1`,
      viewer.user.id,
    );
  await services.update(viewer, post, { text: 'One' }, K);
  await age('23 hours 59 minutes');
  expect(refusalsOf(await services.update(viewer, post, { text: 'Two' }, K))).toEqual([
    'IDEMPOTENCY_MISMATCH idempotencyKey',
  ]);
  await age('24 hours 1 second');
  expect(await services.update(viewer, post, { text: 'Two' }, K)).toMatchObject({
    kind: 'updated',
    replayed: false,
    post: { version: 3 },
  });
});
