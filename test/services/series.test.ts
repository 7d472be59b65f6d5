import type { Post, PostPatch } from '../../src/domain/posts/post.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { aWorkshop, NOW, refused, updated, type Workshop } from '../fixtures/services.js';

let shop: Workshop;
beforeAll(async () => {
  shop = await aWorkshop();
});
afterAll(() => shop.database.drop());

const START = new Date('2026-12-01T09:00:00Z');
const FOUR_DAYS: PostPatch = { recurring: { repeat: 'daily', endDate: '2026-12-04' } };

/** The children as they are stored, by date. */
async function childrenOf(viewer: Viewer, series: Post): Promise<Post[]> {
  const rows = await shop.sql<{ id: string }>(
    'SELECT doc_id AS id FROM post WHERE parent_id = $1 AND deleted_at IS NULL ORDER BY scheduled_at, id',
    series.databaseId,
  );
  return Promise.all(rows.map(({ id }) => shop.stored(viewer, id)));
}
const datesOf = (posts: readonly Post[]): string[] =>
  posts.map((post) => post.scheduledAt!.toISOString().slice(0, 16));

/** A series of four days, and its children. */
async function aSeries(patch: PostPatch = FOUR_DAYS) {
  const viewer = await shop.aViewer();
  const account = await shop.anAccount({ workspaceId: viewer.workspace.id, network: 'linkedin' });
  const post = await shop.aPost({
    by: viewer,
    account,
    scheduledAt: START,
    text: 'Text',
    labels: [await shop.aLabel({ workspaceId: viewer.workspace.id, name: 'one' })],
    media: [await shop.aMedia({ workspaceId: viewer.workspace.id })],
  });
  const series = updated(await shop.update(viewer, post, patch));
  return { viewer, account, series, children: await childrenOf(viewer, series) };
}

test('a scheduled post with a rule becomes a series with a child for each date', async () => {
  const { viewer, series, children } = await aSeries();
  expect(series).toMatchObject({
    cell: 'recurring',
    version: 2,
    scheduledAt: START,
    recurring: {
      repeat: 'daily',
      repeatRate: 1,
      startDate: '2026-12-01T09:00:00Z',
      endDate: '2026-12-04T22:59:59Z',
    },
  });
  expect(await shop.stored(viewer, series.id)).toEqual({ ...series, user: expect.anything() });
  expect(datesOf(children)).toEqual([
    '2026-12-01T09:00',
    '2026-12-02T09:00',
    '2026-12-03T09:00',
    '2026-12-04T09:00',
  ]);
  for (const child of children) {
    expect(child).toMatchObject({
      cell: 'scheduled',
      version: 1,
      text: 'Text',
      labels: series.labels,
      media: series.media,
      recurring: null,
      parentId: series.databaseId,
      ownFields: [],
    });
  }
  expect(
    await shop.sql(
      'SELECT count(*)::int AS n FROM cap_slot WHERE account_id = $1',
      series.accountId,
    ),
  ).toEqual([{ n: 4 }]);
});

test('a rule and a new date together: the series starts at the new date', async () => {
  const { series, children } = await aSeries({
    ...FOUR_DAYS,
    scheduledAt: new Date('2026-12-03T20:00:00Z'),
  });
  expect(series.scheduledAt).toEqual(new Date('2026-12-03T20:00:00Z'));
  expect(datesOf(children)).toEqual(['2026-12-03T20:00', '2026-12-04T20:00']);
});

test('the wall clock of the workspace’s zone holds over a change of clocks', async () => {
  const { children } = await aSeries({
    recurring: {
      repeat: 'weekly',
      startDate: '2027-03-15T09:00:00Z',
      endDate: '2027-04-05',
      daysOfWeek: [0],
    },
  });
  expect(datesOf(children)).toEqual([
    '2027-03-15T09:00',
    '2027-03-22T09:00',
    '2027-03-29T08:00',
    '2027-04-05T08:00',
  ]);
});

test('an edit reaches the children, but for the fields that one has changed for itself', async () => {
  const { viewer, series, children } = await aSeries();
  const [own, other] = children as [Post, Post];
  expect(updated(await shop.update(viewer, own, { text: 'Own', title: null })).ownFields).toEqual([
    'text',
  ]);
  await shop.update(viewer, series, {
    text: 'All',
    title: 'Title',
    labels: [{ name: 'two' }],
    link: { title: 'L' },
  });
  expect(await shop.stored(viewer, own.id)).toMatchObject({
    text: 'Own',
    title: 'Title',
    version: 3,
    labels: [{ name: 'two' }],
  });
  expect(await shop.stored(viewer, other.id)).toMatchObject({
    text: 'All',
    title: 'Title',
    version: 2,
    link: { title: 'L' },
  });
  await shop.update(viewer, series, { text: 'All', labels: [{ name: 'TWO' }] });
  expect((await shop.stored(viewer, other.id)).version).toBe(2);
});

