import { OPERATOR } from '../../../src/domain/access/viewer.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const texts = async (post: Post) =>
  (await publishing.deliveriesOf(post)).map(({ content }) => content.text);
const stored = (post: Post) => publishing.storedPost(by, post.id);
async function publish(post: Post) {
  await publishing.sweep();
  await publishing.runJobs();
  return publishing.publicationOf(by, post);
}

describe('a post whose time has come', () => {
  test('is handed over once, and published on its network with its address', async () => {
    const post = await publishing.aDuePost({ by, account, text: 'Hello' });
    expect(await publishing.publicationOf(by, post)).toMatchObject({
      status: 'waiting',
      nextAttemptAt: post.scheduledAt,
      attempts: 0,
    });

    expect(await publishing.sweep()).toBe(1);
    expect(await publishing.sweep()).toBe(0);
    expect(await publishing.statusOf(by, post)).toBe('queued');
    expect(await publishing.runJobs()).toEqual([{ kind: 'completed', failures: [] }]);

    const [delivery] = await publishing.deliveriesOf(post);
    const published = await stored(post);
    expect(await texts(post)).toEqual(['Hello']);
    expect(published).toMatchObject({
      storedState: 'published_posted',
      version: post.version + 1,
      queuedAt: null,
      armedAt: null,
      remoteId: delivery!.id,
      postLink: `https://mastodon.sandbox.example/${account.id}/${delivery!.id}`,
    });
    expect(await publishing.publicationOf(by, post)).toEqual({
      status: 'published',
      remoteId: delivery!.id,
      url: published.postLink,
      publishedAt: expect.any(Date),
      attempts: 1,
      nextAttemptAt: null,
      error: null,
    });
  });

  test('is not handed over in any other state, before its time, or without its account', async () => {
    const rejected = await publishing.aSandboxAccount(by, { needsReauth: true });
    await publishing.aDuePost({ by, account, storedState: 'scheduled_pending' });
    await publishing.aDuePost({ by, account, storedState: 'scheduled_locked' });
    await publishing.aDuePost({ by, account, storedState: 'draft_dated' });
    await publishing.aDuePost({ by, account, minutesAgo: -1 });
    await publishing.aDuePost({ by, account: rejected });
    expect(await publishing.sweep()).toBe(0);
    await publishing.aDuePost({ by, account, storedState: 'scheduled_approved' });
    expect(await publishing.sweep()).toBe(1);
  });

  test('is handed over by one of many processes that look at the same time', async () => {
    const posts = await Promise.all(
      Array.from({ length: 20 }, () => publishing.aDuePost({ by, account })),
    );
    const counts = await Promise.all(Array.from({ length: 5 }, () => publishing.sweep()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(posts.length);
    const jobs = await publishing.sql<{ count: number }>(
      "SELECT count(*)::int FROM job WHERE kind = 'publish' AND post_id = ANY($1::bigint[])",
      posts.map(({ databaseId }) => databaseId),
    );
    expect(jobs[0]!.count).toBe(posts.length);
  });

  test('is handed over when the sandbox clock reaches its time', async () => {
    const post = await publishing.aDuePost({ by, account, minutesAgo: -120 });
    await publishing.sandboxStore.setClock(by.workspace.id, 3_600, new Date());
    expect(await publishing.sweep()).toBe(0);
    await publishing.sandboxStore.setClock(by.workspace.id, 7_300, new Date());
    expect(await publish(post)).toMatchObject({ status: 'published' });
  });

  test('is published with a change that was saved after it was handed over', async () => {
    const post = await publishing.aDuePost({ by, account, text: 'Old' });
    await publishing.sweep();
    await publishing.update(by, post, { text: 'New' });
    await publishing.runJobs();
    expect(await texts(post)).toEqual(['New']);
  });

  test('oldest first, and each account at its own pace', async () => {
    const other = await publishing.aSandboxAccount(by);
    const [first, second] = [
      await publishing.aDuePost({ by, account, minutesAgo: 3 }),
      await publishing.aDuePost({ by, account, minutesAgo: 2 }),
    ];
    const third = await publishing.aDuePost({ by, account: other, minutesAgo: 1 });
    await publishing.sweep();
    const jobs = await publishing.sql<{ post: number; after: number }>(
      "SELECT post_id::int AS post, round(EXTRACT(epoch FROM due_at - min(due_at) OVER ()) * 100)::int * 10 AS after FROM job WHERE kind = 'publish' AND status = 'working' ORDER BY 2, 1",
    );
    expect(jobs).toEqual([
      { post: first!.databaseId, after: 0 },
      { post: third.databaseId, after: 0 },
      { post: second!.databaseId, after: 20 },
    ]);
    await publishing.runJobs();
  });
});

describe('a post that is late', () => {
  test('goes out if it is late by at most an hour, and is missed after that', async () => {
    const late = await publishing.aDuePost({ by, account, minutesAgo: 59 });
    const missed = await publishing.aDuePost({ by, account, minutesAgo: 61 });
    expect(await publish(late)).toMatchObject({ status: 'published' });
    expect(await publishing.publicationOf(by, missed)).toMatchObject({
      status: 'missed',
      attempts: 0,
      error: { code: 'MISSED', source: 'service', retryable: true },
    });
    expect(await stored(missed)).toMatchObject({ storedState: 'failed', queuedAt: null });
    expect(await publishing.deliveriesOf(missed)).toEqual([]);
  });

  test('shares the notification of its account', async () => {
    for (const minutesAgo of [61, 90, 120]) await publishing.aDuePost({ by, account, minutesAgo });
    await publishing.sweep();
    await publishing.runJobs();
    const notifications = await publishing.sql(
      'SELECT kind, message FROM notification WHERE user_id = $1',
      by.user.id,
    );
    expect(notifications).toEqual([
      {
        kind: 'publication_missed',
        message: `One or more posts on ${account.name} were not published, because they were more than 60 minutes late. Retry them, or give them another time.`,
      },
    ]);
  });

  test('is not missed because of its retries', async () => {
    const post = await publishing.aDuePost({ by, account, minutesAgo: 50 });
    await publishing.sandboxStore.setFaults(post.id, { rateLimitSeconds: 1_200 }, new Date());
    expect(await publish(post)).toMatchObject({
      status: 'waiting',
      attempts: 1,
      error: { code: 'NETWORK_RATE_LIMITED', source: 'account', retryable: true },
    });
    await publishing.sandboxStore.setFaults(post.id, { rateLimitSeconds: null }, new Date());
    await publishing.letTimePass(20);
    expect(await publish(post)).toMatchObject({ status: 'published', attempts: 2, error: null });
  });
});

describe('a post that its network does not take', () => {
  test('fails with the reason, and releases its slot of the daily cap', async () => {
    const post = await publishing.aDuePost({ by, account });
    await publishing.failPublishing(post, 'refuse');
    expect(await publish(post)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code: 'NETWORK_REFUSED', source: 'user', retryable: false },
    });
    expect(await stored(post)).toMatchObject({ storedState: 'failed', version: post.version + 1 });
    expect(
      await publishing.sql('SELECT FROM cap_slot WHERE post_id = $1', post.databaseId),
    ).toEqual([]);
    const notifications = await publishing.sql<{ kind: string; user_id: string }>(
      'SELECT kind, user_id FROM notification WHERE post_id = $1',
      post.databaseId,
    );
    expect(notifications).toEqual([{ kind: 'publication_failed', user_id: by.user.id }]);
  });

  test('is tried for about an hour, and can be changed between the attempts', async () => {
    const post = await publishing.aDuePost({ by, account, text: 'Old' });
    await publishing.sandboxStore.setFaults(post.id, { rateLimitSeconds: 80_000 }, new Date());
    expect(await publish(post)).toMatchObject({ status: 'waiting', attempts: 1 });
    const { version } = await stored(post);
    expect(version).toBe(post.version);
    expect((await publishing.update(by, post, { text: 'New' })).kind).toBe('updated');
    for (let attempts = 2; attempts <= 6; attempts += 1) {
      expect(await publishing.sweep()).toBe(0);
      await publishing.letTimePass(24 * 60);
      expect(await publish(post)).toMatchObject({ status: 'waiting', attempts });
    }
    await publishing.letTimePass(24 * 60);
    expect(await publish(post)).toMatchObject({
      status: 'failed',
      attempts: 7,
      error: { code: 'NETWORK_RATE_LIMITED' },
    });
  });

  test('whose account is rejected waits until the account is connected again', async () => {
    const post = await publishing.aDuePost({ by, account });
    const later = await publishing.aPost({ by, account });
    await publishing.sandboxStore.setFaults(post.id, { tokenExpired: true }, new Date());
    await publish(post);
    expect(await stored(post)).toMatchObject({ storedState: 'scheduled_reauth', queuedAt: null });
    expect(await stored(later)).toMatchObject({ storedState: 'scheduled_reauth' });
    expect(await publishing.sweep()).toBe(0);

    await publishing.sandboxStore.setFaults(post.id, { tokenExpired: false }, new Date());
    await publishing.accountStatus.markReconnected(account.id, OPERATOR);
    expect(await publish(post)).toMatchObject({ status: 'published', attempts: 2 });
    expect(await stored(later)).toMatchObject({ storedState: 'scheduled' });
  });

  test('because the daily cap is used up fails with the next free time', async () => {
    const limited = await publishing.aSandboxAccount(by, { network: 'google', type: 'location' });
    const posts: Post[] = [];
    for (let count = 0; count < 16; count += 1)
      posts.push(await publishing.aDuePost({ by, account: limited, minutesAgo: 20 - count }));
    await publishing.sweep();
    await publishing.runJobs();
    const statuses = await Promise.all(posts.map((post) => publishing.statusOf(by, post)));
    expect(statuses).toEqual([...Array<string>(15).fill('published'), 'failed']);
    expect(await publishing.publicationOf(by, posts.at(-1)!)).toMatchObject({
      attempts: 0,
      error: {
        code: 'DAILY_LIMIT_EXCEEDED',
        message: expect.stringContaining('Next free time: '),
      },
    });
  });

  test('is released without an attempt if its workspace was locked meanwhile', async () => {
    const post = await publishing.aDuePost({ by, account });
    await publishing.sweep();
    await publishing.sql('UPDATE post SET stored_state = 6 WHERE id = $1', post.databaseId);
    await publishing.runJobs();
    expect(await stored(post)).toMatchObject({ storedState: 'scheduled_locked', queuedAt: null });
    expect(await publishing.deliveriesOf(post)).toEqual([]);
  });
});
