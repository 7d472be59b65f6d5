import { installEventGuard } from '../../fixtures/event-guard.js';
import { eventsOfWorkspace } from '../../fixtures/event-rows.js';
import { withPublishing } from '../../fixtures/publishing.js';

const publishing = withPublishing();
beforeAll(async () => {
  await installEventGuard(publishing.database.pool);
});

test('a post that is published is an event when it is queued and when it is published; its job is none', async () => {
  const by = await publishing.aViewer();
  const account = await publishing.aSandboxAccount(by);
  const post = await publishing.aDuePost({ by, account });
  const { length } = await eventsOfWorkspace(publishing.database.pool, by.workspace.id);
  await publishing.sweep();
  await publishing.runJobs();
  const events = await eventsOfWorkspace(publishing.database.pool, by.workspace.id);
  expect(
    events
      .slice(length)
      .map(({ type, documentId, version, before, after, api }) => [
        type,
        documentId,
        version,
        before,
        after,
        api,
      ]),
  ).toEqual([
    ['post.queued', post.id, 1, 'scheduled', 'scheduled', 'service'],
    ['post.published', post.id, 2, 'scheduled', 'published_posted', 'service'],
  ]);
});
