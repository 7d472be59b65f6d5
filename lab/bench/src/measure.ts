import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { refreshVersions, restore, type Targets } from './targets.js';
import type { LoadProcess } from './load-process.js';
import type { LoadResult } from './load.js';
import type { Operation } from './operations.js';
import type { RunningServer } from './running-server.js';
import { backends, measureCpu } from './usage.js';

/** One round of an operation on a server. */
export interface Measurement {
  readonly server: string;
  readonly operation: string;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of CPU per request: of the server, and of PostgreSQL and Redis. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
}

export interface Pace {
  readonly connections: number;
  /** Requests per second of all connections together; as many as the server answers if undefined. */
  readonly perSecond?: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** Minimum number of responses for a warm-up and for a round. */
const WARM_UP_RESPONSES = 300;
const MIN_RESPONSES = 200;

/** The database, the load generator, and the duration of rounds. */
export interface Bench {
  readonly pool: pg.Pool;
  readonly load: LoadProcess;
  readonly redisPid: number | null;
  readonly pace: Pace;
}

const POLL_MS = 20;
const IDLE_POLLS = 5;

/** Waits until PostgreSQL has been idle for a while: requests may still run when the load stops. */
export async function waitUntilIdle(pool: pg.Pool): Promise<void> {
  for (let idle = 0; idle < IDLE_POLLS;) {
    await sleep(POLL_MS);
    const { rows } = await pool.query<{ busy: number }>(
      "SELECT count(*)::int AS busy FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'bench' AND state <> 'idle'",
    );
    idle = rows[0]!.busy === 0 ? idle + 1 : 0;
  }
}

/** Input of an operation: its targets, and the cursors of the server. */
export interface OperationInput {
  readonly targets: Targets;
  readonly cursors: Readonly<Record<string, string>>;
}

/** Sends load to a server. @throws Error if more than one response in a thousand fails */
async function loadFor(
  { pool, load, pace: { connections, perSecond } }: Bench,
  running: RunningServer,
  operation: Operation,
  {
    targets,
    cursors,
    seconds,
    minResponses,
  }: OperationInput & { seconds: number; minResponses: number },
): Promise<LoadResult> {
  const {
    origin,
    server: { name, dialect },
  } = running;
  const current = operation.changes ? await refreshVersions(pool, targets) : targets;
  const result = await load.run({
    origins: [origin],
    sends: { operation: operation.name, dialect, targets: current, cursors },
    connections,
    ...(perSecond !== undefined && { perSecond }),
    seconds,
    minResponses,
  });
  await waitUntilIdle(pool);
  if (result.failures > result.requests / 1000) {
    throw new Error(
      `${name}: ${result.failures} of ${result.requests} requests of ${operation.name} failed: ${result.failure?.slice(0, 500) ?? 'no connection'}`,
    );
  }
  return result;
}

/** Measures one round of an operation. */
export async function measure(
  bench: Bench,
  running: RunningServer,
  operation: Operation,
  input: OperationInput,
): Promise<Measurement> {
  const { pool, redisPid, pace } = bench;
  const databaseCpu = await measureCpu(async () =>
    (await backends(pool)).concat(redisPid === null ? [] : [redisPid]),
  );
  const serverCpu = await measureCpu(() => [running.pid]);
  const { requests, seconds, p50, p99 } = await loadFor(bench, running, operation, {
    ...input,
    seconds: pace.seconds,
    minResponses: MIN_RESPONSES,
  });
  const perRequest = (cpu: number): number => (cpu * 1000) / requests;
  const measured: Measurement = {
    server: running.server.name,
    operation: operation.name,
    perSecond: requests / seconds,
    p50,
    p99,
    serverCpu: perRequest(await serverCpu()),
    databaseCpu: perRequest(await databaseCpu()),
  };
  if (operation.changes) await restore(pool);
  return measured;
}

/**
 * Runs every operation for a short time, so that code is compiled and database connections are open
 * before the first round.
 */
export async function warmUp(
  bench: Bench,
  running: RunningServer,
  operations: readonly Operation[],
  input: OperationInput,
): Promise<void> {
  for (const operation of operations) {
    await loadFor(bench, running, operation, {
      ...input,
      seconds: bench.pace.warmUpSeconds,
      minResponses: WARM_UP_RESPONSES,
    });
    if (operation.changes) await restore(bench.pool);
  }
}
