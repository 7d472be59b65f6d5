import { pino } from 'pino';
import { JOB_KINDS } from '../../src/domain/jobs/job-kinds.js';
import { createJobQueue } from '../../src/persistence/jobs/job-queue.js';
import { failedEdit } from '../fixtures/fake-network.js';
import { withWorker } from '../fixtures/test-worker.js';
import { waitFor } from '../fixtures/wait-for.js';
import { silentLog } from '../setup/test-server.js';
import { runningWorkers } from './running-workers.js';

const MAX_ATTEMPT_MS = JOB_KINDS.network_edit.worker.maxAttemptSeconds * 1_000;
const { startWorker, stopWorkers, finished, pendingEdit, publishedPost } = runningWorkers(
  () => fixture,
);
const fixture = withWorker();
beforeEach(() => fixture.clearJobs());
afterEach(stopWorkers);

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

  it('takes over the job of a stopped worker when its lease expires', async () => {
    const { by, post } = await publishedPost();
    const job = await fixture.change(by, post, { text: 'Two' });
    expect(await fixture.claimDueJobs()).toMatchObject([{ id: job }]);
    await fixture.sql(
      "UPDATE job SET leased_until = now() + interval '1 second' WHERE id = $1",
      job,
    );
    startWorker();
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
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

  it('ends an attempt at its maximum duration: another worker takes over, and a late outcome is not recorded', async () => {
    const { by, post } = await publishedPost();
    const edit = pendingEdit();
    let now = 0;
    startWorker({ heartbeatMs: 20, now: () => now, concurrency: 1 });
    const job = await fixture.change(by, post, { text: 'Two' });
    await edit.sent();
    now += MAX_ATTEMPT_MS;
    // The hung attempt takes up no slot: the same worker runs another job.
    const other = await publishedPost();
    const otherEdit = pendingEdit();
    const otherJob = await fixture.change(other.by, other.post, { text: 'Other' });
    await otherEdit.sent(2);
    const leasedUntil = async (id: string) =>
      Number(
        (
          await fixture.sql<{ at: Date }>('SELECT leased_until AS at FROM job WHERE id = $1', id)
        )[0]!.at,
      );
    const lastRenewal = await leasedUntil(job);
    for (let renewals = 0; renewals < 3; renewals += 1) {
      const before = await leasedUntil(otherJob);
      await waitFor(async () => (await leasedUntil(otherJob)) > before);
    }
    expect(await leasedUntil(job)).toBe(lastRenewal);
    otherEdit.finish({ kind: 'edited' });
    await finished(otherJob);

    const taken = pendingEdit();
    await fixture.sql(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1",
      job,
    );
    await taken.sent(3);
    edit.finish(failedEdit('NETWORK_REFUSED'));
    taken.finish({ kind: 'edited' });
    await finished(job);
    expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
    expect(await fixture.sync(post)).toMatchObject({ status: 'synced', live: { text: 'Two' } });
  });

  it('ends an attempt that renews its lease itself at the maximum duration too', async () => {
    const { by, post } = await publishedPost();
    const renewals: boolean[] = [];
    let now = 0;
    startWorker({
      now: () => now,
      handlers: {
        async network_edit(run) {
          renewals.push(await run.renew());
          now += MAX_ATTEMPT_MS;
          renewals.push(await run.renew(), await run.renew());
          return { kind: 'completed', failures: [] };
        },
      },
    });
    const job = await fixture.change(by, post, { text: 'Two' });
    await waitFor(() => renewals.length === 3);
    await stopWorkers();
    expect(renewals).toEqual([true, false, false]);
    expect(await fixture.job(job)).toMatchObject({ status: 'working', attempts: 1, leased: true });
  });

  it('runs nothing with concurrency 0', async () => {
    const { by, post } = await publishedPost();
    const job = await fixture.change(by, post, { text: 'Two' });
    startWorker({ concurrency: 0 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await fixture.job(job)).toMatchObject({ status: 'working', attempts: 0 });
    startWorker();
    await finished(job);
  });

  it('go on after the queue failed, which is reported once', async () => {
    const { by, post } = await publishedPost();
    const warnings: string[] = [];
    let failures = 0;
    const queue = createJobQueue(fixture.database, silentLog);
    startWorker({
      queue: {
        ...queue,
        claim: (limits) =>
          (failures += 1) <= 2 ? Promise.reject(new Error('connection lost')) : queue.claim(limits),
      },
      log: {
        ...pino({ level: 'silent' }),
        warn: (_: unknown, line: string) => warnings.push(line),
      } as never,
    });
    await finished(await fixture.change(by, post, { text: 'Two' }));
    expect(warnings).toEqual(['Failed to claim jobs']);
  });
});
