import { createIdempotencyStore } from '../../src/persistence/changes/idempotency-store.js';
import { once } from '../../src/services/posts/idempotency.js';
import { aWorkshop, refused, updated, type Workshop } from '../fixtures/services.js';

let shop: Workshop;
beforeAll(async () => {
  shop = await aWorkshop();
});
afterAll(() => shop.database.drop());

const records = (userId: string) =>
  shop.sql<{ key: string; outcome: unknown }>(
    'SELECT key, outcome FROM idempotency WHERE user_id = $1',
    userId,
  );
const K = { idempotencyKey: 'k' };

test('the same request again has the same outcome, whatever happened since', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({
    by: viewer,
    cell: 'published_posted',
    account: await shop.anAccount({ workspaceId: viewer.workspace.id, network: 'linkedin' }),
  });
  const first = await shop.update(viewer, post, { text: 'One', labels: [{ name: 'x' }] }, K);
  await shop.update(viewer, post, { text: 'Two' });
  const again = await shop.update(
    viewer,
    { id: String(post.databaseId) },
    { labels: [{ name: 'x' }], text: 'One' },
    K,
  );
  expect(again).toEqual({ ...first, replayed: true });
  expect(await shop.stored(viewer, post.id)).toMatchObject({ version: 3, text: 'Two' });
});

test('another input under the same key is refused; another post, member or operation has keys of its own', async () => {
  const viewer = await shop.aViewer();
  const admin = await shop.aViewer({ workspaceId: viewer.workspace.id, role: 'admin' });
  const [post, other] = [await shop.aPost({ by: viewer }), await shop.aPost({ by: viewer })];
  await shop.update(viewer, post, { text: 'One' }, K);
  expect(refused(await shop.update(viewer, post, { text: 'Two' }, K))).toEqual([
    'IDEMPOTENCY_MISMATCH idempotencyKey',
  ]);
  expect(
    refused(await shop.update(viewer, post, { text: 'One' }, { ...K, expectedVersion: 2 })),
  ).toEqual(['IDEMPOTENCY_MISMATCH idempotencyKey']);
  for (const outcome of [
    await shop.update(viewer, other, { text: 'Two' }, K),
    await shop.update(admin, post, { text: 'Two' }, K),
  ])
    expect(outcome).toMatchObject({ kind: 'updated', replayed: false });
  expect(await shop.remove(viewer, [other.id], K)).toMatchObject({ kind: 'done', replayed: false });
  expect(await shop.remove(viewer, [other.id], K)).toMatchObject({
    kind: 'done',
    replayed: true,
    results: [{ id: other.id, deleted: true }],
  });
  expect(refused(await shop.remove(viewer, [post.id], K))).toEqual([
    'IDEMPOTENCY_MISMATCH idempotencyKey',
  ]);
});

test('a member who has become a viewer gets no recorded deletion again', async () => {
  const editor = await shop.aViewer({ role: 'editor' });
  const post = await shop.aPost({ by: editor });
  await shop.remove(editor, [post.id], K);
  const demoted = await shop.remove({ ...editor, role: 'viewer' }, [post.id], K);
  expect(demoted).toMatchObject({
    replayed: false,
    results: [{ id: post.id, deleted: false, code: 'POST_NOT_FOUND' }],
  });
});

test('twenty twins at once have one effect and one outcome', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => shop.update(viewer, post, { text: 'Once' }, K)),
  );
  expect(outcomes.map((outcome) => updated(outcome).version)).toEqual(Array(20).fill(2));
  expect(outcomes.filter((outcome) => !outcome.replayed)).toHaveLength(1);
  expect((await shop.stored(viewer, post.id)).version).toBe(2);
  const removals = await Promise.all(
    Array.from({ length: 20 }, () => shop.remove(viewer, [post.id], K)),
  );
  expect(removals.filter((outcome) => !outcome.replayed)).toHaveLength(1);
  expect(removals.map((outcome) => outcome.kind === 'done' && outcome.results[0]!.deleted)).toEqual(
    Array(20).fill(true),
  );
});

test('refusals of the rules are recorded; conflicts, missing rights and dry runs are not', async () => {
  const viewer = await shop.aViewer();
  const editor = await shop.aViewer({ workspaceId: viewer.workspace.id });
  const post = await shop.aPost({ by: viewer });
  expect(
    refused(await shop.update(viewer, post, { type: 'article' }, { idempotencyKey: 'rule' })),
  ).toEqual(['RULE_VIOLATION type']);
  expect(
    await shop.update(viewer, post, { type: 'article' }, { idempotencyKey: 'rule' }),
  ).toMatchObject({ kind: 'refused', replayed: true, refusals: [{ code: 'RULE_VIOLATION' }] });
  expect(
    refused(
      await shop.update(
        viewer,
        post,
        { text: 'x' },
        { idempotencyKey: 'version', expectedVersion: 7 },
      ),
    ),
  ).toEqual(['CONFLICT expectedVersion']);
  await shop.update(viewer, post, { text: 'x' }, { idempotencyKey: 'dry', dryRun: true });
  expect(
    refused(await shop.update(editor, post, { text: 'x' }, { idempotencyKey: 'rights' })),
  ).toEqual(['FORBIDDEN']);
  expect(await shop.remove(editor, [post.id], { idempotencyKey: 'rights' })).toMatchObject({
    results: [{ code: 'FORBIDDEN' }],
  });
  expect((await records(viewer.user.id)).map((row) => row.key)).toEqual(['rule']);
  expect(await records(editor.user.id)).toEqual([]);
});

