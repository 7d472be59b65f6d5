import type { Post } from '../../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../../src/domain/posts/post-fields.js';
import type { Viewer } from '../../../../src/domain/access/viewer.js';
import { NOW, refusalsOf, updatedPost, withServices } from '../../../fixtures/services.js';
import { createSeries, FOUR_DAYS, readChildren, START, datesOf } from './four-day-series.js';

const services = withServices();

const childrenOf = (viewer: Viewer, series: Post): Promise<Post[]> =>
  readChildren(services, viewer, series);
const aSeries = (patch?: PostPatch): ReturnType<typeof createSeries> =>
  createSeries(services, patch);

test('the update is decided again if a child is queued between decision and save', async () => {
  const { viewer, series, children } = await aSeries();
  const { save } = services.store;
  const spy = jest.spyOn(services.store, 'save').mockImplementationOnce(async (...args) => {
    await services.sql('UPDATE post SET queued_at = now() WHERE id = $1', children[0]!.databaseId);
    return save(...args);
  });
  expect(updatedPost(await services.update(viewer, series, { text: 'New' })).version).toBe(3);
  spy.mockRestore();
  expect((await childrenOf(viewer, series)).map((child) => child.text)).toEqual([
    'Text',
    'New',
    'New',
    'New',
  ]);
});

test('an equal rule creates no version; a rule without `repeat` is refused', async () => {
  const { viewer, series, children } = await aSeries();
  for (const recurring of [
    {},
    { repeatRate: null },
    { startDate: null },
    { repeat: 'daily', endDate: '2026-12-04' },
  ] as const) {
    expect([
      recurring,
      updatedPost(await services.update(viewer, series, { recurring })).version,
    ]).toEqual([recurring, 2]);
  }
  expect(
    refusalsOf(await services.update(viewer, series, { recurring: { repeat: null } })),
  ).toEqual(['RULE_VIOLATION recurring repeat']);
  expect(
    refusalsOf(await services.update(viewer, children[0]!, { recurring: { repeat: 'daily' } })),
  ).toEqual(['RULE_VIOLATION recurring']);
  const post = await services.aPost({ by: viewer, scheduledAt: START });
  expect(
    refusalsOf(
      await services.update(viewer, post, {
        recurring: { repeat: 'daily', endDate: '2026-11-20', startDate: '2026-11-01' },
      }),
    ),
  ).toEqual(['RULE_VIOLATION recurring']);
  await services.sql('UPDATE post SET queued_at = now() WHERE id = $1', post.databaseId);
  expect(refusalsOf(await services.update(viewer, post, FOUR_DAYS))).toEqual([
    'RULE_VIOLATION recurring',
  ]);
});

test('clearing the rule turns a series into a scheduled post at its next date', async () => {
  const { viewer, series, children } = await aSeries();
  services.clock.time = new Date('2026-12-02T12:00:00Z');
  const post = updatedPost(await services.update(viewer, series, { recurring: null }));
  services.clock.time = NOW;
  expect(post).toMatchObject({
    storedState: 'scheduled',
    recurring: null,
    version: 3,
    scheduledAt: new Date('2026-12-03T09:00:00Z'),
  });
  expect(await childrenOf(viewer, series)).toEqual([]);
  const remaining = children.slice(0, 2).map(({ id }) => services.storedPost(viewer, id));
  expect(datesOf(await Promise.all(remaining))).toEqual(['2026-12-01T09:00', '2026-12-02T09:00']);
  const over = await services.aPost({
    by: viewer,
    storedState: 'recurring',
    recurring: {
      repeat: 'daily',
      startDate: '2026-01-01T00:00:00Z',
      endDate: '2026-02-01T00:00:00Z',
    },
    scheduledAt: null,
  });
  expect(refusalsOf(await services.update(viewer, over, { recurring: null }))).toEqual([
    'RULE_VIOLATION recurring',
  ]);
});

test('in a workspace that requires approval only the changed children of a series become pending', async () => {
  const { workspaceId, userId } = await (async () => {
    const made = await services.aWorkspace({ requiresApproval: true });
    return { workspaceId: made.id, userId: made.ownerId };
  })();
  const owner = await services.aViewer({ workspaceId, userId, role: 'owner' });
  const editor = await services.aViewer({ workspaceId, postActions: true });
  const post = await services.aPost({
    by: owner,
    scheduledAt: START,
    storedState: 'scheduled_approved',
  });
  const series = updatedPost(await services.update(owner, post, FOUR_DAYS));
  const children = await childrenOf(owner, series);
  expect(children.map((child) => child.storedState)).toEqual(Array(4).fill('scheduled_approved'));
  await services.update(owner, children[0]!, { text: 'Own' });
  await services.update(editor, series, { labels: [{ name: 'x' }] });
  await services.update(editor, series, { text: 'New' });
  expect((await childrenOf(owner, series)).map((child) => child.storedState)).toEqual([
    'scheduled_approved',
    ...Array(3).fill('scheduled_pending'),
  ]);
  expect(
    await services.sql('SELECT user_id FROM notification WHERE workspace_id = $1', workspaceId),
  ).toEqual([{ user_id: userId }]);
});

test('deleting a series deletes its future children; published and failed ones are kept', async () => {
  const { viewer, account, series, children } = await aSeries();
  const published = await services.aPost({
    by: viewer,
    storedState: 'published_posted',
    account,
    parentId: series.databaseId,
  });
  const failed = await services.aPost({
    by: viewer,
    storedState: 'failed',
    account,
    parentId: series.databaseId,
  });
  await services.sql('UPDATE post SET queued_at = now() WHERE id = $1', children[0]!.databaseId);
  expect(await services.remove(viewer, [series.id])).toMatchObject({
    results: [{ deleted: false, code: 'RULE_VIOLATION' }],
  });
  await services.sql('UPDATE post SET queued_at = NULL WHERE id = $1', children[0]!.databaseId);
  expect(await services.remove(viewer, [series.id, children[2]!.id])).toMatchObject({
    results: [{ deleted: true }, { deleted: true }],
  });
  expect(await childrenOf(viewer, series)).toEqual([]);
  expect([
    (await services.storedPost(viewer, published.id)).parentId,
    (await services.storedPost(viewer, failed.id)).parentId,
  ]).toEqual([null, null]);
  expect(
    await services.sql(
      'SELECT count(*)::int AS n FROM cap_slot WHERE account_id = $1 AND at > $2',
      account.id,
      NOW,
    ),
  ).toEqual([{ n: 0 }]);
});

test('concurrent edits of a series and its children: every version is counted, without deadlock', async () => {
  const { viewer, series, children } = await aSeries();
  await Promise.all([
    ...Array.from({ length: 5 }, (_, n) => services.update(viewer, series, { text: `s${n}` })),
    ...children.flatMap((child) =>
      Array.from({ length: 3 }, (_, n) => services.update(viewer, child, { tags: [`c${n}`] })),
    ),
  ]);
  for (const post of [series, ...children]) {
    const [{ n } = { n: 0 }] = await services.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM revision WHERE post_id = $1',
      post.databaseId,
    );
    expect((await services.storedPost(viewer, post.id)).version).toBe(n + 1);
  }
  expect(new Set((await childrenOf(viewer, series)).map((child) => child.text))).toEqual(
    new Set([(await services.storedPost(viewer, series.id)).text]),
  );
});
