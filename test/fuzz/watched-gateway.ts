import path from 'node:path';
import { start, until, type Started } from '../setup/started.js';

/** What a process holds once everything is collected that can be, in MB. */
export interface Memory { readonly rss: number; readonly heap: number }

export interface WatchedGateway extends Started {
  readonly url: string;
  memory(): Promise<Memory>;
  /** SIGTERM, and how it ended. */
  stop(): Promise<number | null>;
}

const MB = 1_048_576;

/** The built gateway in a process of its own, without a limit of requests, asked what it holds. */
export async function aWatchedGateway(databaseUrl: string): Promise<WatchedGateway> {
  const node = [process.execPath, '--max-semi-space-size=64', '--expose-gc', '--require', path.join(__dirname, 'tell-memory.cjs'), 'dist/main.js'] as [string, ...string[]];
  const started = start({ DATABASE_URL: databaseUrl, PORT: '0', RATE_LIMIT_REQUESTS: '1000000000' }, node);
  await until(() => started.output().includes('REST v1'), started);
  const told = (): string[] => started.output().match(/^memory .*$/gm) ?? [];
  return {
    ...started,
    url: /http:\/\/[\d.]+:\d+/.exec(started.output())![0],
    async memory() {
      const before = told().length;
      started.child.kill('SIGUSR2');
      await until(() => told().length > before, started);
      const { rss, heapUsed } = JSON.parse(told().at(-1)!.slice('memory '.length)) as NodeJS.MemoryUsage;
      return { rss: Math.round(rss / MB), heap: Math.round(heapUsed / MB) };
    },
    async stop() {
      started.child.kill('SIGTERM');
      return started.exit;
    },
  };
}
