import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DIALECTS } from './dialects.js';
import { v1, type Request } from './requests.js';
import { freePort } from './free-port.js';
import { pinned } from './machine.js';
import { BENCH } from './product.js';
import { VIEWER } from './seed.js';
import type { Server } from './servers.js';

/** Database, Redis, core and workspace of a server. */
export interface ServerEnvironment {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly core: number | undefined;
  /** A workspace with posts: its list shows that a server of v1 is ready. */
  readonly someWorkspace: string;
}

export interface RunningServer {
  readonly server: Server;
  readonly origin: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first response. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 5;
const STOP_TIMEOUT_MS = 12_000;

export const send = (
  origin: string,
  { method, path: target, headers, body }: Request,
): Promise<Response> =>
  fetch(origin + target, { method, headers, ...(body !== undefined && { body }) });

const exited = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null
      ? resolve()
      : child.once('exit', () => resolve()),
  );

/**
 * Starts a server on its core, in production mode, and waits for its first response. @throws Error
 * with its stderr if it does not start
 */
export async function startServer(
  server: Server,
  { databaseUrl, redisUrl, core, someWorkspace }: ServerEnvironment,
): Promise<RunningServer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const dataDir = path.join(BENCH, '.data', 'gateway');
  mkdirSync(dataDir, { recursive: true });
  // the product uses the shell of npm if this is set
  const { npm_lifecycle_event: _event, ...environment } = process.env;
  const env = {
    ...environment,
    NODE_ENV: 'production',
    MEDIA_BASE_URL: 'https://posts.example.com',
    GRAPHILE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    VIEWER,
    // the product requires a key with DATABASE_URL; no account of the seed has credentials
    CREDENTIALS_KEY: Buffer.alloc(32).toString('base64'),
    ...(redisUrl && { REDIS_URL: redisUrl, REDIS_PREFIX: `bench:${process.pid}:` }),
  };
  const [program, ...args] = pinned(server.command, core);
  const started = performance.now();
  const child = spawn(program!, args, {
    cwd: server.folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString()).slice(-4_000);
  });
  const first = server.apis.includes('graphql')
    ? DIALECTS[server.dialect].typename()
    : v1.list(someWorkspace);
  while (
    !(await send(origin, first).then(
      (response) => response.text().then(() => response.ok),
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() - started > START_TIMEOUT_MS)
      throw new Error(`${server.name} did not start: ${errorOutput}`);
    await sleep(POLL_MS);
  }
  return {
    server,
    origin,
    pid: child.pid!,
    startMs: performance.now() - started,
    async stop() {
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited(child);
      clearTimeout(forced);
    },
  };
}