test('a child’s url is its own, whichever way it was changed', async () => {
  const { viewer, series, children } = await aSeries();
  await shop.update(viewer, children[0]!, { link: { url: 'https://own.example' } });
  await shop.update(viewer, series, { url: 'https://all.example' });
  expect((await childrenOf(viewer, series)).map((child) => child.url)).toEqual([
    'https://own.example',
    ...Array(3).fill('https://all.example'),
  ]);
});

test('a changed rule re-dates children, makes what is missing and removes what is over', async () => {
  const { viewer, series, children } = await aSeries();
  await shop.update(viewer, children[1]!, { scheduledAt: new Date('2026-12-02T20:00:00Z') });
  const longer = updated(
    await shop.update(viewer, series, { recurring: { repeatRate: 2, endDate: '2026-12-09' } }),
  );
  expect(longer).toMatchObject({ version: 3, scheduledAt: START });
  const now = await childrenOf(viewer, series);
  expect(datesOf(now)).toEqual([
    '2026-12-01T09:00',
    '2026-12-02T20:00',
    '2026-12-05T09:00',
    '2026-12-07T09:00',
    '2026-12-09T09:00',
  ]);
  expect(now.slice(0, 4).map((child) => child.id)).toEqual(children.map((child) => child.id));
  expect(now.map((child) => child.version)).toEqual([1, 2, 2, 2, 1]);
  await shop.update(viewer, series, { recurring: { endDate: '2026-12-03' } });
  expect(datesOf(await childrenOf(viewer, series))).toEqual([
    '2026-12-01T09:00',
    '2026-12-02T20:00',
  ]);
  expect(
    await shop.sql(
      'SELECT count(*)::int AS n FROM cap_slot WHERE account_id = $1',
      series.accountId,
    ),
  ).toEqual([{ n: 2 }]);
});

test('a series that starts later than children are made ahead has its next date, and the child of it', async () => {
  const { viewer, series } = await aSeries();
  const start = new Date('2028-06-01T07:00:00Z');
  const moved = updated(
    await shop.update(viewer, series, {
      recurring: { startDate: start.toISOString(), endDate: null },
    }),
  );
  expect(moved.scheduledAt).toEqual(start);
  expect(datesOf(await childrenOf(viewer, series))).toEqual(['2028-06-01T07:00']);
  expect(updated(await shop.update(viewer, series, { recurring: null }))).toMatchObject({
    cell: 'scheduled',
    scheduledAt: start,
  });
});

test('published and queued children stay as they are, and a queued one keeps its date for itself', async () => {
  const { viewer, account, series, children } = await aSeries();
  const published = await shop.aPost({
    by: viewer,
    cell: 'published_posted',
    account,
    parentId: series.databaseId,
    text: 'Published',
  });
  await shop.sql('UPDATE post SET queued_at = now() WHERE id = $1', children[0]!.databaseId);
  await shop.update(viewer, series, { text: 'New', recurring: { endDate: '2026-12-05' } });
  const now = await childrenOf(viewer, series);
  expect(now.map((child) => [child.id, child.text, datesOf([child])[0]])).toEqual([
    [published.id, 'Published', datesOf([published])[0]],
    [children[0]!.id, 'Text', '2026-12-01T09:00'],
    ...children.slice(1).map((child, n) => [child.id, 'New', `2026-12-0${n + 2}T09:00`]),
    [now.at(-1)!.id, 'New', '2026-12-05T09:00'],
  ]);
});

test('a child that is queued between the decision and the save is decided on again', async () => {
  const { viewer, series, children } = await aSeries();
  const { save } = shop.store;
  const spy = jest.spyOn(shop.store, 'save').mockImplementationOnce(async (...args) => {
    await shop.sql('UPDATE post SET queued_at = now() WHERE id = $1', children[0]!.databaseId);
    return save(...args);
  });
  expect(updated(await shop.update(viewer, series, { text: 'New' })).version).toBe(3);
  spy.mockRestore();
  expect((await childrenOf(viewer, series)).map((child) => child.text)).toEqual([
    'Text',
    'New',
    'New',
    'New',
  ]);
});

test('a rule that says the same makes no version; one without a way to repeat is refused', async () => {
  const { viewer, series, children } = await aSeries();
  for (const recurring of [
    {},
    { repeatRate: null },
    { startDate: null },
    { repeat: 'daily', endDate: '2026-12-04' },
  ] as const) {
    expect([recurring, updated(await shop.update(viewer, series, { recurring })).version]).toEqual([
      recurring,
      2,
    ]);
  }
  expect(refused(await shop.update(viewer, series, { recurring: { repeat: null } }))).toEqual([
    'RULE_VIOLATION recurring repeat',
  ]);
  expect(
    refused(await shop.update(viewer, children[0]!, { recurring: { repeat: 'daily' } })),
  ).toEqual(['RULE_VIOLATION recurring']);
  const post = await shop.aPost({ by: viewer, scheduledAt: START });
  expect(
    refused(
      await shop.update(viewer, post, {
        recurring: { repeat: 'daily', endDate: '2026-11-20', startDate: '2026-11-01' },
      }),
    ),
  ).toEqual(['RULE_VIOLATION recurring']);
  await shop.sql('UPDATE post SET queued_at = now() WHERE id = $1', post.databaseId);
  expect(refused(await shop.update(viewer, post, FOUR_DAYS))).toEqual(['RULE_VIOLATION recurring']);
});

