import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createTemporaryDatabase } from './database.js';
import { machineLine } from './machine.js';
import type { Options } from './options.js';
import { createDuePosts, ROOT, setUpSession } from './product.js';
import { logProgress } from './progress.js';
import {
  ACCOUNTS,
  addAccounts,
  readLateness,
  scheduleForLater,
  schedulePosts,
  waitUntilPublished,
  type Lateness,
} from './publishing-posts.js';
import { median } from './results.js';
import { figure, textTable, type Row } from './text-table.js';
import { backends, cpuOf, cpuSeconds } from './usage.js';

const RATE = 100; // posts per second
const AT_ONCE = 10_000;
const GOAL_LATE_SECONDS = 3;
const GOAL_CPU_MS = 5;
const GOAL_SWEEP_MS = 2;
const SWEEPS = 1_000;
const WARM_UP_SWEEPS = 20;
const SWEEP_SIZE = 1_000;
/** Time for the creation of the posts before the first is due, in all and for each post. */
const LEAD_MS = 10_000;
const LEAD_MS_PER_POST = 3;
/** Idle backends report their transactions after a second. */
const STATISTICS_MS = 1_500;

/** What a publication costs: CPU in milliseconds, and transactions. */
interface Cost {
  readonly worker: number;
  readonly database: number;
  readonly transactions: number;
}

