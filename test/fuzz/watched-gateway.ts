import { memoryOf, TELLING_NODE, type Memory } from '../setup/memory.js';
import { start, until, type Started } from '../setup/started.js';

export interface WatchedGateway extends Started {
  readonly url: string;
  memory(): Promise<Memory>;
  /** SIGTERM, and how it ended. */
  stop(): Promise<number | null>;
}

/** The built gateway in a process of its own, without a limit of requests, asked what it holds. */
export async function aWatchedGateway(databaseUrl: string): Promise<WatchedGateway> {
  const started = start(
    { DATABASE_URL: databaseUrl, PORT: '0', RATE_LIMIT_REQUESTS: '1000000000' },
    [...TELLING_NODE, 'dist/main.js'],
  );
  await until(() => started.output().includes('REST v1'), started);
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
