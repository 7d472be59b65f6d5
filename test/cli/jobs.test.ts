import { aNightShift, fails, type NightShift } from '../fixtures/test-worker.js';
import { anOperator } from '../fixtures/operator.js';

let night: NightShift;
beforeAll(async () => {
  night = await aNightShift();
});
afterAll(() => night.database.drop());
beforeEach(() => night.clear());

const { cli } = anOperator(() => ({ DATABASE_URL: night.database.url }));

/** A change whose job has failed for good. */
async function aFailure(code: 'NETWORK_REFUSED' | 'NETWORK_FORBIDDEN' = 'NETWORK_REFUSED') {
  const { by, post } = await night.aPublishedPost();
  const job = await night.change(by, post, { text: 'Two' });
  night.network.answers(fails(code));
  await night.doDue();
  return { by, post, job };
}

describe('jobs list', () => {
  it('tells what failed, newest first, with the reason', async () => {
    expect(await cli('jobs', 'list')).toEqual({ code: 0, out: 'No job is failed.', err: '' });
    const [first, second] = [await aFailure(), await aFailure('NETWORK_FORBIDDEN')];
    await night.sql(
      "UPDATE job SET created_at = created_at - interval '1 hour' WHERE id = $1",
      first.job,
    );
    const { out } = await cli('jobs', 'list');
    const line = ({ by, post, job }: typeof first, code: string) =>
      expect.stringMatching(
        new RegExp(
          `^${job}  network_edit      1  2026-\\d\\d-\\d\\d [\\d:]+Z  ${by.workspace.id}  ${post.id}  ${code}: The network says ${code}\\.$`,
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
        about: second.post.id,
        failures: [{ code: 'NETWORK_FORBIDDEN' }],
      },
    ]);
    expect((await cli('jobs', 'list', '--status', 'completed')).out).toBe('No job is completed.');
  });

  it.each([
    ['--limit', '0'],
    ['--limit', '10001'],
    ['--status', 'lost'],
  ])('takes no %s %s', async (...option) => {
    expect(await cli('jobs', 'list', ...option)).toMatchObject({ code: 2, out: '' });
  });
});

describe('jobs retry', () => {
  it('begins a failed job again, as if it were new', async () => {
    const { post, job } = await aFailure();
    expect(await cli('jobs', 'retry', job)).toEqual({
      code: 0,
      out: '1 job begins again.',
      err: '',
    });
    expect(await night.job(job)).toMatchObject({
      status: 'working',
      attempts: 0,
      failures: [],
      finished: false,
    });
    expect(await night.sync(post)).toMatchObject({ status: 'pending', error: null });
    expect(await night.doDue()).toEqual(['completed']);
    expect(await night.sync(post)).toMatchObject({ status: 'synced', live: { text: 'Two' } });
  });

  it('leaves to a later change what is the later change’s', async () => {
    const { by, post, job } = await aFailure();
    const later = await night.change(by, post, { text: 'Three' });
    await cli('jobs', 'retry', job);
    expect(await night.sync(post)).toMatchObject({ status: 'pending', job_id: later });
    night.network.answers(fails('NETWORK_FORBIDDEN'));
    expect((await night.doDue()).sort()).toEqual(['completed', 'failed']);
    expect([await night.job(job), await night.job(later)]).toMatchObject([
      { status: 'completed' },
      { status: 'failed' },
    ]);
    expect(await night.sync(post)).toMatchObject({
      status: 'failed',
      error: 'The network says NETWORK_FORBIDDEN.',
    });
  });

  it('takes all that failed, but for imports, which have a command of their own', async () => {
    await aFailure();
    await aFailure();
    await night.sql(
      "INSERT INTO job (id, kind, status, finished_at) VALUES ('job_import', 'import', 'failed', now())",
    );
    expect(JSON.parse((await cli('--json', 'jobs', 'retry', '--all')).out).retried).toHaveLength(2);
    expect((await night.job('job_import')).status).toBe('failed');
    expect(await night.doDue()).toEqual(['completed', 'completed']);
  });

  it('says of which it cannot, and ends with 1', async () => {
    const { job } = await aFailure();
    const answer = await cli('jobs', 'retry', job, 'job_none');
    expect(answer).toEqual({
      code: 1,
      out: '1 job begins again.\njob_none is no job that failed and can be begun again',
      err: '',
    });
    expect(await cli('jobs', 'retry', job)).toMatchObject({
      code: 1,
      out: expect.stringContaining(`${job} is no job that failed`),
    });
    expect(await cli('jobs', 'retry')).toEqual({
      code: 2,
      out: '',
      err: 'error: Give the ids of jobs, or --all',
    });
    expect(await cli('jobs', 'retry', job, '--all')).toEqual({
      code: 2,
      out: '',
      err: 'error: Give the ids of jobs, or --all',
    });
  });
});
