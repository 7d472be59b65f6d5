import { OPERATOR, type Viewer } from '../../../src/domain/access/viewer.js';
import { installEventGuard } from '../../fixtures/event-guard.js';
import { eventsOfWorkspace, withoutEvents, type EventRow } from '../../fixtures/event-rows.js';
import { failedEdit } from '../../fixtures/fake-network.js';
import { withWorker } from '../../fixtures/test-worker.js';

const worker = withWorker();
beforeAll(async () => {
  await installEventGuard(worker.database.pool);
});
beforeEach(() => worker.clearJobs());

const eventsOf = ({ workspace }: Viewer): Promise<EventRow[]> =>
  eventsOfWorkspace(worker.database.pool, workspace.id);
async function newEvents(viewer: Viewer, work: () => Promise<unknown>): Promise<EventRow[]> {
  const { length } = await eventsOf(viewer);
  await work();
  return (await eventsOf(viewer)).slice(length);
}
const SERVICE = { api: 'service', userId: null, keyId: null };

test('an edit that the network confirms, and the end of its job, are events of the service', async () => {
  const { by, post } = await worker.aPublishedPost();
  const job = await worker.change(by, post, { text: 'Two' });
  const written = await newEvents(by, worker.runDueJobs);
  const { id: documentId, accountId } = post;
  expect(written).toEqual([
    expect.objectContaining({
      ...SERVICE,
      type: 'post.network_updated',
      documentId,
      accountId,
      version: 2,
      before: 'published_posted',
      after: 'published_posted',
    }),
    expect.objectContaining({
      ...SERVICE,
      type: 'job.finished',
      recordId: job,
      documentId,
      accountId,
    }),
  ]);
});

test('an edit that is tried again is no event', async () => {
  const { by, post } = await worker.aPublishedPost();
  await worker.change(by, post, { text: 'Two' });
  worker.network.respondWith(failedEdit('NETWORK_UNAVAILABLE'));
  expect(await newEvents(by, worker.runDueJobs)).toEqual([]);
});

test('credentials that are rejected, and an account that is connected again, are one event each, and one for each post', async () => {
  const { by, post } = await worker.aPublishedPost();
  const waiting = await worker.aPost({ by, account: post.account!, storedState: 'scheduled' });
  await worker.change(by, post, { text: 'Two' });
  worker.network.respondWith(failedEdit('NETWORK_REAUTHORIZATION_NEEDED'));
  const { accountStatus } = worker;
  const written = await newEvents(by, async () => {
    await worker.runDueJobs();
    await accountStatus.markNeedsReauth(post.accountId!);
    await accountStatus.markReconnected(post.accountId!, OPERATOR);
    await accountStatus.markReconnected(post.accountId!, OPERATOR);
  });
  expect(
    written.map(({ type, documentId, before, after, api }) => [
      type,
      documentId,
      before,
      after,
      api,
    ]),
  ).toEqual([
    ['account.needs_reauthorization', null, null, null, 'service'],
    ['post.updated', waiting.id, 'scheduled', 'scheduled_reauth', 'service'],
    ['job.finished', post.id, null, null, 'service'],
    ['account.connected', null, null, null, 'cli'],
    ['post.updated', waiting.id, 'scheduled_reauth', 'scheduled', 'service'],
  ]);
});

test('a post that its network no longer has is an event', async () => {
  const { by, post } = await worker.aPublishedPost();
  await worker.change(by, post, { text: 'Two' });
  worker.network.respondWith(failedEdit('NETWORK_POST_DELETED'));
  const written = await newEvents(by, worker.runDueJobs);
  expect(written.map(({ type, version, after }) => [type, version, after])).toEqual([
    ['post.unpublished', 3, 'published_deleted'],
    ['job.finished', null, null],
  ]);
});

test('an import whose command was killed is an event; purges and deliveries are none', async () => {
  const by = await worker.aViewer();
  const written = await newEvents(by, async () => {
    await worker.sql(
      "INSERT INTO job (id, workspace_id, kind, leased_until) VALUES ('job_killed', $1, 'import', now() - interval '1 minute')",
      by.workspace.id,
    );
    await worker.queue.maintain();
    await worker.runDueJobs();
  });
  expect(written.map(({ type, recordId, api }) => [type, recordId, api])).toEqual([
    ['job.finished', 'job_killed', 'service'],
  ]);
});

test('a result whose event cannot be written is not recorded: the attempt is repeated', async () => {
  const { by, post } = await worker.aPublishedPost();
  const job = await worker.change(by, post, { text: 'Two' });
  const written = await newEvents(by, async () => {
    await withoutEvents(worker.database.pool, () =>
      expect(worker.runDueJobs()).rejects.toThrow('no_event'),
    );
    expect(await worker.job(job)).toMatchObject({ status: 'working', finished: false });
    expect(await worker.sync(post)).toMatchObject({ status: 'pending', live: { text: 'One' } });
    await worker.sql('UPDATE job SET leased_until = NULL WHERE id = $1', job);
    expect(await worker.runDueJobs()).toEqual(['completed']);
  });
  expect(written.map(({ type }) => type)).toEqual(['post.network_updated', 'job.finished']);
});
