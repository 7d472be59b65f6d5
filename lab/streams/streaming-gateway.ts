import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessUsage } from '../load/process-usage.js';
import { NODE_WITH_MEMORY_REPORT } from '../../test/setup/memory.js';
import { startProgram, waitUntil, type StartedProgram } from '../../test/setup/started-program.js';

/** A gateway whose resources are measured. */
export interface MeasuredGateway {
  readonly program: StartedProgram;
  readonly url: string;
  readonly metricsUrl: string;
}

/** `options`: of Node.js. */
export async function startGateway(
  databaseUrl: string,
  options: readonly string[] = [],
): Promise<MeasuredGateway> {
  const program = startProgram(
    {
      NODE_ENV: 'production',
      MEDIA_BASE_URL: 'https://posts.example.com',
      DATABASE_URL: databaseUrl,
      PORT: '0',
      METRICS_PORT: '0',
      MAX_CONNECTIONS_PER_ADDRESS: '100000',
    },
    [...NODE_WITH_MEMORY_REPORT, ...options, 'dist/main.js'],
  );
  await waitUntil(() => program.output().includes('Metrics'), program);
  const [, url] = /GraphQL +(http:\S+)\/graphql/.exec(program.output())!;
  const [, metricsUrl] = /Metrics +(http:\S+)\/metrics/.exec(program.output())!;
  return { program, url: url!, metricsUrl: metricsUrl! };
}

export async function stopGateway({ program }: MeasuredGateway): Promise<void> {
  program.child.kill('SIGTERM');
  await program.exit;
}

const cpuMsOf = async ({ metricsUrl }: MeasuredGateway): Promise<number> =>
  (await readProcessUsage(metricsUrl)).cpuSeconds * 1_000;

const IDLE_MS = 5_000;

/** CPU time of a gateway without requests, as a share of a core. */
export async function idleShareOf(gateway: MeasuredGateway): Promise<number> {
  const before = await cpuMsOf(gateway);
  await sleep(IDLE_MS);
  return ((await cpuMsOf(gateway)) - before) / IDLE_MS;
}

/**
 * Measures CPU time, in milliseconds. The time that an idle gateway would have used is left out: on
 * a busy machine, it is a larger share.
 */
export async function cpuMsWhile(
  gateway: MeasuredGateway,
  idleShare: number,
  run: () => Promise<unknown>,
): Promise<number> {
  const [before, startedAt] = [await cpuMsOf(gateway), performance.now()];
  await run();
  const idleMs = idleShare * (performance.now() - startedAt);
  return (await cpuMsOf(gateway)) - before - idleMs;
}
