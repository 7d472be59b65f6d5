import type { JobRun } from '../../../src/persistence/jobs/job-queue.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { refusalsOf } from '../../fixtures/services.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const ATTEMPT = { number: 1, guarantee: 'exact', handle: { key: 'k' } } as const;

test('while an attempt is armed, only labels can be changed, and the post cannot be deleted', async () => {
  const post = await publishing.aDuePost({ by, account });
  const { run, read } = await publishing.startAttempt(post);
  await publishing.ledger.arm(run, read, ATTEMPT);
  expect(refusalsOf(await publishing.update(by, post, { text: 'New' }))).toEqual(['PUBLISHING']);
  expect(await publishing.remove(by, [post.id])).toMatchObject({
    results: [{ id: post.id, deleted: false, code: 'PUBLISHING' }],
  });
  const labelled = await publishing.update(by, post, { labels: [{ name: 'live' }] });
  expect(labelled.kind).toBe('updated');

  await publishing.expireLease(run);
  await publishing.runJobs();
  expect(await publishing.storedPost(by, post.id)).toMatchObject({
    storedState: 'published_posted',
    labels: [{ name: 'live' }],
  });
});

test('a change and an attempt that were decided at the same time: one of them is refused', async () => {
  const post = await publishing.aDuePost({ by, account, text: 'Old' });
  const { run, read } = await publishing.startAttempt(post);
  const [armedAt, outcome] = await Promise.all([
    publishing.ledger.arm(run, read, ATTEMPT),
    publishing.update(by, post, { text: 'New' }),
  ]);
  const { text } = await publishing.storedPost(by, post.id);
  expect([outcome.kind, text]).toEqual(armedAt ? ['refused', 'Old'] : ['updated', 'New']);
});

test('an attempt is not armed after the post was changed', async () => {
  const changed = await publishing.aDuePost({ by, account });
  const { run, read } = await publishing.startAttempt(changed);
  await publishing.update(by, changed, { text: 'New' });
  expect(await publishing.ledger.arm(run, read, ATTEMPT)).toBeNull();
});

test('a post that gets another time after it was handed over is published at that time', async () => {
  const posts = [
    await publishing.aDuePost({ by, account, text: 'One' }),
    await publishing.aDuePost({ by, account, text: 'Two' }),
  ];
  const { run, read } = await publishing.startAttempt(posts[0]!);
  await publishing.sweep();
  const later = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);
  for (const post of posts) {
    const moved = await publishing.update(by, post, { scheduledAt: later });
    expect(moved).toMatchObject({ kind: 'updated', post: { queuedAt: null } });
    expect(await publishing.publicationOf(by, post)).toMatchObject({
      status: 'waiting',
      nextAttemptAt: later,
    });
  }
  expect(await publishing.ledger.arm(run, read, ATTEMPT)).toBeNull();
  await publishing.runJobs();
  expect(await publishing.sweep()).toBe(0);
  expect(await Promise.all(posts.map(publishing.deliveriesOf))).toEqual([[], []]);
});

test('a worker without the lease can neither arm an attempt nor end it', async () => {
  const post = await publishing.aDuePost({ by, account });
  const { run, read } = await publishing.startAttempt(post);
  await publishing.expireLease(run);
  const [second] = (await publishing.claim()) as [JobRun];
  const release = { attempt: 1, error: null, inMs: null };
  expect(await publishing.ledger.arm(run, read, ATTEMPT)).toBeNull();
  expect(await publishing.ledger.release(run, read, release)).toBe(false);
  expect(await publishing.ledger.arm(second, read, ATTEMPT)).toEqual(expect.any(Date));
});
