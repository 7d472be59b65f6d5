import { IMPORT_INTERRUPTED } from '../../src/domain/jobs/job.js';
import { createJobWriter } from '../../src/persistence/jobs/job-store.js';
import { testWorker, type TestWorker } from '../fixtures/test-worker.js';

let fixture: TestWorker;
beforeAll(async () => {
  fixture = await testWorker();
});
afterAll(() => fixture.database.drop());
beforeEach(() => fixture.clearJobs());

const publishedPost = () => fixture.aPublishedPost({ sandbox: true });

test('an import whose command was killed fails; a slow one goes on', async () => {
  const by = await fixture.aViewer();
  const owner = { workspaceId: by.workspace.id, userId: by.user.id };
  const records = createJobWriter(fixture.database.pool);
  const at = fixture.clock.now();
  const job = {
    id: 'job_import',
    kind: 'import',
    status: 'working',
    progress: 0.5,
    failures: [],
    postId: null,
    createdAt: at,
    finishedAt: null,
  } as const;
  await records.save(owner, { ...job, failures: [] });
  await fixture.runs.reconcile();
  expect(await fixture.job('job_import')).toMatchObject({ status: 'working', leased: true });
  await fixture.sql("UPDATE job SET leased_until = now() - interval '1 second'");
  await fixture.runs.reconcile();
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

test('jobs of a post wait for the one that is running', async () => {
  const { by, post } = await publishedPost();
  await fixture.change(by, post, { text: 'Two' });
  const [first] = await fixture.leaseDueJobs();
  const later = await fixture.change(by, post, { text: 'Three' });
  expect(await fixture.leaseDueJobs()).toEqual([]);
  expect(await fixture.job(later)).toMatchObject({ status: 'working', attempts: 0 });
  await fixture.makeJobsDue();
  expect(await fixture.leaseDueJobs()).toEqual([]);
  // A stopped worker blocks other jobs no longer than its lease.
  await fixture.sql(
    "UPDATE job SET leased_until = now() - interval '1 second' WHERE id = $1",
    first!.id,
  );
  await fixture.makeJobsDue();
  expect((await fixture.leaseDueJobs()).map(({ id }) => id)).toEqual([later]);
});

test('a dry run leaves no job in the queue', async () => {
  const { by, post } = await publishedPost();
  const before = await fixture.sql('SELECT id FROM pgboss.job ORDER BY id');
  await fixture.update(by, post, { text: 'Two' }, { dryRun: true });
  expect(await fixture.sql('SELECT id FROM pgboss.job ORDER BY id')).toEqual(before);
});