/** Starts a worker as `npm run worker` does. */
async function startWorker(databaseUrl: string): Promise<{ pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [path.join(ROOT, 'dist', 'worker.js')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      CREDENTIALS_KEY: Buffer.alloc(32).toString('base64'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    pid: child.pid!,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Transactions of the database so far, the few of the benchmark included. */
async function readTransactions(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ transactions: number }>(
    'SELECT xact_commit::int AS transactions FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]!.transactions;
}

/** Publishes posts, and measures how late they are and what they cost. */
async function publish(
  database: { pool: pg.Pool; url: string },
  phase: string,
  { posts, perSecond }: { posts: number; perSecond: number },
): Promise<{ lateness: Lateness; cost: Cost }> {
  const { pool, url } = database;
  const from = new Date(Math.ceil((Date.now() + LEAD_MS + posts * LEAD_MS_PER_POST) / 1000) * 1000);
  await schedulePosts(pool, phase, { posts, from, perSecond });
  if (Date.now() > from.getTime()) throw new Error('The posts were due before they existed.');
  const worker = await startWorker(url);
  const before = await readTransactions(pool);
  try {
    await sleep(Math.max(0, from.getTime() - Date.now() - 1_000));
    const pids = new Set(await backends(pool));
    const cpuBefore = { worker: cpuSeconds(worker.pid), database: cpuOf([...pids]) };
    await waitUntilPublished(pool, phase);
    const opened = (await backends(pool)).filter((pid) => !pids.has(pid));
    const perPost = (seconds: number): number => (seconds * 1000) / posts;
    const cpu = {
      worker: perPost(cpuSeconds(worker.pid) - cpuBefore.worker),
      database: perPost(cpuOf([...pids, ...opened]) - cpuBefore.database),
    };
    await sleep(STATISTICS_MS);
    const transactions = ((await readTransactions(pool)) - before) / posts;
    return { lateness: await readLateness(pool, phase), cost: { ...cpu, transactions } };
  } finally {
    await worker.stop();
  }
}

interface Sweep {
  /** Milliseconds: median and 99th percentile. */
  readonly median: number;
  readonly p99: number;
  /** CPU of the database in milliseconds. */
  readonly cpu: number;
}

/** The search for due posts when none is due, on a connection that is set up as those of workers. */
async function measureSweep(database: { url: string }): Promise<Sweep> {
  const pool = new pg.Pool({
    connectionString: database.url,
    max: 2,
    onConnect: setUpSession as (client: pg.ClientBase) => void,
  });
  try {
    const { handOver } = createDuePosts(pool);
    for (let sweep = 0; sweep < WARM_UP_SWEEPS; sweep += 1) await handOver(SWEEP_SIZE);
    const pids = await backends(pool);
    const cpuBefore = cpuOf(pids);
    const times: number[] = [];
    for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
      const started = performance.now();
      if ((await handOver(SWEEP_SIZE)) !== 0) throw new Error('posts were due');
      times.push(performance.now() - started);
    }
    const cpu = ((cpuOf(pids) - cpuBefore) * 1000) / SWEEPS;
    const sorted = times.toSorted((a, b) => a - b);
    return { median: median(sorted), p99: sorted[Math.floor(sorted.length * 0.99)]!, cpu };
  } finally {
    await pool.end();
  }
}

const met = (isMet: boolean): string => (isMet ? 'yes' : 'no');
const costRows = (name: string, { worker, database, transactions }: Cost): Row[] => [
  [
    `${name}: CPU of a publication`,
    `${figure(worker + database, 2)} ms: worker ${figure(worker, 2)}, database ${figure(database, 2)}`,
    `< ${GOAL_CPU_MS} ms`,
    met(worker + database < GOAL_CPU_MS),
  ],
  [`${name}: transactions of a publication`, figure(transactions, 2), '', ''],
];
const latenessText = ({ median: half, p99, max }: Lateness): string =>
  `median ${figure(half, 2)} s, 99% within ${figure(p99, 2)} s, longest ${figure(max, 2)} s`;

/**
 * Measures one worker on the sandbox network: posts due at a steady rate, many due in the same
 * second, and the search for due posts among many that are not.
 */
export async function measurePublishing({
  pace: { seconds },
  posts,
  json,
}: Options): Promise<void> {
  const database = await createTemporaryDatabase('posts_gateway_bench_publishing');
  try {
    const { pool } = database;
    await addAccounts(pool);
    logProgress(`Publishing ${RATE} posts per second for ${seconds} s`);
    const steady = await publish(database, 'steady', {
      posts: RATE * seconds,
      perSecond: RATE,
    });
    logProgress(`Publishing ${AT_ONCE} posts that are due in the same second`);
    const burst = await publish(database, 'burst', { posts: AT_ONCE, perSecond: AT_ONCE });
    logProgress(`Scheduling ${posts.toLocaleString('en')} posts for later`);
    await scheduleForLater(pool, posts);
    const sweep = await measureSweep(database);
    const rate = AT_ONCE / burst.lateness.duration;
    const { firstAccount, lastAccount } = burst.lateness;
    const rows: Row[] = [
      [
        `${RATE} per second for ${seconds} s`,
        latenessText(steady.lateness),
        `99% within ${GOAL_LATE_SECONDS} s`,
        met(steady.lateness.p99 <= GOAL_LATE_SECONDS),
      ],
      [
        'order',
        `a post was published at most ${figure(steady.lateness.overtaken)} s after one that was due later`,
        'oldest first',
        '',
      ],
      ...costRows('steady', steady.cost),
      [
        `${AT_ONCE} in one second, ${ACCOUNTS} accounts`,
        `${figure(rate)} per second; ${latenessText(burst.lateness)}`,
        `${RATE} per second`,
        met(rate >= RATE),
      ],
      [
        'accounts',
        `all posts of an account after ${figure(firstAccount, 1)} to ${figure(lastAccount, 1)} s`,
        '',
        '',
      ],
      ...costRows('burst', burst.cost),
      [
        `search among ${posts.toLocaleString('en')} posts, none due`,
        `median ${figure(sweep.median, 2)} ms, 99% within ${figure(sweep.p99, 2)} ms; CPU of the database ${figure(sweep.cpu, 2)} ms`,
        `< ${GOAL_SWEEP_MS} ms`,
        met(sweep.median < GOAL_SWEEP_MS),
      ],
    ];
    process.stdout.write(
      `${machineLine()}; one worker\n\n${textTable(['', 'measured', 'goal', 'met'], rows)}\n`,
    );
    if (json) process.stdout.write(`${JSON.stringify({ publishing: { steady, burst, sweep } })}\n`);
  } finally {
    await database.close();
  }
}
