import { slotsOfMinutes } from '../../../src/domain/publishing/posting-schedule.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { createdPosts, targetsOf } from '../../fixtures/services.js';

const fixture = withPublishing();

test('posts of a paused queue are not due, other posts of the account are', async () => {
  const viewer = await fixture.aViewer();
  const account = await fixture.aSandboxAccount(viewer);
  const set = (changes: object) =>
    fixture.postingSchedules.set(viewer, { accountId: account.id, dryRun: false, ...changes });
  await set({ slots: slotsOfMinutes(Array.from({ length: 168 }, (_, hour) => hour * 60)) });
  const targets = targetsOf(account);
  const inQueue = { mode: 'add_to_queue', scheduledAt: null, targets } as const;
  const scheduledAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);
  const [queued] = createdPosts(await fixture.create(viewer, inQueue));
  const [scheduled] = createdPosts(await fixture.create(viewer, { scheduledAt, targets }));
  await set({ paused: true });
  await fixture.sql(
    "UPDATE post SET scheduled_at = date_trunc('second', now()) WHERE account_id = $1",
    account.id,
  );
  const isQueued = async (id: string) => (await fixture.storedPost(viewer, id)).queuedAt !== null;

  expect(await fixture.sweep()).toBe(1);
  expect([await isQueued(scheduled!.id), await isQueued(queued!.id)]).toEqual([true, false]);

  await fixture.sql('UPDATE posting_schedule SET paused = false');
  expect(await fixture.sweep()).toBe(1);
  expect(await isQueued(queued!.id)).toBe(true);
});
