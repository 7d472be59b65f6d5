import { setTimeout as delay } from 'node:timers/promises';
import {
  createSandboxStore,
  type SandboxStore,
} from '../../src/persistence/networks/sandbox-store.js';
import {
  createSandboxTimelineStore,
  type SandboxTimelineStore,
} from '../../src/persistence/networks/sandbox-timelines.js';
import type { Post } from '../../src/domain/posts/post.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { testWorker, type TestWorker } from '../fixtures/test-worker.js';
import { aWorkerProcess, type WorkerProcess } from '../fixtures/worker-process.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { monitorLeases } from './lease-monitor.js';

/**
 * The full run has 50 rounds, a quarter of those of the other faults, and waits until leases
 * expire. Otherwise there are a few rounds, and leases are expired by SQL.
 */
const isFull = suite.length === 'full';
const ROUNDS = Math.ceil(suite.number('rounds', isFull ? 200 : 8) / 4);
const MAX_ROUND_MS = 17_000;
jest.setTimeout(90_000 + ROUNDS * MAX_ROUND_MS);

let testEnv: TestWorker;
let sandbox: SandboxStore;
let network: SandboxTimelineStore;
let worker: WorkerProcess;
const startWorker = async (): Promise<void> => {
  worker = await aWorkerProcess({
    DATABASE_URL: testEnv.database.url,
  });
};

