import { spawn, spawnSync } from 'node:child_process';
import { freePort } from './free-port.js';

export interface BenchRedis {
  readonly url: string;
  readonly pid: number | null;
  readonly version: string;
  stop(): void;
}

/** The Redis of BENCH_REDIS_URL, or a new one if the program is installed; null otherwise. */
export async function openRedis(): Promise<BenchRedis | null> {
  const given = process.env.BENCH_REDIS_URL;
  if (given) return { url: given, pid: null, version: 'given', stop: () => undefined };
  const program = ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
  if (!program) return null;
  const version =
    /v=(\S+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? '';
  const port = await freePort();
  const child = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? null,
    version,
    stop: () => void child.kill(),
  };
}
