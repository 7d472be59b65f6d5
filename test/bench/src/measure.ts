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

export interface Pace { readonly connections: number; readonly seconds: number; readonly warmSeconds: number }

/** Answers without which nothing is warm, and without which a round says nothing. */
const WARM_ANSWERS = 300;
const LEAST_ANSWERS = 200;


interface Bench { readonly pool: pg.Pool; readonly load: LoadProcess; readonly redisPid: number | null; readonly pace: Pace }

const LOOK_MS = 20;
const LOOKS = 5;

/** Waits for what was under way when the load stopped: until PostgreSQL has had nothing to do for a while. */
async function settled(pool: pg.Pool): Promise<void> {
  for (let idle = 0; idle < LOOKS;) {
    await sleep(LOOK_MS);
    const { rows } = await pool.query<{ busy: number }>("SELECT count(*)::int AS busy FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'bench' AND state <> 'idle'");
    idle = rows[0]!.busy === 0 ? idle + 1 : 0;
  }
}

/** Loads a server with an operation; gives nothing for the warming-up. @throws where answers were no answers */
export async function measure(bench: Bench, running: RunningServer, operation: Operation, { facts, cursors }: { facts: Facts; cursors: Readonly<Record<string, string>> }): Promise<Measurement> {
  const { pool, load, redisPid, pace } = bench;
  const runFor = async (seconds: number, atLeast: number): Promise<LoadResult> => {
    const current = operation.changes ? await refreshVersions(pool, facts) : facts;
    const result = await load.run({
      origin: running.origin, operation: operation.name, dialect: running.server.dialect, facts: current, cursors, connections: pace.connections, seconds, atLeast,
    });
    await settled(pool);
    if (result.failures > result.requests / 1000) {
      throw new Error(`${running.server.name} failed ${result.failures} of ${result.requests} requests of ${operation.name}: ${result.failure?.slice(0, 500) ?? 'no connection'}`);
    }
    return result;
  };
  await runFor(pace.warmSeconds, WARM_ANSWERS);
  if (operation.changes) await restore(pool);
  const redis = redisPid === null ? [] : [redisPid];
  const database = [...(await backends(pool)), ...redis];
  const before = { server: cpuSeconds(running.pid), database: cpuOf(database) };
  const { requests, seconds, p50, p99 } = await runFor(pace.seconds, LEAST_ANSWERS);
  const each = (cpu: number): number => (cpu * 1000) / requests;
  const measured: Measurement = {
    server: running.server.name, operation: operation.name, perSecond: requests / seconds, p50, p99,
    serverCpu: each(cpuSeconds(running.pid) - before.server), databaseCpu: each(cpuOf(database) - before.database),
  };
  if (operation.changes) await restore(pool);
  return measured;
}

/** A taste of every operation, so that the first one measured is not the one that compiles. */
export async function warmUp(bench: Bench, running: RunningServer, operations: readonly Operation[], { facts, cursors }: { facts: Facts; cursors: Readonly<Record<string, string>> }): Promise<void> {
  for (const operation of operations.filter((one) => !one.changes)) {
    await bench.load.run({
      origin: running.origin, operation: operation.name, dialect: running.server.dialect, facts, cursors, connections: bench.pace.connections, seconds: bench.pace.warmSeconds, atLeast: WARM_ANSWERS,
    });
  }
}
