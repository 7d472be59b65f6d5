import { failedEdit } from '../../fixtures/fake-network.js';
import { withWorker } from '../../fixtures/test-worker.js';
import { anOperator } from '../../fixtures/operator.js';

const worker = withWorker();
beforeEach(() => worker.clearJobs());

const { cli } = anOperator(() => ({ DATABASE_URL: worker.database.url }));

/** An edit whose job has failed permanently. */
async function aFailedJob(code: 'NETWORK_REFUSED' | 'NETWORK_FORBIDDEN' = 'NETWORK_REFUSED') {
  const { by, post } = await worker.aPublishedPost();
  const job = await worker.change(by, post, { text: 'Two' });
  worker.network.respondWith(failedEdit(code));
  await worker.runDueJobs();
  return { by, post, job };
}

describe('jobs list', () => {
  it('lists failed jobs with the reason, newest first', async () => {
    expect(await cli('jobs', 'list')).toEqual({
      code: 0,
      out: 'There are no failed jobs.',
      err: '',
    });
    const [first, second] = [await aFailedJob(), await aFailedJob('NETWORK_FORBIDDEN')];
    await worker.sql(
      "UPDATE job SET created_at = created_at - interval '1 hour' WHERE id = $1",
      first.job,
    );
    const { out } = await cli('jobs', 'list');
    const line = ({ by, post, job }: typeof first, code: string) =>
      expect.stringMatching(
        new RegExp(
          `^${job}  network_edit         1  2026-\\d\\d-\\d\\d [\\d:]+Z  ${by.workspace.id}  ${post.id}  ${code}: The network returned ${code}\\.$`,
        ),
      );
    expect(out.split('\n').slice(1)).toEqual([
      line(second, 'NETWORK_FORBIDDEN'),
      line(first, 'NETWORK_REFUSED'),
    ]);
    expect(JSON.parse((await cli('--json', 'jobs', 'list', '--limit', '1')).out)).toMatchObject([
      {
        id: second.job,
        status: 'failed',
        attempts: 1,
        postId: second.post.id,
        failures: [{ code: 'NETWORK_FORBIDDEN' }],
      },
    ]);
    expect((await cli('jobs', 'list', '--status', 'completed')).out).toBe(
      'There are no completed jobs.',
    );
  });

  it.each([
    ['--limit', '0'],
    ['--limit', '10001'],
    ['--status', 'unknown'],
  ])('rejects %s %s', async (...option) => {
    expect(await cli('jobs', 'list', ...option)).toMatchObject({ code: 2, out: '' });
  });
});

describe('jobs retry', () => {
  it('restarts a failed job with no attempts', async () => {
    const { post, job } = await aFailedJob();
    expect(await cli('jobs', 'retry', job)).toEqual({
      code: 0,
      out: 'Retrying 1 job.',
      err: '',
    });
    expect(await worker.job(job)).toMatchObject({
      status: 'working',
      attempts: 0,
      failures: [],
      finished: false,
    });
    expect(await worker.sync(post)).toMatchObject({ status: 'pending', error: null });
    expect(await worker.runDueJobs()).toEqual(['completed']);
    expect(await worker.sync(post)).toMatchObject({ status: 'synced', live: { text: 'Two' } });
  });

  it('does not overwrite the result of a later change', async () => {
    const { by, post, job } = await aFailedJob();
    const later = await worker.change(by, post, { text: 'Three' });
    await cli('jobs', 'retry', job);
    expect(await worker.sync(post)).toMatchObject({ status: 'pending', job_id: later });
    worker.network.respondWith(failedEdit('NETWORK_FORBIDDEN'));
    expect((await worker.runDueJobs()).sort()).toEqual(['completed', 'failed']);
    expect([await worker.job(job), await worker.job(later)]).toMatchObject([
      { status: 'completed' },
      { status: 'failed' },
    ]);
    expect(await worker.sync(post)).toMatchObject({
      status: 'failed',
      error: 'The network returned NETWORK_FORBIDDEN.',
    });
  });

  it('--all retries all failed jobs except imports, which have their own command', async () => {
    await aFailedJob();
    await aFailedJob();
    await worker.sql(
      "INSERT INTO job (id, kind, status, finished_at) VALUES ('job_import', 'import', 'failed', now())",
    );
    expect(JSON.parse((await cli('--json', 'jobs', 'retry', '--all')).out).retried).toHaveLength(2);
    expect((await worker.job('job_import')).status).toBe('failed');
    expect(await worker.runDueJobs()).toEqual(['completed', 'completed']);
  });

  it('reports jobs that cannot be retried, and exits with 1', async () => {
    const { job } = await aFailedJob();
    const result = await cli('jobs', 'retry', job, 'job_none');
    expect(result).toEqual({
      code: 1,
      out: 'Retrying 1 job.\njob_none is not a failed job that can be retried',
      err: '',
    });
    expect(await cli('jobs', 'retry', job)).toMatchObject({
      code: 1,
      out: expect.stringContaining(`${job} is not a failed job`),
    });
    expect(await cli('jobs', 'retry')).toEqual({
      code: 2,
      out: '',
      err: 'error: Pass either job IDs or --all',
    });
    expect(await cli('jobs', 'retry', job, '--all')).toEqual({
      code: 2,
      out: '',
      err: 'error: Pass either job IDs or --all',
    });
  });
});
