import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import { createSandboxTimelineStore } from '../../src/persistence/networks/sandbox-timelines.js';
import { testWorker, type TestWorker } from '../fixtures/test-worker.js';
import { aWorkerProcess } from '../fixtures/worker-process.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';

let fixture: TestWorker;
beforeAll(async () => {
  buildIfChanged();
  fixture = await testWorker();
});
afterEach(killStartedPrograms);
afterAll(() => fixture.database.drop());

describe('node dist/worker.js', () => {
  it('runs jobs, finishes the running one on SIGTERM, and leaves the rest to other workers', async () => {
    const sandbox = createSandboxStore(fixture.database);
    const worker = await aWorkerProcess({
      DATABASE_URL: fixture.database.url,
      JOB_CONCURRENCY: '1',
    });
    const { by, post } = await fixture.aPublishedPost({ sandbox: true });
    await sandbox.setFaults(post.id, { delayMs: 500 }, new Date());
    const runningJob = await fixture.change(by, post, { text: 'Two' });
    await waitUntil(async () => (await fixture.job(runningJob)).leased, worker);
    const queuedJob = await fixture.change(
      by,
      await fixture.aPost({ by, account: post.account, storedState: 'published_posted' }),
      { text: 'Two' },
    );

    worker.child.kill('SIGTERM');
    expect(await worker.exit).toBe(0);
    expect(worker.errors()).toBe('');
    expect(await fixture.job(runningJob)).toMatchObject({ status: 'completed', attempts: 1 });
    const network = createSandboxTimelineStore(fixture.database);
    const live = await network.find(by.workspace.id, { kind: 'document', id: post.id });
    expect(live!.post.text).toBe('Two');
    expect(await fixture.job(queuedJob)).toMatchObject({ status: 'working', attempts: 0 });

    const other = await aWorkerProcess({ DATABASE_URL: fixture.database.url });
    await waitUntil(async () => (await fixture.job(queuedJob)).status === 'completed', other);
    other.child.kill('SIGINT');
    expect(await other.exit).toBe(0);
  });

  it.each([
    [
      'a bad setting',
      { JOB_CONCURRENCY: 'many' },
      'posts-gateway worker: Invalid JOB_CONCURRENCY "many". Allowed: a whole number from 0 to 100\n',
    ],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/posts' },
      /^posts-gateway worker: Cannot use the database postgresql:\/\/me@127\.0\.0\.1:1\/posts \(DATABASE_URL\): [^\n]*\n$/,
    ],
  ])('reports %s in one line', async (_what, env, line) => {
    const worker = startProgram(env, [process.execPath, 'dist/worker.js']);
    expect(await worker.exit).toBe(1);
    expect(worker.errors()).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
    expect([worker.output(), worker.errors().includes('secret')]).toEqual(['', false]);
  });
});
