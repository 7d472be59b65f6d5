import {
  SANDBOX_REMOVE_FAULTS,
  type SandboxRemoveFault,
} from '../../../src/domain/networks/sandbox.js';
import { enumKeys } from '../../../src/domain/enums.js';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import type { ActionOutcome } from '../../../src/services/posts/actions/action-request.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { actionRefusals, actionResults } from '../../fixtures/services.js';
import { aLivePost as livePost, eventTypesOf, storedJob } from './live-posts.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

let account: Account;
const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
beforeEach(async () => {
  account = await publishing.aSandboxAccount(by);
});

const stored = (post: Post) => publishing.storedPost(by, post.id);
const aLivePost = (text?: string): Promise<Post> => livePost(publishing, { by, account }, text);
const unpublish = (posts: readonly Pick<Post, 'id'>[], more = {}): Promise<ActionOutcome> =>
  publishing.act(by, posts, { kind: 'unpublish' }, more);
const jobOf = (outcome: ActionOutcome) =>
  storedJob(publishing, outcome.kind === 'done' ? outcome : {});
const historyOf = async (post: Post) =>
  (await publishing.history.pages(by, [post.databaseId], { limit: 10 }))
    .get(post.databaseId)!
    .entries.map(({ version, type, user, api, note }) => ({
      version,
      type,
      user: user?.name ?? null,
      api,
      note,
    }));
const eventsOf = (post: Pick<Post, 'id'>) => eventTypesOf(publishing, post);

test('a published post is removed from its network by a job, and the service keeps its record', async () => {
  const post = await aLivePost();
  expect(await publishing.deliveriesOf(post)).toHaveLength(1);
  const outcome = await unpublish([post]);
  expect(actionResults(outcome)).toMatchObject([{ id: post.id, refusals: [] }]);
  expect(await jobOf(outcome)).toMatchObject({ kind: 'unpublish', status: 'working' });
  expect(await stored(post)).toEqual(post);

  await publishing.runJobs();
  expect(await jobOf(outcome)).toMatchObject({ status: 'completed', progress: 1, failures: [] });
  expect(await publishing.deliveriesOf(post)).toEqual([]);
  expect(await stored(post)).toMatchObject({
    storedState: 'published_deleted',
    postLink: null,
    remoteId: null,
    version: post.version + 1,
  });
  expect((await eventsOf(post)).at(-1)).toBe('post.unpublished');
  expect((await historyOf(post))[0]).toEqual({
    version: post.version + 1,
    type: 'post.unpublished',
    user: by.user.name,
    api: by.api,
    note: null,
  });

  const again = await unpublish([post]);
  expect(actionResults(again)).toMatchObject([{ refusals: [], post: { id: post.id } }]);
  expect(await jobOf(again)).toBeNull();
});

test('a dry run changes nothing, and an idempotency key starts one job', async () => {
  const post = await aLivePost();
  const before = await publishing.allRows();
  const dry = await unpublish([post], { dryRun: true });
  expect(dry).toMatchObject({ kind: 'done', job: null, results: [{ refusals: [] }] });
  expect(await publishing.allRows()).toEqual(before);

  const first = await unpublish([post], { idempotencyKey: 'k' });
  const second = await unpublish([post], { idempotencyKey: 'k' });
  expect(second).toEqual({ ...first, replayed: true });
  const [count] = await publishing.sql<{ jobs: number }>(
    'SELECT count(*)::int AS jobs FROM post_removal WHERE post_id = $1',
    post.databaseId,
  );
  expect(count).toEqual({ jobs: 1 });
});

test('refused posts do not stop the others, unless the policy says so; the job names them', async () => {
  const live = await aLivePost();
  const draft = await publishing.aPost({ by, account, storedState: 'draft_undated' });
  const elsewhere = await publishing.aPost({
    by,
    account: await publishing.anAccount({ workspaceId: by.workspace.id, network: 'tiktok' }),
    storedState: 'published_posted',
    remoteId: '1',
  });
  const posts = [live, draft, elsewhere];
  const all = await unpublish(posts, { policy: 'all_or_nothing' });
  expect(actionRefusals(all)).toEqual(['RULE_VIOLATION', 'RULE_VIOLATION', 'RULE_VIOLATION']);
  expect(await jobOf(all)).toBeNull();

  const some = await unpublish(posts);
  expect(actionResults(some).map(({ refusals: [refusal] }) => refusal?.message ?? null)).toEqual([
    null,
    'Only published posts can be removed from their networks.',
    'The gateway cannot remove posts from tiktok. Delete the post there yourself.',
  ]);
  await publishing.runJobs();
  expect(await jobOf(some)).toMatchObject({
    status: 'completed',
    failures: [
      { id: draft.id, code: 'RULE_VIOLATION' },
      { id: elsewhere.id, code: 'RULE_VIOLATION' },
    ],
  });
  expect((await stored(live)).storedState).toBe('published_deleted');
  expect(await stored(elsewhere)).toEqual(elsewhere);
});

const LASTS_LONG: readonly SandboxRemoveFault[] = ['hang_before', 'hang_after', 'refuse'];

