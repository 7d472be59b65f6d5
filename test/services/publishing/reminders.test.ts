import { createPublishing } from '../../../src/services/publishing/publish-post.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
const by = forAllTests(() => publishing.aViewer());
const account = forAllTests(() => publishing.aSandboxAccount(by));

test('a reminder is not published: its creator is told, and it stays queued', async () => {
  const post = await publishing.aDuePost({
    by,
    account,
    reminder: true,
    details: { reminder: true },
    minutesAgo: 300,
  });
  await publishing.sweep();
  await publishing.runJobs();
  expect(await publishing.publicationOf(by, post)).toMatchObject({ status: 'queued', attempts: 0 });
  expect(await publishing.sweep()).toBe(0);
  expect(await publishing.deliveriesOf(post)).toEqual([]);
  expect(
    await publishing.sql('SELECT kind FROM notification WHERE post_id = $1', post.databaseId),
  ).toEqual([{ kind: 'reminder_due' }]);
});

test('a reminder tells its creator once, even if the worker stops before it records that', async () => {
  const post = await publishing.aDuePost({
    by,
    account,
    reminder: true,
    details: { reminder: true },
  });
  await publishing.sweep();
  const [first] = await publishing.claim();
  await createPublishing(publishing.dependencies)(first!);
  await publishing.expireLease(first!);
  expect(await publishing.runJobs()).toEqual([{ kind: 'completed', failures: [] }]);
  expect(await createPublishing(publishing.dependencies)(first!)).toMatchObject({
    kind: 'completed',
  });
  expect(
    await publishing.sql('SELECT kind FROM notification WHERE post_id = $1', post.databaseId),
  ).toEqual([{ kind: 'reminder_due' }]);
});
