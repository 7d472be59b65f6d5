import { randomBytes } from 'node:crypto';
import { createWebhook } from '../../src/networks/webhook.js';
import { LEASE_SECONDS } from '../../src/persistence/jobs/job-runs.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import type { SandboxStore } from '../../src/services/networks/sandbox-ports.js';
import { systemClock } from '../../src/services/random-ids.js';
import type { Post } from '../../src/domain/posts/post.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { aNightShift, type NightShift } from '../fixtures/test-worker.js';
import { aReceiver } from '../fixtures/webhook-receiver.js';
import { aWorkerProcess, type WorkerProcess } from '../fixtures/worker-process.js';
import { buildWhatIsStarted, killStarted } from '../setup/started.js';
import { suite } from '../setup/suite.js';

/** `npm run test:faults` does 50, a quarter of the other rounds, and waits for real leases; otherwise a few, whose leases are ended by hand. */
const isFull = suite.form === 'full';
const ROUNDS = Math.ceil(suite.number('rounds', isFull ? 200 : 8) / 4);
const ROUND_MS = 17_000;
jest.setTimeout(90_000 + ROUNDS * ROUND_MS);

let night: NightShift;
let sandbox: SandboxStore;
let worker: WorkerProcess;
let receiver: Awaited<ReturnType<typeof aReceiver>>;
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const hire = async (): Promise<void> => {
  worker = await aWorkerProcess({
    DATABASE_URL: night.database.url,
    NOTIFY_WEBHOOK_URL: receiver.url,
    NOTIFY_WEBHOOK_SECRET: secret,
  });
};

beforeAll(async () => {
  buildWhatIsStarted();
  receiver = await aReceiver();
}, 90_000);
afterAll(() => receiver.close());
beforeEach(async () => {
  night = await aNightShift({
    webhook: createWebhook({ url: receiver.url, secrets: [secret], clock: systemClock }),
  });
  night.clock.now = () => new Date(); // so that it tells how long jobs took
  sandbox = createSandboxStore(night.database.pool);
  await hire();
});
afterEach(async () => {
  killStarted();
  await worker.exit;
  await night.database.drop();
});

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
async function until(what: () => Promise<boolean>): Promise<void> {
  for (let left = isFull ? 60_000 : 4_000; !(await what()); left--) {
    if (left === 0) throw new Error(`it did not come: ${worker.errors()}`);
    await pause(10);
  }
}

interface Watch {
  stop(): Promise<{ longestOverdue: number; longestHeld: number }>;
}

