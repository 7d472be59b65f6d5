import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { refreshVersions, restore, type Facts } from './facts.js';
import type { LoadProcess } from './load-process.js';
import type { LoadResult } from './load.js';
import type { Operation } from './operations.js';
import type { RunningServer } from './running-server.js';
import { backends, cpuOf, cpuSeconds } from './usage.js';

/** One round of an operation on a server. */
export interface Measurement {
  readonly server: string;
  readonly operation: string;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of CPU a request, of the server and of the database with Redis. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
}

export interface Pace {
  readonly connections: number;
  readonly seconds: number;
  readonly warmSeconds: number;
}

/** Answers without which nothing is warm, and without which a round says nothing. */
const WARM_ANSWERS = 300;
const LEAST_ANSWERS = 200;

/** What measures: the database to look at, the load generator, and for how long. */
export interface Bench {
  readonly pool: pg.Pool;
  readonly load: LoadProcess;
  readonly redisPid: number | null;
  readonly pace: Pace;
}

const LOOK_MS = 20;
const LOOKS = 5;

/** Waits for what was under way when the load stopped: until PostgreSQL has had nothing to do for a while. */
async function settled(pool: pg.Pool): Promise<void> {
  for (let idle = 0; idle < LOOKS;) {
    await sleep(LOOK_MS);
    const { rows } = await pool.query<{ busy: number }>(
      "SELECT count(*)::int AS busy FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'bench' AND state <> 'idle'",
    );
    idle = rows[0]!.busy === 0 ? idle + 1 : 0;
  }
}

/** What an operation is asked about: posts and workspaces, and the server's own cursors. */
export interface About {
  readonly facts: Facts;
  readonly cursors: Readonly<Record<string, string>>;
}

/** Loads a server for a while. @throws where more than one in a thousand answers was none */
async function loadFor(
  { pool, load, pace: { connections } }: Bench,
  running: RunningServer,
  operation: Operation,
  { facts, cursors, seconds, atLeast }: About & { seconds: number; atLeast: number },
): Promise<LoadResult> {
  const {
    origin,
    server: { name, dialect },
  } = running;
  const current = operation.changes ? await refreshVersions(pool, facts) : facts;
  const result = await load.run({
    origins: [origin],
    sends: { operation: operation.name, dialect, facts: current, cursors },
    connections,
    seconds,
    atLeast,
  });
  await settled(pool);
  if (result.failures > result.requests / 1000) {
    throw new Error(
      `${name} failed ${result.failures} of ${result.requests} requests of ${operation.name}: ${result.failure?.slice(0, 500) ?? 'no connection'}`,
    );
  }
  return result;
}

/** Measures one round of an operation. */
export async function measure(
  bench: Bench,
  running: RunningServer,
  operation: Operation,
  about: About,
): Promise<Measurement> {
  const { pool, redisPid, pace } = bench;
  const database = [...(await backends(pool)), ...(redisPid === null ? [] : [redisPid])];
  const before = { server: cpuSeconds(running.pid), database: cpuOf(database) };
  const { requests, seconds, p50, p99 } = await loadFor(bench, running, operation, {
    ...about,
    seconds: pace.seconds,
    atLeast: LEAST_ANSWERS,
  });
  const each = (cpu: number): number => (cpu * 1000) / requests;
  const measured: Measurement = {
    server: running.server.name,
    operation: operation.name,
    perSecond: requests / seconds,
    p50,
    p99,
    serverCpu: each(cpuSeconds(running.pid) - before.server),
    databaseCpu: each(cpuOf(database) - before.database),
  };
  if (operation.changes) await restore(pool);
  return measured;
}

/** A taste of every operation, so that none is measured while it is compiled, and all connections to the database are open. */
export async function warmUp(
  bench: Bench,
  running: RunningServer,
  operations: readonly Operation[],
  about: About,
): Promise<void> {
  for (const operation of operations) {
    await loadFor(bench, running, operation, {
      ...about,
      seconds: bench.pace.warmSeconds,
      atLeast: WARM_ANSWERS,
    });
    if (operation.changes) await restore(bench.pool);
  }
}
