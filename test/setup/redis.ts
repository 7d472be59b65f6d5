import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { findProgram, type SystemProgram } from './system-program.js';

/** A Redis with a key prefix of its own. */
export interface TestRedis {
  url: string;
  prefix: string;
  /** Deletes the keys, or stops the server if the test started it. */
  close(): Promise<void>;
}

/** A Redis server of the test, which may freeze and kill it. */
export interface RedisServer {
  url: string;
  port: number;
  /** SIGSTOP: connections stay open without responses. */
  freeze(): void;
  thaw(): void;
  /** kill -9: connections are refused, data is lost. */
  stop(): Promise<void>;
  /** Restarts on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const REDIS: SystemProgram = {
  neededBy: 'Redis',
  names: ['redis-server', 'valkey-server'],
  debianPackage: 'redis-server',
  alternative: 'set TEST_REDIS_URL',
};
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** TEST_REDIS_URL with a unique prefix; otherwise a new server. */
export async function testRedis(): Promise<TestRedis> {
  const url = process.env.TEST_REDIS_URL;
  const prefix = `pgw-test-${randomBytes(6).toString('hex')}:`;
  if (url) return { url, prefix, close: () => removeKeys(url, prefix) };
  const server = await aRedisServer();
  return { url: server.url, prefix, close: () => server.close() };
}

/** Starts the installed program on a free port of 127.0.0.1, with a temporary folder. */
export const aRedisServer = (...settings: string[]): Promise<RedisServer> =>
  startServer(temporaryFolder(), settings);

/** Starts a Sentinel, whose configuration is a file that it changes. */
export function aSentinel(configuration: readonly string[]): Promise<RedisServer> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'sentinel.conf');
  writeFileSync(file, configuration.join('\n'));
  return startServer(folder, ['--sentinel'], file);
}

const temporaryFolder = (): string =>
  mkdtempSync(path.join(os.tmpdir(), `pgw-test-redis-${process.pid}-`));

async function startServer(
  folder: string,
  settings: readonly string[],
  ...configurationFile: string[]
): Promise<RedisServer> {
  const program = findProgram(REDIS);
  const port = await freePort();
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const args = [...configurationFile, ...own, '--save', '', '--appendonly', 'no', ...settings];
  let child = await launch(program, port, args);
  const stop = async (): Promise<void> => {
    if (!running.has(child)) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop,
    async start() {
      child = await launch(program, port, args);
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(
  program: string,
  port: number,
  args: readonly string[],
): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: 'ignore' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const client = new Redis(port, '127.0.0.1', {
    retryStrategy: () => 10,
    maxRetriesPerRequest: null,
  }).on('error', () => undefined);
  const answered = client.ping().then(
    () => true,
    ({ message }: Error) => message.startsWith('NOAUTH'),
  );
  const isUp = await Promise.race([
    answered,
    once(child, 'exit').then(() => false),
    once(child, 'error').then(() => false),
  ]);
  client.disconnect();
  if (!isUp) throw new Error(`${program} exited on port ${port}`);
  return child;
}

/** A free port below the ephemeral range whose cluster bus port, 10,000 higher, is free, too. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 22_000);
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function removeKeys(url: string, prefix: string): Promise<void> {
  const client = new Redis(url);
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if ((keys as string[]).length > 0) await client.del(keys as string[]);
  }
  client.disconnect();
}
