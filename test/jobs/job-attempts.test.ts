import { failedEdit } from '../fixtures/fake-network.js';
import { testWorker, type TestWorker } from '../fixtures/test-worker.js';
import { waitFor } from '../fixtures/wait-for.js';
import { runningWorkers } from './running-workers.js';

let fixture: TestWorker;
const { startWorker, stopWorkers, finished, pendingEdit, publishedPost } = runningWorkers(
  () => fixture,
);
beforeAll(async () => {
  fixture = await testWorker();
});
beforeEach(() => fixture.clearJobs());
afterEach(stopWorkers);
afterAll(() => fixture.database.drop());

describe('job attempts', () => {
  it('retries a temporary failure', async () => {
    const { by, post } = await publishedPost();
    fixture.network.respondWith(failedEdit('NETWORK_UNAVAILABLE'));
    startWorker();
    const job = await fixture.change(by, post, { text: 'Two' });
    await waitFor(async () => (await fixture.job(job)).due_in > 1);
    await fixture.makeJobsDue();
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
  });

  it('fails a job after an internal error in every attempt', async () => {
    const { by, post } = await publishedPost();
    const job = await fixture.change(by, post, { text: 'Two' });
    await fixture.sql('UPDATE job SET attempts = 9 WHERE id = $1', job);
    startWorker({ handlers: { network_edit: () => Promise.reject(new Error('a bug')) } });
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({
      status: 'failed',
      attempts: 10,
      failures: [
        {
          id: post.id,
          code: 'INTERNAL_SERVER_ERROR',
          message: expect.stringContaining('Internal error'),
        },
      ],
    });
    expect(await fixture.sync(post)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Internal error'),
      in_doubt: false,
    });
  });

  it('fails a job whose worker stopped in every attempt', async () => {
    const { by, post } = await publishedPost();
    const job = await fixture.change(by, post, { text: 'Two' });
    await fixture.sql('UPDATE job SET attempts = 10 WHERE id = $1', job);
    startWorker();
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ message: expect.stringContaining('Gave up after 10 attempts') }],
    });
    expect(fixture.network.edits).toEqual([]);
  });

  it('retries a job when the lease of a stopped worker expires, and a job whose queue entry was lost', async () => {
    const { by, post } = await publishedPost();
    const job = await fixture.change(by, post, { text: 'Two' });
    const [expired] = await fixture.leaseDueJobs();
    expect(expired!.id).toBe(job);
    expect(await fixture.runs.reconcile()).toBe(0);
    await fixture.sql(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1",
      job,
    );
    expect(await fixture.runs.reconcile()).toBe(1);
    expect(await fixture.runs.reconcile()).toBe(0); // it is in the queue once
    expect(await expired!.renew()).toBe(true); // no other worker has leased it yet
    await fixture.sql(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1",
      job,
    );
    const [current] = await fixture.leaseDueJobs();
    expect(current).toMatchObject({ id: job, attempt: 2 });
    expect([await expired!.renew(), await current!.renew()]).toEqual([false, true]);
    expect(await fixture.runs.settle(expired!, { kind: 'completed', failures: [] })).toBe(false);
    expect(await fixture.runs.settle(current!, { kind: 'retried', inMs: 0 })).toBe(true);

    await fixture.sql('DELETE FROM pgboss.job');
    expect(await fixture.runs.reconcile()).toBe(0); // it is not overdue yet
    await fixture.sql("UPDATE job SET due_at = now() - interval '11 seconds' WHERE id = $1", job);
    startWorker();
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 3 });
  });

  it('renews its lease while it runs', async () => {
    const { by, post } = await publishedPost();
    const job = await fixture.change(by, post, { text: 'Two' });
    const edit = pendingEdit();
    startWorker({ heartbeatMs: 20 });
    await edit.sent();
    await fixture.sql(
      "UPDATE job SET leased_until = now() + interval '1 second' WHERE id = $1",
      job,
    );
    await waitFor(
      async () =>
        (
          await fixture.sql(
            "SELECT 1 FROM job WHERE id = $1 AND leased_until > now() + interval '10 seconds'",
            job,
          )
        ).length === 1,
    );
    edit.finish({ kind: 'edited' });
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({
      status: 'completed',
      attempts: 1,
      leased: false,
    });
  });

  it('postpones unknown kinds of jobs, and runs nothing with concurrency 0', async () => {
    const { by, post } = await publishedPost();
    const job = await fixture.change(by, post, { text: 'Two' });
    startWorker({ handlers: {} });
    await waitFor(async () => (await fixture.job(job)).due_in > 50);
    expect(await fixture.job(job)).toMatchObject({ status: 'working', attempts: 0 });
    await stopWorkers();
    await fixture.makeJobsDue();
    startWorker({ concurrency: 0 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await fixture.job(job)).toMatchObject({ status: 'working', attempts: 0 });
    startWorker();
    await finished(job);
  });
});
