import path from 'node:path';
import { v1, type Request } from './requests.js';
import type { Options } from './options.js';
import { BENCH } from './product.js';
import { median } from './results.js';
import type { Server } from './servers.js';
import { withBenchEnvironment } from './bench-environment.js';
import { figure, textTable } from './text-table.js';
import { cpuSeconds } from './usage.js';

const AUTHENTICATION_SERVER: Server = {
  name: 'authentication',
  title: 'authentication and rate limiting',
  packages: [],
  dialect: 'contract',
  apis: ['v1'],
  command: ['node', path.join(BENCH, 'dist', 'authentication-server.js')],
  folder: BENCH,
  needsIndex: false,
};
const POSTS = 10_000;
/** Goal: milliseconds of CPU per request for authentication and rate limiting. */
const GOAL_MS = 0.08;

interface CpuTimes {
  readonly unauthenticated: number;
  readonly authenticated: number;
}

/**
 * Measures the CPU time of authentication and rate limiting: responses with them compared with
 * responses without, in alternating rounds. The first round warms up.
 */
export const measureAuthentication = ({
  rounds,
  pace: { connections, seconds },
  json,
}: Options): Promise<void> =>
  withBenchEnvironment(async (environment) => {
    const seeded = await environment.openDatabase(POSTS);
    const { origin, pid } = await environment.start(AUTHENTICATION_SERVER, seeded);
    const authenticatedRequest = v1.list(seeded.targets.readers[0]!);
    const cpuPerRequest = async (request: Request): Promise<number> => {
      const before = cpuSeconds(pid);
      const { requests, failures, failure } = await environment.load.run({
        origins: [origin],
        sends: { requests: [request] },
        connections,
        seconds,
        minResponses: 200,
      });
      if (failures > 0) throw new Error(`${failures} requests failed: ${failure}`);
      return ((cpuSeconds(pid) - before) * 1000) / requests;
    };
    const cpuTimes: CpuTimes[] = [];
    for (let round = 0; round <= rounds; round++)
      cpuTimes.push({
        unauthenticated: await cpuPerRequest({ ...authenticatedRequest, path: '/open' }),
        authenticated: await cpuPerRequest(authenticatedRequest),
      });
    const figureOf = (read: (times: CpuTimes) => number): number =>
      median(cpuTimes.slice(1).map(read));
    const [unauthenticated, authenticated, difference] = [
      figureOf((times) => times.unauthenticated),
      figureOf((times) => times.authenticated),
      figureOf((times) => times.authenticated - times.unauthenticated),
    ];
    process.stdout.write(
      `${await environment.machine(seeded)}\n${connections} connections, medians of ${rounds} rounds of ${seconds} s\n\n`,
    );
    process.stdout.write(
      `${textTable(['CPU ms per request', 'without', 'with', 'difference', 'goal', 'met'], [['authentication and rate limiting', figure(unauthenticated, 3), figure(authenticated, 3), figure(difference, 3), `≤ ${GOAL_MS}`, difference <= GOAL_MS ? 'yes' : 'no']])}\n`,
    );
    if (json)
      process.stdout.write(
        `${JSON.stringify({ gate: { cpuMs: Number(difference.toFixed(4)) } })}\n`,
      );
  });
