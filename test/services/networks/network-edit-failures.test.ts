import type { NetworkFailureCode } from '../../../src/domain/networks/network-failures.js';
import { NETWORK_FAILURES } from '../../../src/domain/networks/network-failures.js';
import { JOB_RETRIES } from '../../../src/domain/jobs/job.js';
import { enumKeys } from '../../../src/domain/enums.js';
import { failedEdit } from '../../fixtures/fake-network.js';
import { withWorker } from '../../fixtures/test-worker.js';

const worker = withWorker();
beforeEach(() => worker.clearJobs());

describe('a network that fails the edit', () => {
  const retried = enumKeys(NETWORK_FAILURES).filter((code) => NETWORK_FAILURES[code].retried);
  const final = enumKeys(NETWORK_FAILURES).filter((code) => !NETWORK_FAILURES[code].retried);

  it.each(final)(
    'with %s fails the job with the reason; the service keeps the edit',
    async (code) => {
      const { by, post } = await worker.aPublishedPost();
      const job = await worker.change(by, post, { text: 'Two' });
      worker.network.respondWith(failedEdit(code as NetworkFailureCode));
      expect(await worker.runDueJobs()).toEqual(['failed']);
      expect(await worker.job(job)).toMatchObject({
        status: 'failed',
        attempts: 1,
        progress: 0,
        failures: [{ id: post.id, code, message: `The network returned ${code}.` }],
        finished: true,
      });
      expect(await worker.sync(post)).toMatchObject({
        status: 'failed',
        error: `The network returned ${code}.`,
        live: { text: 'One' },
        in_doubt: false,
      });
      expect(await worker.storedPost(by, post.id)).toMatchObject({ text: 'Two' });
    },
  );

  it.each(retried)('with %s is retried, up to the maximum number of attempts', async (code) => {
    const { by, post } = await worker.aPublishedPost();
    const job = await worker.change(by, post, { text: 'Two' });
    const pauses: number[] = [];
    for (let attempt = 1; attempt < JOB_RETRIES.maxAttempts; attempt++) {
      worker.network.respondWith(failedEdit(code as NetworkFailureCode));
      expect(await worker.runDueJobs()).toEqual(['retried']);
      const { status, attempts, due_in, leased } = await worker.job(job);
      expect({ status, attempts, leased }).toEqual({
        status: 'working',
        attempts: attempt,
        leased: false,
      });
      pauses.push(Math.round(due_in));
      expect(await worker.sync(post)).toMatchObject({
        status: 'pending',
        error: null,
        live: { text: 'One' },
        in_doubt: NETWORK_FAILURES[code].inDoubt,
      });
      await worker.makeJobsDue();
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
    worker.network.respondWith(failedEdit(code as NetworkFailureCode));
    expect(await worker.runDueJobs()).toEqual(['failed']);
    expect(await worker.job(job)).toMatchObject({ status: 'failed', failures: [{ code }] });
    expect(await worker.sync(post)).toMatchObject({
      status: 'failed',
      in_doubt: NETWORK_FAILURES[code].inDoubt,
    });
  });

  it('is retried after the requested pause, which also applies to the account’s other posts', async () => {
    const { by, post } = await worker.aPublishedPost();
    const other = await worker.aPost({
      by,
      account: post.account,
      storedState: 'published_posted',
      text: 'One',
      remoteId: '110',
    });
    const job = await worker.change(by, post, { text: 'Two' });
    worker.network.respondWith(failedEdit('NETWORK_RATE_LIMITED', 90_000));
    expect(await worker.runDueJobs()).toEqual(['retried']);
    expect((await worker.job(job)).due_in).toBeCloseTo(90, -1);

    const waiting = await worker.change(by, other, { text: 'Two' });
    expect(await worker.runDueJobs()).toEqual(['postponed']);
    expect(await worker.job(waiting)).toMatchObject({ status: 'working', attempts: 0 });
    expect((await worker.job(waiting)).due_in).toBeGreaterThan(80);
    expect(worker.network.edits).toHaveLength(1);
    await worker.makeJobsDue();
    expect(await worker.runDueJobs()).toEqual(['completed', 'completed']);
  });

  it('in doubt receives every field at the next attempt, including those believed to be live', async () => {
    const { by, post } = await worker.aPublishedPost();
    await worker.change(by, post, { text: 'Two' });
    worker.network.respondWith(failedEdit('NETWORK_UNAVAILABLE'));
    await worker.runDueJobs();
    await worker.change(by, post, { text: 'One' });
    await worker.makeJobsDue();
    expect(await worker.runDueJobs()).toEqual(['completed', 'completed']);
    expect(worker.network.texts()).toEqual(['Two', 'One']);
    expect([...worker.network.edits[1]!.changed]).toEqual(['text', 'title', 'details.language']);
    expect(await worker.sync(post)).toMatchObject({
      status: 'synced',
      live: { text: 'One' },
      in_doubt: false,
    });
  });
});

describe('a rate bucket', () => {
  const changeMany = async (count: number) => {
    const { by, post } = await worker.aPublishedPost();
    for (let n = 0; n < count; n++) {
      const one =
        n === 0
          ? post
          : await worker.aPost({
              by,
              account: post.account,
              storedState: 'published_posted',
              text: 'One',
              remoteId: `2${n}`,
            });
      await worker.change(by, one, { text: 'Two' });
    }
  };

  it('starts a burst of at most maxConcurrent edits, then spaces the others by maxPerMinute', async () => {
    await changeMany(7);
    expect(await worker.runDueJobs()).toEqual([
      'completed',
      'completed',
      'completed',
      'completed',
      'postponed',
      'postponed',
      'postponed',
    ]);
    const due = await worker.sql<{ s: number }>(
      "SELECT EXTRACT(epoch FROM attempt_at - (SELECT min(attempt_at) FROM job WHERE status = 'working'))::float8 AS s FROM job WHERE status = 'working' ORDER BY attempt_at",
    );
    expect(due.map(({ s }) => Math.round(s))).toEqual([0, 1, 2]);
    const moveTurns = async (by: string): Promise<void> => {
      await worker.sql(
        `UPDATE job SET attempt_at = now() - interval '${by}', due_at = now() WHERE status = 'working'`,
      );
    };
    await moveTurns('6 seconds'); // which they did not take when they came
    expect(await worker.runDueJobs()).toEqual(['postponed', 'postponed', 'postponed']);
    await moveTurns('1 second');
    expect(await worker.runDueJobs()).toEqual(['completed', 'completed', 'completed']);
  });

  it('never runs more than maxConcurrent edits at the same time', async () => {
    const occupyBucket = (bucket: string, count: number) =>
      worker.sql(
        "INSERT INTO job (id, kind, rate_bucket, leased_until) SELECT 'job_' || $1 || n, 'network_edit', $1, now() + interval '1 minute' FROM generate_series(1, $2::int) n",
        bucket,
        count,
      );
    await occupyBucket('mastodon', 4);
    await occupyBucket('sandbox', 5);
    await changeMany(1);
    expect(await worker.runDueJobs()).toEqual(['postponed']);
    await worker.sql(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE id = 'job_mastodon1'",
    ); // a crashed worker
    await worker.makeJobsDue();
    // The job of the crashed worker is repeated too; it has no post.
    expect(await worker.runDueJobs()).toEqual(['completed', 'failed']);
  });
});
