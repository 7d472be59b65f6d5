import type { JobOutcome } from '../../../src/domain/jobs/job.js';
import { sandboxNumbers } from '../../../src/domain/networks/sandbox.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { createOldestNumbers } from '../../../src/persistence/numbers/oldest-numbers.js';
import { forEachTest } from '../../fixtures/lifecycle.js';
import { withPublishing } from '../../fixtures/publishing.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const HOUR_S = 3_600;
async function aPublishedPost(more: object = {}): Promise<Post> {
  const post = await publishing.aDuePost({ by, account, ...more });
  await publishing.sweep();
  await publishing.runJobs();
  return publishing.storedPost(by, post.id);
}
/** Sets the clock of the sandbox network this many hours ahead. */
const setClock = (hours: number) =>
  publishing.sandboxStore.setClock(by.workspace.id, hours * HOUR_S, new Date());
/** Runs the jobs of the accounts whose numbers are due, and only these. */
async function readDue(): Promise<JobOutcome[]> {
  await publishing.numbers.enqueue(100);
  const outcomes = await publishing.runJobs();
  return outcomes;
}
const analyticsOf = async ({ id }: Post) => (await publishing.storedPost(by, id)).analytics;
const historyOf = async ({ databaseId }: Post) =>
  (await publishing.analytics.history([databaseId], 10)).get(databaseId) ?? [];
/** Hours from now until the numbers of the post are read, by the clock of the sandbox. */
async function nextInHours({ databaseId }: Post): Promise<number | undefined> {
  const [row] = await publishing.sql<{ hours: number }>(
    'SELECT round(extract(epoch FROM due_at - now()) / 3600)::int AS hours FROM post_analytics_schedule WHERE post_id = $1',
    databaseId,
  );
  return row?.hours;
}

test('numbers of a published post are read when they are due, and kept over time', async () => {
  const post = await aPublishedPost();
  expect(await readDue()).toEqual([]);
  expect([await analyticsOf(post), await nextInHours(post)]).toEqual([null, 1]);

  await setClock(2);
  expect(await readDue()).toEqual([{ kind: 'completed', failures: [] }]);
  const first = (await analyticsOf(post))!;
  const expected = sandboxNumbers(post.id, 2 * HOUR_S * 1_000);
  expect(first.reach! - expected.reach!).toBeLessThan(5); // some seconds have passed
  expect(first.reach).toBeGreaterThanOrEqual(expected.reach!);
  expect(first.updatedAt.getTime() - Date.now()).toBeGreaterThan(1.9 * HOUR_S * 1_000);
  expect(await nextInHours(post)).toBe(4);
  expect(await readDue()).toEqual([]);

  await setClock(24 * 40);
  await readDue();
  const second = (await analyticsOf(post))!;
  expect(second.reach).toBeGreaterThan(first.reach!);
  expect(second.engagement).toBe(second.likes! + second.comments! + second.shares! + second.saves!);
  expect(await nextInHours(post)).toBe(24 * 20);
  expect(await historyOf(post)).toEqual([second, first]);
  expect((await publishing.analytics.history([post.databaseId], 1)).get(post.databaseId)).toEqual([
    second,
  ]);

  await setClock(24 * 361);
  await readDue();
  expect([(await historyOf(post)).length, await nextInHours(post)]).toEqual([3, undefined]);
  expect((await publishing.storedPost(by, post.id)).version).toBe(post.version);
});

test('what is not on its network any more is not read again', async () => {
  const [kept, deletedThere, taken, deletedHere] = [
    await aPublishedPost(),
    await aPublishedPost(),
    await aPublishedPost(),
    await aPublishedPost(),
  ];
  await publishing.sandboxStore.delete(deletedThere.id, new Date());
  await publishing.sql('UPDATE post SET remote_id = NULL WHERE doc_id = $1', taken.id);
  await publishing.sql('UPDATE post SET deleted_at = now() WHERE doc_id = $1', deletedHere.id);
  await setClock(2);
  await readDue();
  const rows = [kept, deletedThere, taken, deletedHere].map(async (post) => [
    (await historyOf(post)).length,
    await nextInHours(post),
  ]);
  // A post that is deleted here can be restored.
  expect(await Promise.all(rows)).toEqual([
    [1, 4],
    [0, undefined],
    [0, undefined],
    [0, 4],
  ]);
});