test.each(enumKeys(SANDBOX_REMOVE_FAULTS).filter((fault) => !LASTS_LONG.includes(fault)))(
  'after %s, the removal is tried again',
  async (fault) => {
    const post = await aLivePost();
    await publishing.failRemoving(post, fault);
    const outcome = await unpublish([post]);
    await publishing.runJobs();
    expect(await jobOf(outcome)).toMatchObject({ status: 'working' });
    expect(await stored(post)).toEqual(post);
    expect(await publishing.deliveriesOf(post)).toHaveLength(fault.endsWith('after') ? 0 : 1);
    await publishing.runJobs();
    expect(await jobOf(outcome)).toMatchObject({ status: 'completed', failures: [] });
    expect((await stored(post)).storedState).toBe('published_deleted');
    expect(await publishing.deliveriesOf(post)).toEqual([]);
    expect((await eventsOf(post)).filter((type) => type === 'post.unpublished')).toHaveLength(1);
  },
);

test('a post that its network does not remove stays published: job and history say why', async () => {
  const post = await aLivePost();
  await publishing.failRemoving(post, 'refuse');
  const outcome = await unpublish([post]);
  await publishing.runJobs();
  const message = 'Sandbox network: the removal was rejected.';
  expect(await jobOf(outcome)).toMatchObject({
    status: 'failed',
    failures: [{ id: post.id, code: 'NETWORK_REFUSED', message }],
  });
  expect(await stored(post)).toMatchObject({
    storedState: 'published_posted',
    postLink: post.postLink,
    remoteId: post.remoteId,
  });
  expect((await historyOf(post))[0]).toEqual({
    version: post.version + 1,
    type: 'post.updated',
    user: null,
    api: 'service',
    note: `The post was not removed from ${post.network}: ${message}`,
  });
  expect(await publishing.deliveriesOf(post)).toHaveLength(1);

  await unpublish([post]);
  await publishing.runJobs();
  expect((await stored(post)).storedState).toBe('published_deleted');
});

test('a network that stays unavailable leaves the post, and says that the result is unknown', async () => {
  const post = await aLivePost();
  await publishing.failRemoving(post, 'error_before', 100);
  const outcome = await unpublish([post]);
  // Each run makes at most one call: the pace of the account can postpone it.
  for (let runs = 0; runs < 30; runs += 1) {
    await publishing.runJobs();
    if ((await jobOf(outcome))!.status !== 'working') break;
  }
  const job = await jobOf(outcome);
  expect(job).toMatchObject({ status: 'failed', failures: [{ code: 'NETWORK_UNAVAILABLE' }] });
  expect(JSON.stringify(job!.failures)).toContain('It is unknown whether the network removed');
  expect((await stored(post)).storedState).toBe('published_posted');
});

test('the posts of an account wait together for its rate limit, and other accounts go on', async () => {
  const first = await aLivePost('first');
  const second = await aLivePost('second');
  const limited = account;
  account = await publishing.aSandboxAccount(by);
  const free = await aLivePost('free');
  await publishing.sandboxStore.setFaults(first.id, { rateLimitSeconds: 60 }, new Date());
  const outcome = await unpublish([first, second, free]);
  await publishing.runJobs();
  expect((await stored(free)).storedState).toBe('published_deleted');
  const calls = await publishing.sql(
    'SELECT p.account_id AS id, m.attempts FROM post_removal m JOIN post p ON p.id = m.post_id WHERE m.ended_at IS NULL ORDER BY p.id',
  );
  expect(calls).toEqual([
    { id: limited.id, attempts: 1 },
    { id: limited.id, attempts: 0 },
  ]);
  await publishing.sandboxStore.setFaults(first.id, { rateLimitSeconds: null }, new Date());
  await publishing.runJobs();
  expect(await jobOf(outcome)).toMatchObject({ status: 'completed', failures: [] });
});

test('an expired token ends the removal, and marks the account', async () => {
  const post = await aLivePost();
  await publishing.sandboxStore.setFaults(post.id, { tokenExpired: true }, new Date());
  const outcome = await unpublish([post]);
  await publishing.runJobs();
  expect(await jobOf(outcome)).toMatchObject({
    status: 'failed',
    failures: [{ code: 'NETWORK_REAUTHORIZATION_NEEDED' }],
  });
  const [refused] = actionResults(await unpublish([post]));
  expect(refused!.refusals).toMatchObject([
    { rule: 'D62', message: expect.stringContaining('Connect it again') },
  ]);
});

test('a post that is deleted in the service meanwhile is still removed, and restored without its link', async () => {
  const post = await aLivePost();
  await unpublish([post]);
  await publishing.remove(by, [post.id]);
  await publishing.runJobs();
  expect(await publishing.deliveriesOf(post)).toEqual([]);
  expect((await eventsOf(post)).at(-1)).toBe('post.deleted');
  await publishing.act(by, [post], { kind: 'restore', allowDuplicate: true });
  expect(await stored(post)).toMatchObject({ storedState: 'published_deleted', postLink: null });
});

test('labels that are changed meanwhile are kept, and two jobs of one post agree', async () => {
  const post = await aLivePost();
  const jobs = [await unpublish([post]), await unpublish([post])];
  await publishing.update(by, post, { labels: [{ name: 'News' }] });
  await publishing.runJobs();
  for (const job of jobs)
    expect(await jobOf(job)).toMatchObject({ status: 'completed', failures: [] });
  expect(await stored(post)).toMatchObject({
    storedState: 'published_deleted',
    labels: [{ name: 'News' }],
    version: post.version + 2,
  });
});
