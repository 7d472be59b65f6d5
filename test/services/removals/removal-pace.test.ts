import type { JobOutcome } from '../../../src/domain/jobs/job.js';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import { publicationPaceOf } from '../../../src/domain/publishing/publication-delays.js';
import type { ActionOutcome } from '../../../src/services/posts/actions/action-request.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { aLivePost as livePost, storedJob } from './live-posts.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

let account: Account;
const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
beforeEach(async () => {
  account = await publishing.aSandboxAccount(by);
});

const MINUTE_MS = 60_000;
const aLivePost = (): Promise<Post> => livePost(publishing, { by, account });
const unpublish = (posts: readonly Post[]): Promise<ActionOutcome> =>
  publishing.act(by, posts, { kind: 'unpublish' });
const isRemoved = async (post: Post): Promise<boolean> =>
  (await publishing.storedPost(by, post.id)).storedState === 'published_deleted';
/** Claims the due jobs and runs those that remove posts. The others keep their leases. */
async function runRemovals(): Promise<JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  for (const run of await publishing.claim())
    if (run.kind === 'unpublish') outcomes.push(await publishing.runJob(run));
  return outcomes;
}
const callsOf = async ({ databaseId }: Post): Promise<unknown[]> =>
  publishing.sql('SELECT attempts FROM post_removal WHERE post_id = $1', databaseId);
/** Milliseconds until the publication of a post starts. */
async function startsInMs({ databaseId }: Post): Promise<number> {
  const [row] = await publishing.sql<{ ms: number }>(
    "SELECT (EXTRACT(epoch FROM due_at - now()) * 1000)::float8 AS ms FROM job WHERE post_id = $1 AND kind = 'publish'",
    databaseId,
  );
  return row!.ms;
}
async function finished(outcome: ActionOutcome): Promise<unknown> {
  const job = () => storedJob(publishing, outcome.kind === 'done' ? outcome : {});
  await waitFor(async () => {
    await publishing.runJobs();
    return (await job())!.status !== 'working';
  });
  return job();
}

test('the calls of all jobs start at the pace of their account', async () => {
  const posts = [await aLivePost(), await aLivePost()];
  account = await publishing.aSandboxAccount(by);
  const other = await aLivePost();
  for (const post of [...posts, other]) await unpublish([post]);
  const runs = await publishing.claim();
  // The pace of a network that takes a post in two minutes.
  const pace = { intervalMs: 2 * MINUTE_MS, maxConcurrent: 1 };
  await publishing.sql('DELETE FROM network_rate_bucket');
  const start = (index: number, post: Post) =>
    publishing.removals.startCall(runs[index]!, post, pace);
  const jobs = runs.map(({ id }) => id);
  const order = await publishing.sql<{ id: string }>(
    'SELECT job_id AS id FROM post_removal WHERE job_id = ANY($1) ORDER BY post_id',
    jobs,
  );
  const [first, second, third] = order.map(({ id }) => jobs.indexOf(id));
  expect(await start(first!, posts[0]!)).toEqual({ kind: 'started' });
  const postponed = await start(second!, posts[1]!);
  expect(postponed).toEqual({ kind: 'postponed', inMs: expect.any(Number) });
  const { inMs } = postponed as Extract<typeof postponed, { kind: 'postponed' }>;
  expect(inMs).toBeGreaterThan(MINUTE_MS);
  expect(inMs).toBeLessThanOrEqual(2 * MINUTE_MS);
  expect(await start(third!, other)).toEqual({ kind: 'started' });
  expect([await callsOf(posts[0]!), await callsOf(posts[1]!)]).toEqual([
    [{ attempts: 1 }],
    [{ attempts: 0 }],
  ]);
});

test('the publications of the account that were handed over come first', async () => {
  const post = await aLivePost();
  const due: Post[] = [];
  for (let count = 0; count < 60; count += 1) due.push(await publishing.aDuePost({ by, account }));
  const outcome = await unpublish([post]);
  await publishing.sweep();
  const lastStartsInMs = await startsInMs(due.at(-1)!);
  expect(lastStartsInMs).toBeGreaterThan(500);
  const [postponed] = await runRemovals();
  expect(postponed).toEqual({ kind: 'postponed', inMs: expect.any(Number) });
  expect(await callsOf(post)).toEqual([{ attempts: 0 }]);
  // No publication was moved.
  expect(Math.abs((await startsInMs(due.at(-1)!)) - lastStartsInMs)).toBeLessThan(500);
  expect(await finished(outcome)).toMatchObject({ status: 'completed', failures: [] });
  expect(await isRemoved(post)).toBe(true);
});

test('a removal waits while the account has as many publications in progress as it may', async () => {
  const post = await aLivePost();
  const { maxConcurrent } = publicationPaceOf(account);
  for (let count = 0; count < maxConcurrent; count += 1)
    await publishing.startAttempt(await publishing.aDuePost({ by, account }));
  const outcome = await unpublish([post]);
  await publishing.sql('DELETE FROM network_rate_bucket');
  expect(await runRemovals()).toEqual([{ kind: 'postponed', inMs: expect.any(Number) }]);
  expect(await callsOf(post)).toEqual([{ attempts: 0 }]);
  await publishing.sql("UPDATE job SET leased_until = now() WHERE status = 'working'");
  expect(await finished(outcome)).toMatchObject({ status: 'completed' });
});

test('a rate limit of the network holds the removals of the account, but no hand-over', async () => {
  const posts = [await aLivePost(), await aLivePost()];
  const [first] = posts;
  await publishing.sandboxStore.setFaults(first!.id, { rateLimitSeconds: 60 }, new Date());
  const outcome = await unpublish(posts);
  const [limited] = await runRemovals();
  expect(limited).toEqual({ kind: 'postponed', inMs: expect.any(Number) });
  expect((limited as Extract<JobOutcome, { kind: 'postponed' }>).inMs).toBeGreaterThan(50_000);
  expect([await callsOf(posts[0]!), await callsOf(posts[1]!)]).toEqual([
    [{ attempts: 1 }],
    [{ attempts: 0 }],
  ]);
  const due = await publishing.aDuePost({ by, account });
  await publishing.sweep();
  // At most one interval later than without the removal.
  expect(await startsInMs(due)).toBeLessThanOrEqual(publicationPaceOf(account).intervalMs);
  await publishing.sandboxStore.setFaults(first!.id, { rateLimitSeconds: null }, new Date());
  expect(await finished(outcome)).toMatchObject({ status: 'completed', failures: [] });
  expect(await publishing.statusOf(by, due)).toBe('published');
});
