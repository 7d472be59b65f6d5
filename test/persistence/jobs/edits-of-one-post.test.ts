import { waitFor } from '../../fixtures/wait-for.js';
import { withWorker } from '../../fixtures/test-worker.js';
import { COMPLETED, jobRows } from './job-rows.js';
import { unlimitedClaim } from '../../fixtures/unlimited-claim.js';

const { aJob, expireLease, claimedIds } = jobRows(() => fixture);
const fixture = withWorker();
beforeEach(() => fixture.clearJobs());

const publishedPost = () => fixture.aPublishedPost({ sandbox: true });

describe('edits of one post', () => {
  it('run one at a time, in the order in which they are due', async () => {
    const { post } = await publishedPost();
    await aJob({ id: 'job_2', kind: 'network_edit', due: '-2 seconds', post });
    await aJob({ id: 'job_3', kind: 'network_edit', due: '-1 second', post });
    await aJob({ id: 'job_1', kind: 'network_edit', due: '-3 seconds', post });
    for (const id of ['job_1', 'job_2', 'job_3']) {
      const [run, ...others] = await fixture.queue.claim(unlimitedClaim(50));
      expect([run!.id, others]).toEqual([id, []]);
      expect(await claimedIds()).toEqual([]);
      expect(await fixture.queue.settle(run!, COMPLETED)).toBe(true);
    }
  });

  it('wait neither for an edit that is due later, nor for other jobs of the post', async () => {
    const { post } = await publishedPost();
    await aJob({ id: 'job_edit', kind: 'network_edit', post });
    await aJob({ id: 'job_retried', kind: 'network_edit', due: '1 minute', post });
    await aJob({ id: 'job_note', due: '-2 minutes', leased: '1 minute', post });
    await aJob({ id: 'job_other_note', due: '-2 minutes', post });
    expect(await claimedIds()).toEqual(['job_edit', 'job_other_note']);
  });

  it('wait for a stopped worker no longer than its lease; its job is repeated first', async () => {
    const { post } = await publishedPost();
    await aJob({ id: 'job_stopped', kind: 'network_edit', leased: '20 seconds', post });
    await aJob({ id: 'job_waiting', kind: 'network_edit', due: '-2 minutes', post });
    expect(await claimedIds()).toEqual([]);
    await expireLease('job_stopped');
    expect(await claimedIds()).toEqual(['job_stopped']);
  });

  it('never overlap, whatever concurrent workers claim', async () => {
    const posts = await Promise.all([1, 2, 3].map(publishedPost));
    for (const [n, { post }] of posts.entries())
      for (let count = 0; count < 8; count += 1)
        await aJob({ id: `job_${n}_${count}`, kind: 'network_edit', post });
    const leased = new Set<number>();
    let settled = 0;
    async function work(): Promise<void> {
      while (settled < 24) {
        for (const run of await fixture.queue.claim(unlimitedClaim(2))) {
          expect(leased.has(run.postId!)).toBe(false);
          leased.add(run.postId!);
          await new Promise((resolve) => setImmediate(resolve));
          leased.delete(run.postId!);
          await fixture.queue.settle(run, COMPLETED);
          settled += 1;
        }
      }
    }
    await Promise.all(Array.from({ length: 4 }, work));
    expect(settled).toBe(24);
  });

  it('are left for the next claim if another process is claiming one of them', async () => {
    const { post } = await publishedPost();
    await aJob({ id: 'job_first', kind: 'network_edit', post });
    await aJob({ id: 'job_second', kind: 'network_edit', due: '1 hour', post });
    // A worker of the previous release decides on the order in another way.
    const other = await fixture.database.pool.connect();
    await other.query('BEGIN');
    await other.query(
      "UPDATE job SET leased_until = now() + interval '1 minute' WHERE id = 'job_second'",
    );
    const claim = fixture.queue.claim(unlimitedClaim(1));
    const blocked =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await waitFor(async () => (await fixture.sql(blocked)).length === 1);
    await other.query('COMMIT');
    other.release();
    expect(await claim).toEqual([]);
    expect(await fixture.job('job_first')).toMatchObject({ attempts: 0, leased: false });
  });
});
