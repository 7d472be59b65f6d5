import { memoryOf, NODE_WITH_MEMORY_REPORT, type Memory } from '../setup/memory.js';
import { startProgram, waitUntil, type StartedProgram } from '../setup/started-program.js';
import { CREDENTIALS_KEY } from './fuzz-webhooks.js';

/** A gateway process that reports its memory. */
export interface MeasuredGateway extends StartedProgram {
  readonly url: string;
  memory(): Promise<Memory>;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the built gateway in a separate process, without a rate limit. It also writes a line if it
 * uses what a later version of Node.js deprecates.
 */
export async function startMeasuredGateway(databaseUrl: string): Promise<MeasuredGateway> {
  const started = startProgram(
    {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      RATE_LIMIT_REQUESTS: '1000000000',
      CREDENTIALS_KEY: CREDENTIALS_KEY.toString('base64'),
    },
    [...NODE_WITH_MEMORY_REPORT, '--pending-deprecation', 'dist/main.js'],
  );
  await waitUntil(() => started.output().includes('REST v1'), started);
  return {
    ...started,
    url: /http:\/\/[\d.]+:\d+/.exec(started.output())![0],
    memory: () => memoryOf(started),
    async stop() {
      started.child.kill('SIGTERM');
      return started.exit;
    },
  };
}
