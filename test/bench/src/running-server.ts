import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DIALECTS, v1, type Request } from './dialects.js';
import { freePort } from './free-port.js';
import { pinned } from './machine.js';
import { BENCH } from './product.js';
import { VIEWER } from './seed.js';
import type { Server } from './servers.js';

/** What servers are given. */
export interface Surroundings {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly core: number | undefined;
  /** Of a post that everybody answers for: with it a server of v1 shows that it is there. */
  readonly someWorkspace: string;
}

export interface RunningServer {
  readonly server: Server;
  readonly origin: string;
  readonly pid: number;
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const PATIENCE_MS = 60_000;
const LOOK_MS = 5;
const STOP_MS = 12_000;

export const send = (
  origin: string,
  { method, path: target, headers, body }: Request,
): Promise<Response> =>
  fetch(origin + target, { method, headers, ...(body !== undefined && { body }) });

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null
      ? resolve()
      : child.once('exit', () => resolve()),
  );

/** Starts a server on its core, in production mode, and waits for its first answer. @throws what it wrote, where it ends before */
export async function startServer(
  server: Server,
  { databaseUrl, redisUrl, core, someWorkspace }: Surroundings,
): Promise<RunningServer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const dataDir = path.join(BENCH, '.data', 'gateway');
  mkdirSync(dataDir, { recursive: true });
  const { npm_lifecycle_event: _event, ...environment } = process.env; // the product would look for npm's shell
  const env = {
    ...environment,
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    VIEWER,
    CREDENTIALS_KEY: Buffer.alloc(32).toString('base64'), // the product wants one beside DATABASE_URL; no account of the seed has credentials
    ...(redisUrl && { REDIS_URL: redisUrl, REDIS_PREFIX: `bench:${process.pid}:` }),
  };
  const [program, ...args] = pinned(server.command, core);
  const started = performance.now();
  const child = spawn(program!, args, {
    cwd: server.folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
  });
  const first = server.doors.includes('graphql')
    ? DIALECTS[server.dialect].typename()
    : v1.list(someWorkspace);
  while (
    !(await send(origin, first).then(
      (response) => response.text().then(() => response.ok),
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() - started > PATIENCE_MS)
      throw new Error(`${server.name} did not start: ${said}`);
    await sleep(LOOK_MS);
  }
  return {
    server,
    origin,
    pid: child.pid!,
    startMs: performance.now() - started,
    async stop() {
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended(child);
      clearTimeout(forced);
    },
  };
}