test('posts that cannot be asked for are not read, and a last call may have none to ask for', async () => {
  const taken = await aPublishedPost();
  await publishing.sql('UPDATE post SET remote_id = NULL WHERE doc_id = $1', taken.id);
  await setClock(2);
  expect(await readDue()).toEqual([{ kind: 'completed', failures: [] }]);
  expect([await historyOf(taken), await nextInHours(taken)]).toEqual([[], undefined]);

  const { maxPosts } = publishing.sandbox.numbers!;
  const posts: Post[] = [];
  for (let n = 0; n < maxPosts; n += 1)
    posts.push(
      await publishing.aPost({ by, account, storedState: 'published_posted', remoteId: String(n) }),
    );
  await publishing.sql(
    "INSERT INTO post_analytics_schedule SELECT unnest($1::bigint[]), $2, now() - interval '2 hours', now()",
    posts.map(({ databaseId }) => databaseId),
    account.id,
  );
  expect(await readDue()).toEqual([{ kind: 'postponed', inMs: 0 }]);
  expect(await publishing.runJobs()).toEqual([{ kind: 'completed', failures: [] }]);
  expect((await historyOf(posts[0]!)).length).toBe(1);
});

test('a rate limit and rejected credentials delay numbers, which stay due', async () => {
  const post = await aPublishedPost();
  await setClock(2);
  const setFaults = (faults: object) =>
    publishing.sandboxStore.setFaults(post.id, faults, new Date());
  await setFaults({ rateLimitSeconds: 900 });
  expect(await readDue()).toEqual([{ kind: 'postponed', inMs: 900_000 }]);
  // The account has a job, which waits.
  await publishing.numbers.enqueue(100);
  expect(await publishing.claim()).toEqual([]);
  expect(await createOldestNumbers(publishing.database)()).toBeGreaterThan(HOUR_S - 60);

  await setFaults({ rateLimitSeconds: null, tokenExpired: true });
  expect(await publishing.runJobs()).toEqual([{ kind: 'completed', failures: [] }]);
  expect(await publishing.storedPost(by, post.id)).toMatchObject({
    account: { needsReauth: true },
    analytics: null,
  });
  // Nothing is asked of an account that has to be reconnected.
  expect(await readDue()).toEqual([]);

  await setFaults({ tokenExpired: false });
  await publishing.accountStatus.markReconnected(account.id, {
    userId: null,
    keyId: null,
    api: 'service',
  });
  await readDue();
  expect(await analyticsOf(post)).not.toBeNull();
});

test('the numbers belong to the post that was published for a recycling post', async () => {
  const post = await aPublishedPost({
    storedState: 'recycling_active',
    recycling: { gap: 1, gapFreq: 'days' },
  });
  const [copy] = await publishing.sql<{ id: number }>(
    'SELECT id::float8 AS id FROM post WHERE recycled_from_id = $1',
    post.id,
  );
  expect(
    await publishing.sql(
      'SELECT post_id::float8 AS id FROM post_analytics_schedule WHERE account_id = $1',
      account.id,
    ),
  ).toEqual([copy]);
});

test('what a process of an earlier version has published is read, too', async () => {
  const [missed, old, gone] = [
    await aPublishedPost(),
    await aPublishedPost(),
    await aPublishedPost(),
  ];
  await publishing.sql('DELETE FROM post_analytics_schedule');
  await publishing.sql(
    "UPDATE publication SET published_at = now() - interval '61 minutes' WHERE post_id = $1",
    old.databaseId,
  );
  await publishing.sql('UPDATE post SET remote_id = NULL WHERE id = $1', gone.databaseId);
  await publishing.numbers.scheduleMissed();
  expect(await Promise.all([missed, old, gone].map(nextInHours))).toEqual([
    1,
    undefined,
    undefined,
  ]);
  const schedule = () => publishing.sql('SELECT * FROM post_analytics_schedule');
  const before = await schedule();
  await publishing.numbers.scheduleMissed();
  expect(await schedule()).toEqual(before);
});

test('sums of a day contain the latest numbers of the posts of the account', async () => {
  const posts = [await aPublishedPost(), await aPublishedPost()];
  await setClock(30);
  await readDue();
  const analytics = await Promise.all(posts.map(analyticsOf));
  const range = {
    from: new Date(Date.now() - 86_400_000),
    to: new Date(Date.now() + 86_400_000),
    timeZone: 'Pacific/Auckland',
  };
  const days = (await publishing.analytics.days([account.id], range)).get(account.id)!;
  const total = (
    metric: 'reach' | 'likes',
    list: readonly ({ reach: number | null; likes: number | null } | null)[],
  ) => list.reduce((sum, numbers) => sum + numbers![metric]!, 0);
  expect(days.reduce((sum, { posts: count }) => sum + count, 0)).toBe(2);
  expect([total('reach', days), total('likes', days)]).toEqual([
    total('reach', analytics),
    total('likes', analytics),
  ]);
  for (const { day, videoViews } of days) {
    expect(day.toLocaleTimeString('en-GB', { timeZone: range.timeZone })).toBe('00:00:00');
    expect(videoViews).toBeNull();
  }
  expect(await publishing.analytics.days([account.id], { ...range, to: range.from })).toEqual(
    new Map(),
  );
});