/** Looks all the time how long jobs are held: beyond their lease while a worker is there, and by one attempt. In seconds. */
function watchLeases(): Watch {
  let [isOver, longestOverdue, longestHeld] = [false, 0, 0];
  const watching = (async () => {
    while (!isOver) {
      const [row] = await night.sql<{ overdue: number | null; held: number | null }>(
        `SELECT max(EXTRACT(epoch FROM now() - leased_until))::float8 AS overdue, ${LEASE_SECONDS} - min(EXTRACT(epoch FROM leased_until - now()))::float8 AS held FROM job WHERE status = 'working' AND leased_until IS NOT NULL`,
      );
      longestOverdue = Math.max(longestOverdue, row!.overdue ?? 0);
      longestHeld = Math.max(longestHeld, row!.held ?? 0);
      await pause(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { longestOverdue, longestHeld };
    },
  };
}

/** In the short form nobody waits for the leases of the dead. */
async function letLeasesEnd(): Promise<void> {
  if (!isFull)
    await night.sql(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL",
    );
}

/** Kills the worker at a moment of chance after it has begun, and hires another one. */
async function killWithin(ms: number): Promise<void> {
  await pause(Math.random() * ms);
  await worker.kill();
  await letLeasesEnd();
  await hire();
}

const isWorking = async (condition: string): Promise<boolean> =>
  (await night.sql(`SELECT 1 FROM job WHERE status = 'working' AND ${condition}`)).length > 0;

interface Ended {
  id: string;
  status: string;
  attempts: number;
  failures: unknown[];
  seconds: number;
}
async function endings(kind: string): Promise<Ended[]> {
  await until(async () => !(await isWorking(`kind = '${kind}'`)));
  return night.sql<Ended>(
    'SELECT id, status, attempts, failures, EXTRACT(epoch FROM finished_at - created_at)::float8 AS seconds FROM job WHERE kind = $1::job_kind ORDER BY created_at',
    kind,
  );
}

function tell(
  what: string,
  all: readonly Ended[],
  leases: { longestOverdue: number; longestHeld: number },
): void {
  const count = (status: string): number => all.filter((one) => one.status === status).length;
  const most = (figure: (one: Ended) => number): number => Math.max(...all.map(figure));
  suite.tell(
    `${what}: ${ROUNDS} kills, ${all.length} jobs: ${count('completed')} completed, ${count('failed')} failed; ${all.filter(({ attempts }) => attempts > 1).length} begun more than once, ` +
      `${most(({ attempts }) => attempts)} times at most; done after ${most(({ seconds }) => seconds).toFixed(1)} s at most; held ${leases.longestOverdue.toFixed(1)} s beyond a lease at most`,
  );
}

/** Every job has ended, done or with its reason; none was left beyond its lease by more than the next look for it takes. */
function assertNoneLost(
  all: readonly Ended[],
  { longestOverdue }: { longestOverdue: number },
): void {
  for (const one of all)
    expect([one.id, one.status, one.failures.length > 0]).toEqual([
      one.id,
      one.status,
      one.status === 'failed',
    ]);
  expect(longestOverdue).toBeLessThan(15);
}

describe('a worker that is killed in the middle', () => {
  it('of an edit loses no change: what was acknowledged is what the network has', async () => {
    const watch = watchLeases();
    const changed: { by: Viewer; post: Post }[] = [];
    const jobs: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const { by, post } = await night.aPublishedPost({ sandbox: true });
      await sandbox.setFaults(post.id, { delayMs: 150 }, new Date());
      changed.push({ by, post });
      jobs.push(await night.change(by, post, { text: `Round ${round}` }));
      // Every third change is changed again while its edit may be out.
      if (round % 3 === 0)
        jobs.push(await night.change(by, post, { text: `Round ${round}, again` }));
      await until(() => isWorking(`leased_until > now() AND post_id = ${post.databaseId}`));
      await killWithin(250);
    }
    const all = await endings('network_edit');
    const leases = await watch.stop();
    tell('network_edit', all, leases);
    expect(all.map(({ id }) => id).sort()).toEqual([...jobs].sort());
    assertNoneLost(all, leases);
    for (const { by, post } of changed) {
      const { text } = await night.stored(by, post.id);
      const { status, error } = await night.sync(post);
      expect([status === 'synced' || (status === 'failed' && error !== null), status]).toEqual([
        true,
        status,
      ]);
      if (status === 'synced') expect((await sandbox.find(post.id)).fields).toMatchObject({ text });
    }
  });

  it('of a delivery loses no notification: every one arrives, with the same id as often as it does', async () => {
    const watch = watchLeases();
    const { id: workspaceId, ownerId } = await night.aWorkspace({ requiresApproval: true });
    const owner = await night.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
    const editor = await night.aViewer({ workspaceId, postActions: true });
    receiver.answers((response) => {
      setTimeout(() => response.writeHead(204).end(), 150);
    });
    for (let round = 1; round <= ROUNDS; round++) {
      await night.update(editor, await night.aPost({ by: owner }), { text: `Round ${round}` });
      await until(() => isWorking("leased_until > now() AND kind = 'notification'"));
      await killWithin(250);
    }
    const all = await endings('notification');
    const leases = await watch.stop();
    tell('notification', all, leases);
    const notes = await night.sql<{ id: string }>(
      'SELECT id FROM notification WHERE workspace_id = $1',
      workspaceId,
    );
    assertNoneLost(all, leases);
    expect(notes).toHaveLength(ROUNDS);
    expect(all.map(({ status }) => status)).toEqual(notes.map(() => 'completed'));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(notes.map(({ id }) => id)),
    );
  });

  it('of a purge removes what has expired all the same, and nothing else', async () => {
    const watch = watchLeases();
    const by = await night.aViewer();
    const records = (count: number, age: string, name: string) =>
      night.sql(
        'INSERT INTO idempotency (user_id, workspace_id, operation, target, key, fingerprint, claim, outcome, claimed_at) ' +
          `SELECT $1, $2, 'update', 'x', $3 || n, 'f', 'c', '{}', now() - interval '${age}' FROM generate_series(1, $4::int) n`,
        by.user.id,
        by.workspace.id,
        name,
        count,
      );
    const left = async (): Promise<{ old: number; young: number }> =>
      (
        await night.sql<{ old: number; young: number }>(
          "SELECT count(*) FILTER (WHERE claimed_at < now() - interval '24 hours')::int AS old, count(*) FILTER (WHERE claimed_at >= now() - interval '24 hours')::int AS young FROM idempotency",
        )
      )[0]!;
    await endings('purge'); // the one that every first worker of an hour begins
    await records(100, '1 hour', 'young');
    const before = new Set((await endings('purge')).map(({ id }) => id));
    for (let round = 1; round <= ROUNDS; round++) {
      await records(20_000, '25 hours', `old ${round} `);
      await night.sql("UPDATE pgboss.job SET singleton_on = NULL WHERE singleton_key = 'purge'"); // an hour later
      await night.runs.schedule();
      await until(() => isWorking("leased_until > now() AND kind = 'purge'"));
      await killWithin(250);
    }
    const all = (await endings('purge')).filter(({ id }) => !before.has(id));
    const leases = await watch.stop();
    tell('purge', all, leases);
    assertNoneLost(all, leases);
    expect(all.length).toBeGreaterThanOrEqual(ROUNDS);
    expect(all.every(({ status }) => status === 'completed')).toBe(true);
    expect(await left()).toEqual({ old: 0, young: 100 });
  });
});
