import { IMPORT_INTERRUPTED } from '../../../src/domain/jobs/job.js';
import { createJobWriter } from '../../../src/persistence/jobs/job-store.js';
import { withWorker } from '../../fixtures/test-worker.js';
import { COMPLETED, jobRows } from './job-rows.js';
import { unlimitedClaim } from '../../fixtures/unlimited-claim.js';

const { aJob, expireLease, claimedIds } = jobRows(() => fixture);
const fixture = withWorker();
beforeEach(() => fixture.clearJobs());

const publishedPost = () => fixture.aPublishedPost({ sandbox: true });

describe('a claim', () => {
  it('takes jobs by the priority of their kind, then by due time, and none twice', async () => {
    await aJob({ id: 'job_purge', kind: 'purge', due: '-3 days' });
    await aJob({ id: 'job_note_2', due: '-1 hour' });
    await aJob({ id: 'job_note_1', due: '-2 hours' });
    await aJob({ id: 'job_edit', kind: 'network_edit' });
    const order = [];
    for (let count = 0; count < 5; count += 1) order.push(await claimedIds(1));
    expect(order).toEqual([['job_edit'], ['job_note_1'], ['job_note_2'], ['job_purge'], []]);
  });

  it('takes only due, unfinished jobs without a lease or with an expired one', async () => {
    await aJob({ id: 'job_due' });
    await aJob({ id: 'job_expired', leased: '-1 second' });
    await aJob({ id: 'job_later', due: '1 second' });
    await aJob({ id: 'job_leased', leased: '1 second' });
    await fixture.sql(
      "INSERT INTO job (id, kind, status, finished_at) VALUES ('job_done', 'notification', 'completed', now()), ('job_failed', 'notification', 'failed', now())",
    );
    expect(await claimedIds()).toEqual(['job_due', 'job_expired']);
  });

  it('takes neither imports nor kinds that a later release has added', async () => {
    await fixture.sql("ALTER TYPE job_kind ADD VALUE IF NOT EXISTS 'later_kind'");
    await aJob({ id: 'job_import', kind: 'import' });
    await aJob({ id: 'job_later_kind', kind: 'later_kind' });
    expect(await claimedIds()).toEqual([]);
    expect(await fixture.job('job_later_kind')).toMatchObject({ attempts: 0, leased: false });
  });

  it('shares the jobs among concurrent workers', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `job_${String(n).padStart(2, '0')}`);
    for (const id of ids) await aJob({ id });
    const claims = await Promise.all(ids.map(() => fixture.queue.claim(unlimitedClaim(3))));
    const left = await fixture.queue.claim(unlimitedClaim(60)); // claims of others were skipped, not waited for
    expect([...claims.flat(), ...left].map(({ id }) => id).sort()).toEqual(ids);
  });

  it('does not wait for a job that another worker is claiming', async () => {
    for (const id of ['job_1', 'job_2']) await aJob({ id });
    const other = await fixture.database.pool.connect();
    await other.query("BEGIN; UPDATE job SET attempts = 1 WHERE id = 'job_1'");
    expect(await claimedIds()).toEqual(['job_2']);
    await other.query('ROLLBACK');
    other.release();
    expect(await claimedIds()).toEqual(['job_1']);
  });

  it('returns what the handler needs, and counts the attempt', async () => {
    const { by, post } = await publishedPost();
    const id = await fixture.change(by, post, { text: 'Two' });
    const [run] = await fixture.queue.claim(unlimitedClaim(1));
    expect(run).toEqual({
      id,
      kind: 'network_edit',
      workspaceId: by.workspace.id,
      postId: post.databaseId,
      traceparent: null,
      subjectId: post.id,
      attempt: 1,
      renew: expect.any(Function),
    });
    await aJob({ id: 'job_without_post' });
    expect(await fixture.queue.claim(unlimitedClaim(1))).toMatchObject([
      { kind: 'notification', postId: null, subjectId: 'job_without_post' },
    ]);
  });
});

describe('a lease', () => {
  it('is held until another attempt starts, and a lost one records nothing', async () => {
    const { by, post } = await publishedPost();
    const id = await fixture.change(by, post, { text: 'Two' });
    const [stopped] = await fixture.queue.claim(unlimitedClaim(1));
    await expireLease(id);
    expect(await stopped!.renew()).toBe(true); // no other worker has the job yet
    await expireLease(id);
    const [current] = await fixture.queue.claim(unlimitedClaim(1));
    expect(current).toMatchObject({ id, attempt: 2 });
    expect([await stopped!.renew(), await current!.renew()]).toEqual([false, true]);
    expect(await fixture.queue.settle(stopped!, COMPLETED)).toBe(false);
    expect(await fixture.job(id)).toMatchObject({ status: 'working', attempts: 2, leased: true });
    expect(await fixture.queue.settle(current!, { kind: 'retried', inMs: 60_000 })).toBe(true);
    expect(await current!.renew()).toBe(false);
    const { due_in: dueIn, ...row } = await fixture.job(id);
    expect(row).toMatchObject({ status: 'working', attempts: 2, leased: false });
    expect(Math.round(dueIn)).toBe(60);
  });

  it('that expired frees its place in the rate bucket', async () => {
    await aJob({ id: 'job_stopped', kind: 'network_edit', leased: '-1 second' });
    await fixture.sql("UPDATE job SET rate_bucket = 'mastodon'");
    await fixture.queue.claim(unlimitedClaim(1));
    expect(await fixture.sql('SELECT rate_bucket FROM job')).toEqual([{ rate_bucket: null }]);
  });
});

test('an import whose command was killed fails; a slow one goes on', async () => {
  const by = await fixture.aViewer();
  const owner = { workspaceId: by.workspace.id, userId: by.user.id };
  const records = createJobWriter(fixture.database);
  const at = fixture.clock.now();
  const job = {
    id: 'job_import',
    kind: 'import',
    status: 'working',
    progress: 0.5,
    failures: [],
    result: null,
    postId: null,
    createdAt: at,
    finishedAt: null,
  } as const;
  await records.save(owner, { ...job, failures: [] });
  await fixture.queue.maintain();
  expect(await fixture.job('job_import')).toMatchObject({ status: 'working', leased: true });
  await expireLease('job_import');
  await fixture.queue.maintain();
  expect(await fixture.job('job_import')).toMatchObject({
    status: 'failed',
    progress: 0.5,
    finished: true,
    failures: [{ id: 'job_import', code: 'INTERNAL_SERVER_ERROR', message: IMPORT_INTERRUPTED }],
  });
  await records.save(owner, { ...job, progress: 0.6, failures: [] });
  expect(await fixture.job('job_import')).toMatchObject({
    status: 'working',
    progress: 0.6,
    failures: [],
    finished: false,
  });
  await records.save(owner, {
    ...job,
    status: 'completed',
    progress: 1,
    failures: [],
    finishedAt: at,
  });
  expect(await fixture.job('job_import')).toMatchObject({
    status: 'completed',
    leased: false,
    finished: true,
  });
});

test('a dry run leaves no job', async () => {
  const { by, post } = await publishedPost();
  await fixture.update(by, post, { text: 'Two' }, { dryRun: true });
  expect(await fixture.sql('SELECT id FROM job')).toEqual([]);
});