test('an id that no database takes comes back as it was sent, the second time too', async () => {
  const viewer = await shop.aViewer();
  const strange = ['\0', '\ud800', '\\u0000'];
  const post = await shop.aPost({ by: viewer });
  for (const [key, ids] of [
    ['none', strange],
    ['some', [post.id, ...strange]],
  ] as const) {
    const first = await shop.remove(viewer, ids, { idempotencyKey: key });
    expect(first.kind === 'done' && first.results.map(({ id }) => id)).toEqual(ids);
    expect(await shop.remove(viewer, ids, { idempotencyKey: key })).toEqual({
      ...first,
      replayed: true,
    });
  }
});

test('rights are looked at before the record', async () => {
  const viewer = await shop.aViewer();
  const editor = await shop.aViewer({ workspaceId: viewer.workspace.id, postActions: true });
  const post = await shop.aPost({ by: viewer });
  await shop.update(editor, post, { text: 'x' }, K);
  expect(
    refused(await shop.update({ ...editor, postActions: false }, post, { text: 'x' }, K)),
  ).toEqual(['FORBIDDEN']);
});

test('after a day a record is forgotten', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const age = (interval: string) =>
    shop.sql(
      `UPDATE idempotency SET claimed_at = now() - interval '${interval}' WHERE user_id = $1`,
      viewer.user.id,
    );
  await shop.update(viewer, post, { text: 'One' }, K);
  await age('23 hours 59 minutes');
  expect(refused(await shop.update(viewer, post, { text: 'Two' }, K))).toEqual([
    'IDEMPOTENCY_MISMATCH idempotencyKey',
  ]);
  await age('24 hours 1 second');
  expect(await shop.update(viewer, post, { text: 'Two' }, K)).toMatchObject({
    kind: 'updated',
    replayed: false,
    post: { version: 3 },
  });
});

test('what a process that died had claimed is taken over after 30 seconds, and its late change is not saved', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const { save } = shop.store;
  let firstSaves: (() => void) | undefined;
  const spy = jest.spyOn(shop.store, 'save').mockImplementationOnce(async (...args) => {
    await new Promise<void>((resolve) => {
      firstSaves = resolve;
    });
    return save(...args);
  });
  const first = shop
    .update(viewer, post, { text: 'Late' }, K)
    .catch((error: { code: string }) => error.code);
  while (!firstSaves) await new Promise((resolve) => setTimeout(resolve, 5));
  await shop.sql(
    "UPDATE idempotency SET claimed_at = now() - interval '31 seconds' WHERE user_id = $1",
    viewer.user.id,
  );
  // Another process: the first one's line does not hold it up.
  const second = await shop.update(viewer, { id: String(post.databaseId) }, { text: 'Late' }, K);
  expect(second).toMatchObject({ kind: 'updated', replayed: false, post: { version: 2 } });
  firstSaves();
  expect(await first).toBe('IDEMPOTENCY_IN_FLIGHT');
  spy.mockRestore();
  expect((await shop.stored(viewer, post.id)).version).toBe(2);
  expect(await shop.update(viewer, post, { text: 'Late' }, K)).toMatchObject({
    replayed: true,
    post: { version: 2 },
  });
});

test('what failed without an answer may be tried again at once', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const spy = jest.spyOn(shop.store, 'save').mockRejectedValueOnce(new Error('gone'));
  await expect(shop.update(viewer, post, { text: 'One' }, K)).rejects.toThrow('gone');
  spy.mockRestore();
  expect(await shop.update(viewer, post, { text: 'One' }, K)).toMatchObject({
    kind: 'updated',
    replayed: false,
  });
});

test('what failed with the database may be tried again as soon as that is back', async () => {
  const { user, workspace } = await shop.aViewer();
  const store = createIdempotencyStore(shop.database.pool);
  const asked = {
    place: {
      userId: user.id,
      workspaceId: workspace.id,
      operation: 'update',
      target: 'x',
      key: 'k',
    },
    input: {},
  } as const;
  const failing = once(store, asked, async () => {
    await shop.sql('ALTER TABLE idempotency RENAME TO elsewhere');
    throw new Error('gone');
  });
  await expect(failing).rejects.toThrow('gone');
  await shop.sql('ALTER TABLE elsewhere RENAME TO idempotency');
  const since = performance.now();
  expect(await once(store, asked, async () => ({ outcome: 'done', memory: 'record' }))).toEqual({
    kind: 'worked',
    outcome: 'done',
  });
  expect(performance.now() - since).toBeLessThan(5_000);
});