beforeAll(() => buildIfChanged(), 90_000);
beforeEach(async () => {
  testEnv = await testWorker();
  testEnv.clock.now = () => new Date(); // real time, to measure how long jobs take
  sandbox = createSandboxStore(testEnv.database);
  network = createSandboxTimelineStore(testEnv.database);
  await startWorker();
});
afterEach(async () => {
  killStartedPrograms();
  await worker.exit;
  await testEnv.database.drop();
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  for (let attempts = isFull ? 60_000 : 4_000; !(await condition()); attempts--) {
    if (attempts === 0) throw new Error(`Timed out: ${worker.errors()}`);
    await delay(10);
  }
}

/** Only the full run waits until the leases of killed workers expire. */
async function expireLeases(): Promise<void> {
  if (!isFull)
    await testEnv.sql(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL",
    );
}

/** Kills the worker at a random moment and starts another one. */
async function killAndRestartWorker(ms: number): Promise<void> {
  await delay(Math.random() * ms);
  await worker.kill();
  await expireLeases();
  await startWorker();
}

const isWorking = async (condition: string): Promise<boolean> =>
  (await testEnv.sql(`SELECT 1 FROM job WHERE status = 'working' AND ${condition}`)).length > 0;

interface FinishedJob {
  id: string;
  status: string;
  attempts: number;
  failures: unknown[];
  seconds: number;
}
async function finishedJobs(kind: string): Promise<FinishedJob[]> {
  await waitFor(async () => !(await isWorking(`kind = '${kind}'`)));
  return testEnv.sql<FinishedJob>(
    'SELECT id, status, attempts, failures, EXTRACT(epoch FROM finished_at - created_at)::float8 AS seconds FROM job WHERE kind = $1::job_kind ORDER BY created_at',
    kind,
  );
}

function reportJobs(
  what: string,
  finished: readonly FinishedJob[],
  leases: { longestOverdue: number; longestHeld: number },
): void {
  const count = (status: string): number => finished.filter((job) => job.status === status).length;
  const max = (figure: (job: FinishedJob) => number): number => Math.max(...finished.map(figure));
  suite.report(
    `${what}: ${ROUNDS} kills, ${finished.length} jobs: ${count('completed')} completed, ${count('failed')} failed; ${finished.filter(({ attempts }) => attempts > 1).length} started more than once, ` +
      `${max(({ attempts }) => attempts)} times at most; done within ${max(({ seconds }) => seconds).toFixed(1)} s; leased for at most ${leases.longestOverdue.toFixed(1)} s after the lease expired`,
  );
}

/**
 * Every job has completed, or failed with a reason, and none stayed leased much longer than the
 * interval of the next scan.
 */
function assertNoJobLost(
  finished: readonly FinishedJob[],
  { longestOverdue }: { longestOverdue: number },
): void {
  for (const job of finished)
    expect([job.id, job.status, job.failures.length > 0]).toEqual([
      job.id,
      job.status,
      job.status === 'failed',
    ]);
  expect(longestOverdue).toBeLessThan(15);
}

describe('a worker that is killed', () => {
  it('during an edit loses no change: the network has every acknowledged change', async () => {
    const monitor = monitorLeases(testEnv);
    const changedPosts: { viewer: Viewer; post: Post }[] = [];
    const jobs: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const { by: viewer, post } = await testEnv.aPublishedPost({ sandbox: true });
      await sandbox.setFaults(post.id, { delayMs: 150 }, new Date());
      changedPosts.push({ viewer, post });
      jobs.push(await testEnv.change(viewer, post, { text: `Round ${round}` }));
      // Every third post is changed again, possibly while its edit is being sent.
      if (round % 3 === 0)
        jobs.push(await testEnv.change(viewer, post, { text: `Round ${round}, again` }));
      await waitFor(() => isWorking(`leased_until > now() AND post_id = ${post.databaseId}`));
      await killAndRestartWorker(250);
    }
    const finished = await finishedJobs('network_edit');
    const leases = await monitor.stop();
    reportJobs('network_edit', finished, leases);
    expect(finished.map(({ id }) => id).sort()).toEqual([...jobs].sort());
    assertNoJobLost(finished, leases);
    for (const { viewer, post } of changedPosts) {
      const { text } = await testEnv.storedPost(viewer, post.id);
      const { status, error } = await testEnv.sync(post);
      expect([status === 'synced' || (status === 'failed' && error !== null), status]).toEqual([
        true,
        status,
      ]);
      const live = await network.find(viewer.workspace.id, { kind: 'document', id: post.id });
      if (status === 'synced') expect(live!.post.text).toBe(text);
    }
  });

  it('during a purge removes the expired records and no others', async () => {
    const monitor = monitorLeases(testEnv);
    const viewer = await testEnv.aViewer();
    const insertRecords = (count: number, age: string, name: string) =>
      testEnv.sql(
        'INSERT INTO idempotency (user_id, workspace_id, operation, target, key, fingerprint, token, outcome, started_at) ' +
          `SELECT $1, $2, 'update', 'x', $3 || n, 'f', 'c', '{}', now() - interval '${age}' FROM generate_series(1, $4::int) n`,
        viewer.user.id,
        viewer.workspace.id,
        name,
        count,
      );
    const countRecords = async (): Promise<{ old: number; young: number }> =>
      (
        await testEnv.sql<{ old: number; young: number }>(
          "SELECT count(*) FILTER (WHERE started_at < now() - interval '24 hours')::int AS old, count(*) FILTER (WHERE started_at >= now() - interval '24 hours')::int AS young FROM idempotency",
        )
      )[0]!;
    await finishedJobs('purge'); // the first worker of each hour starts one
    await insertRecords(100, '1 hour', 'young');
    const earlierJobs = new Set((await finishedJobs('purge')).map(({ id }) => id));
    for (let round = 1; round <= ROUNDS; round++) {
      await insertRecords(20_000, '25 hours', `old ${round} `);
      // as in another hour
      await testEnv.sql("INSERT INTO job (id, kind) VALUES ($1, 'purge')", `job_round${round}`);
      await waitFor(() => isWorking("leased_until > now() AND kind = 'purge'"));
      await killAndRestartWorker(250);
    }
    const finished = (await finishedJobs('purge')).filter(({ id }) => !earlierJobs.has(id));
    const leases = await monitor.stop();
    reportJobs('purge', finished, leases);
    assertNoJobLost(finished, leases);
    expect(finished.length).toBeGreaterThanOrEqual(ROUNDS);
    expect(finished.every(({ status }) => status === 'completed')).toBe(true);
    expect(await countRecords()).toEqual({ old: 0, young: 100 });
  });
});
