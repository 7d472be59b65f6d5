import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchEnvironment, SeededDatabase } from '../bench-environment.js';
import { waitUntilIdle } from '../measure.js';
import { OPERATIONS, type Operation } from '../operations.js';
import type { RunningServer } from '../running-server.js';
import { refreshVersions, restore, type Targets } from '../targets.js';
import { measureCpu, serverProcesses } from '../usage.js';
import { MEASURED_REQUESTS, type RequestCost, type RequestKind } from './costs.js';
import { growthOf, readTableSizes, readWal, STATISTICS_MS, walOf } from './storage.js';

/** A gateway on a seeded database, and the load. */
export interface MeasuredRequests {
  readonly environment: BenchEnvironment;
  readonly seeded: SeededDatabase;
  readonly running: RunningServer;
  readonly connections: number;
}

const MIN_RESPONSES = 200;
async function send(
  { environment, seeded, running, connections }: MeasuredRequests,
  operation: Operation,
  seconds: number,
): Promise<number> {
  const { database, targets } = seeded;
  const { requests, failures, failure } = await environment.load.run({
    origins: [running.origin],
    sends: {
      operation: operation.name,
      dialect: 'contract',
      targets: operation.changes ? await refreshVersions(database.pool, targets) : targets,
      cursors: {},
    },
    connections,
    seconds,
    minResponses: MIN_RESPONSES,
  });
  if (failures > 0) throw new Error(`${failures} requests of ${operation.name} failed: ${failure}`);
  await waitUntilIdle(database.pool);
  // each connection had a request in progress when the load stopped, which was served as well
  return requests + connections;
}

/**
 * Measures one kind of request. A checkpoint comes first: until the next one, the first change of
 * each page adds the page to the write-ahead log.
 */
async function measureKind(
  context: MeasuredRequests,
  operation: Operation,
  { seconds, warmUpSeconds }: { seconds: number; warmUpSeconds: number },
): Promise<RequestCost> {
  const { environment, seeded, running } = context;
  const { pool } = seeded.database;
  await send(context, operation, warmUpSeconds);
  if (operation.changes) await restore(pool);
  await pool.query('CHECKPOINT');
  const redis = environment.redis?.pid;
  const [sizes, walBefore] = [await readTableSizes(pool), await readWal(pool)];
  const measured = {
    gateway: await measureCpu(() => [running.pid]),
    database: await measureCpu(() => serverProcesses(pool)),
    redis: await measureCpu(() => (redis ? [redis] : [])),
  };
  const requests = await send(context, operation, seconds);
  const perRequest = (cpuSeconds: number): number => (cpuSeconds * 1000) / requests;
  const cpu = {
    gatewayCpu: perRequest(await measured.gateway()),
    databaseCpu: perRequest(await measured.database()),
    redisCpu: perRequest(await measured.redis()),
  };
  await sleep(STATISTICS_MS);
  const wal = walOf(walBefore, await readWal(pool), requests);
  const storage = growthOf(sizes, await readTableSizes(pool), requests);
  if (operation.changes) await restore(pool);
  return {
    ...cpu,
    wal: operation.changes ? wal : { bytes: 0, pages: 0 },
    storage,
  };
}

/** Targets whose creations have at most this number of posts. */
const creating = (targets: Targets, posts: number): Targets => ({
  ...targets,
  creations: targets.creations.map(({ workspace, accountIds }) => ({
    workspace,
    accountIds: accountIds.slice(0, posts),
  })),
});

/** Measures all kinds of requests, one after another. */
export async function measureRequests(
  context: MeasuredRequests,
  pace: { seconds: number; warmUpSeconds: number },
): Promise<Record<RequestKind, RequestCost>> {
  const costs: Partial<Record<RequestKind, RequestCost>> = {};
  for (const [kind, measured] of Object.entries(MEASURED_REQUESTS)) {
    const { operation: name, posts = Infinity } = measured as { operation: string; posts?: number };
    const operation = OPERATIONS.find((item) => item.name === name)!;
    const { database, targets } = context.seeded;
    const seeded = { database, targets: creating(targets, posts) };
    costs[kind as RequestKind] = await measureKind({ ...context, seeded }, operation, pace);
  }
  return costs as Record<RequestKind, RequestCost>;
}
