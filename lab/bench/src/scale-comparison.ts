import type { BenchEnvironment, SeededDatabase } from './bench-environment.js';
import type { Request } from './requests.js';
import type { LoadResult } from './load.js';
import type { Options } from './options.js';
import { logProgress } from './progress.js';
import { median } from './results.js';
import type { RunningServer } from './running-server.js';
import { SERVERS } from './servers.js';
import { refreshVersions, restore } from './targets.js';
import { figure } from './text-table.js';

/**
 * A measurement on two sides, and the limit for `to / from`: a maximum for milliseconds, a minimum
 * for requests per second.
 */
export interface Growth {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly goal: { readonly max: number } | { readonly min: number };
}

/** A gateway on a seeded database. */
export interface MeasuredGateway {
  readonly seeded: SeededDatabase;
  readonly running: RunningServer;
}
/** What is sent to a gateway: requests, or updates of the posts in its database. */
export type Sends = readonly Request[] | 'updates';
type Side = readonly [MeasuredGateway, Sends];
export interface ScaleContext {
  readonly environment: BenchEnvironment;
  readonly options: Options;
  readonly large: MeasuredGateway;
}

export const ROUNDS = 5;
export const product = SERVERS[0]!;

async function measureSide(
  { environment, options }: ScaleContext,
  [{ seeded, running }, sends]: Side,
): Promise<LoadResult> {
  const { database, targets } = seeded;
  const sent =
    sends === 'updates'
      ? {
          operation: 'M1',
          dialect: 'contract' as const,
          targets: await refreshVersions(database.pool, targets),
          cursors: {},
        }
      : { requests: sends };
  const result = await environment.load.run({
    origins: [running.origin],
    sends: sent,
    connections: 2,
    seconds: options.pace.seconds,
    minResponses: 50,
  });
  if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${result.failure}`);
  if (sends === 'updates') await restore(database.pool);
  return result;
}

/**
 * Median latency of both sides, measured in alternating rounds. The first round warms up. `max` is
 * the limit for the ratio.
 */
export async function compareSides(
  context: ScaleContext,
  sides: { readonly name: string; readonly from: Side; readonly to: Side },
  max: number,
): Promise<Growth> {
  const latencies: { from: number[]; to: number[] } = { from: [], to: [] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const side of ['from', 'to'] as const)
      latencies[side].push((await measureSide(context, sides[side])).p50);
  return reportGrowth({
    name: sides.name,
    from: median(latencies.from.slice(1)),
    to: median(latencies.to.slice(1)),
    goal: { max },
  });
}

/**
 * Prints a result when it is measured: the table is printed at the end, and the run may fail
 * before.
 */
export function reportGrowth(growth: Growth): Growth {
  logProgress(`${growth.name}: ${figure(growth.from, 2)}, ${figure(growth.to, 2)}`);
  return growth;
}