test('a series without its rule is a scheduled post of its next date again', async () => {
  const { viewer, series } = await aSeries();
  shop.clock.time = new Date('2026-12-02T12:00:00Z');
  const post = updated(await shop.update(viewer, series, { recurring: null }));
  shop.clock.time = NOW;
  expect(post).toMatchObject({
    cell: 'scheduled',
    recurring: null,
    version: 3,
    scheduledAt: new Date('2026-12-03T09:00:00Z'),
  });
  expect(datesOf(await childrenOf(viewer, series))).toEqual([
    '2026-12-01T09:00',
    '2026-12-02T09:00',
  ]);
  const over = await shop.aPost({
    by: viewer,
    cell: 'recurring',
    recurring: {
      repeat: 'daily',
      startDate: '2026-01-01T00:00:00Z',
      endDate: '2026-02-01T00:00:00Z',
    },
    scheduledAt: null,
  });
  expect(refused(await shop.update(viewer, over, { recurring: null }))).toEqual([
    'RULE_VIOLATION recurring',
  ]);
});

test('in a workspace that requires approval a series’ children wait for it, those alone that change', async () => {
  const { workspaceId, userId } = await (async () => {
    const made = await shop.aWorkspace({ requiresApproval: true });
    return { workspaceId: made.id, userId: made.ownerId };
  })();
  const owner = await shop.aViewer({ workspaceId, userId, role: 'owner' });
  const editor = await shop.aViewer({ workspaceId, postActions: true });
  const post = await shop.aPost({ by: owner, scheduledAt: START, cell: 'scheduled_approved' });
  const series = updated(await shop.update(owner, post, FOUR_DAYS));
  const children = await childrenOf(owner, series);
  expect(children.map((child) => child.cell)).toEqual(Array(4).fill('scheduled_approved'));
  await shop.update(owner, children[0]!, { text: 'Own' });
  await shop.update(editor, series, { labels: [{ name: 'x' }] });
  await shop.update(editor, series, { text: 'New' });
  expect((await childrenOf(owner, series)).map((child) => child.cell)).toEqual([
    'scheduled_approved',
    ...Array(3).fill('scheduled_pending'),
  ]);
  expect(
    await shop.sql('SELECT user_id FROM notification WHERE workspace_id = $1', workspaceId),
  ).toEqual([{ user_id: userId }]);
});

test('a deleted series takes its future children with it; what was published or failed stands alone', async () => {
  const { viewer, account, series, children } = await aSeries();
  const published = await shop.aPost({
    by: viewer,
    cell: 'published_posted',
    account,
    parentId: series.databaseId,
  });
  const failed = await shop.aPost({
    by: viewer,
    cell: 'failed',
    account,
    parentId: series.databaseId,
  });
  await shop.sql('UPDATE post SET queued_at = now() WHERE id = $1', children[0]!.databaseId);
  expect(await shop.remove(viewer, [series.id])).toMatchObject({
    results: [{ deleted: false, code: 'RULE_VIOLATION' }],
  });
  await shop.sql('UPDATE post SET queued_at = NULL WHERE id = $1', children[0]!.databaseId);
  expect(await shop.remove(viewer, [series.id, children[2]!.id])).toMatchObject({
    results: [{ deleted: true }, { deleted: true }],
  });
  expect(await childrenOf(viewer, series)).toEqual([]);
  expect([
    (await shop.stored(viewer, published.id)).parentId,
    (await shop.stored(viewer, failed.id)).parentId,
  ]).toEqual([null, null]);
  expect(
    await shop.sql(
      'SELECT count(*)::int AS n FROM cap_slot WHERE account_id = $1 AND at > $2',
      account.id,
      NOW,
    ),
  ).toEqual([{ n: 0 }]);
});

test('edits of a series and of its children at once: every version is counted and nobody waits for ever', async () => {
  const { viewer, series, children } = await aSeries();
  await Promise.all([
    ...Array.from({ length: 5 }, (_, n) => shop.update(viewer, series, { text: `s${n}` })),
    ...children.flatMap((child) =>
      Array.from({ length: 3 }, (_, n) => shop.update(viewer, child, { tags: [`c${n}`] })),
    ),
  ]);
  for (const post of [series, ...children]) {
    const [{ n } = { n: 0 }] = await shop.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM revision WHERE post_id = $1',
      post.databaseId,
    );
    expect((await shop.stored(viewer, post.id)).version).toBe(n + 1);
  }
  expect(new Set((await childrenOf(viewer, series)).map((child) => child.text))).toEqual(
    new Set([(await shop.stored(viewer, series.id)).text]),
  );
});
