import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ROOT } from './product.js';
import {
  readLateness,
  schedulePosts,
  waitUntilPublished,
  type Lateness,
} from './publishing-posts.js';
import {
  growthOf,
  readTableSizes,
  readWal,
  STATISTICS_MS,
  walOf,
  type TableGrowth,
  type Wal,
} from './scaling/storage.js';
import { backends, measureCpu, residentMb } from './usage.js';

/** Time for the creation of the posts before the first is due, in all and for each post. */
const LEAD_MS = 10_000;
const LEAD_MS_PER_POST = 3;

/** What a publication costs: CPU in milliseconds, transactions, and bytes. */
export interface PublicationCost {
  readonly worker: number;
  readonly database: number;
  readonly transactions: number;
  readonly wal: Wal;
  /** Growth of tables and indexes. */
  readonly storage: readonly TableGrowth[];
}

/** The run of a worker, and its memory and connections at the end. */
interface PublicationRun {
  readonly lateness: Lateness;
  readonly cost: PublicationCost;
  readonly workerMb: number;
  readonly connections: number;
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
export async function publish(
  database: { pool: pg.Pool; url: string },
  phase: string,
  { posts, perSecond }: { posts: number; perSecond: number },
): Promise<PublicationRun> {
  const { pool, url } = database;
  const from = new Date(Math.ceil((Date.now() + LEAD_MS + posts * LEAD_MS_PER_POST) / 1000) * 1000);
  await schedulePosts(pool, phase, { posts, from, perSecond });
  if (Date.now() > from.getTime()) throw new Error('The posts were due before they existed.');
  const worker = await startWorker(url);
  const before = await readTransactions(pool);
  try {
    await sleep(Math.max(0, from.getTime() - Date.now() - 1_000));
    const [sizesBefore, walBefore] = [await readTableSizes(pool), await readWal(pool)];
    const databaseCpu = await measureCpu(() => backends(pool));
    const workerCpu = await measureCpu(() => [worker.pid]);
    await waitUntilPublished(pool, phase);
    const perPost = (seconds: number): number => (seconds * 1000) / posts;
    const cpu = {
      worker: perPost(await workerCpu()),
      database: perPost(await databaseCpu()),
    };
    await sleep(STATISTICS_MS);
    const wal = walOf(walBefore, await readWal(pool), posts);
    const storage = growthOf(sizesBefore, await readTableSizes(pool), posts);
    const transactions = ((await readTransactions(pool)) - before) / posts;
    return {
      lateness: await readLateness(pool, phase),
      cost: { ...cpu, transactions, wal, storage },
      workerMb: residentMb(worker.pid),
      connections: (await backends(pool)).length,
    };
  } finally {
    await worker.stop();
  }
}
