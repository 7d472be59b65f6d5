import { DIALECTS } from './dialects.js';
import { median } from './results.js';
import type { RunningServer } from './running-server.js';
import {
  product,
  reportGrowth,
  ROUNDS,
  type Growth,
  type ScaleContext,
} from './scale-comparison.js';

const PROCESSES = 4;
const dialect = DIALECTS.contract;

/**
 * One process and four, with the same number of connections each, on the cores that the load
 * generator leaves.
 */
export async function byProcesses({
  environment,
  options,
  large: { seeded },
}: ScaleContext): Promise<Growth> {
  const requests = seeded.targets.details.map(({ workspace, id }) => dialect.post(workspace, id));
  const gateways: RunningServer[] = [];
  const requestsPerSecond = async (count: number): Promise<number> => {
    while (gateways.length < count)
      gateways.push(await environment.start(product, seeded, 'any core'));
    const origins = gateways.slice(0, count).map(({ origin }) => origin);
    const { requests: responses, seconds } = await environment.load.run({
      origins,
      sends: { requests },
      connections: options.pace.connections * count,
      seconds: options.pace.seconds,
      minResponses: 200,
    });
    return responses / seconds;
  };
  for (const count of [1, PROCESSES]) await requestsPerSecond(count); // warm-up
  const from: number[] = [];
  const to: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    from.push(await requestsPerSecond(1));
    to.push(await requestsPerSecond(PROCESSES));
  }
  // One core less for the load generator and half of the others for PostgreSQL; at least the
  // throughput of one process.
  const min = Math.max(0.9, Math.min(PROCESSES, (environment.cores?.all ?? 1) - 1) / 2);
  return reportGrowth({
    name: `Q2 per second, 1 and ${PROCESSES} processes of ${options.pace.connections} connections each`,
    from: median(from),
    to: median(to),
    goal: { min },
  });
}
