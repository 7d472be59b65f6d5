import {
  chownSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runAs } from './embedded-account.js';
import { findBinaries, type Binaries } from './embedded-binaries.js';
import type { Place } from './embedded-place.js';
import { isRunning } from './lock-file.js';
import type { Log } from '../persistence/log.js';

/** Server settings beyond ours, e.g. `{fsync: 'off'}`; plain words only, they pass through a shell. */
export type ServerSettings = Record<string, string>;

const USER = 'posts_gateway';
const START_S = 60; // recovery after a crash of the machine takes seconds; more than this is a fault
const START_ATTEMPTS = 8;
const RETRY_MS = 250;
// A port that someone else took in between; or a killed server whose last processes are still ending.
const PASSING = /could not bind|already exists|in use/i;
const PORT_TAKEN = /could not bind|could not create any TCP/i;
const INIT_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // paths of sockets are limited to some 100 bytes
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** The connection of one database on the embedded server. */
export function connectionTo(place: Place, port: number, database: string): string {
  const password = readFileSync(path.join(place.folder, 'password'), 'utf8').trim();
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/**
 * The port of the server that already runs on this place, waiting while it starts or stops; undefined when none does.
 * @throws when it runs and refuses us
 */
export async function findRunning(place: Place): Promise<number | undefined> {
  const deadline = Date.now() + START_S * 1000;
  while (Date.now() < deadline) {
    const [pid, , , port, , , , status] = pidFile(place);
    if (!isRunning(Number(pid))) return undefined;
    const answer = status?.trim() === 'ready' ? await recognise(place, Number(port)) : 'not yet';
    if (answer !== 'not yet') return answer === 'ours' ? Number(port) : undefined;
    await sleep(20);
  }
  throw new Error(
    `The database server in ${place.folder} neither starts nor stops; see ${path.join(place.folder, 'server.log')}`,
  );
}

/** How it is started: with which settings, and on which port alone. */
interface StartOptions {
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly wanted?: number;
}

/**
 * Starts the server on 127.0.0.1, making the database cluster first when there is none. Its port is the one it had, where
 * its users look for it if it died; another free one where that is taken, unless it is `wanted`.
 */
export async function startServer(
  place: Place,
  { settings, log, wanted }: StartOptions,
): Promise<number> {
  const binaries = await findBinaries(place, log);
  const data = path.join(place.folder, 'data');
  if (!existsSync(data)) await initialise(place, binaries);
  assertVersion(data, binaries);
  const serverLog = path.join(place.folder, 'server.log');
  const portFile = path.join(place.folder, 'port');
  let [problem, port] = ['', wanted ?? (lastPort(portFile) || (await freePort()))];
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const options = Object.entries(settings)
      .map(([name, value]) => ` -c ${name}=${value}`)
      .join('');
    if (existsSync(serverLog)) renameSync(serverLog, `${serverLog}.1`); // two runs at most: no rotation needed
    // Paths relative to the folder, so that its name never meets a shell
    const outcome = await runAs(place.account, place.folder, [
      binaries.pgCtl,
      'start',
      '-w',
      '-t',
      String(START_S),
      '-s',
      '-D',
      'data',
      '-l',
      'server.log',
      '-o',
      `-p ${port}${options}`,
    ]);
    if (outcome.code === 0 && (await findRunning(place)) === port) {
      writeFileSync(portFile, String(port));
      return port;
    }
    // A start whose process was killed goes on by itself, and may have come first.
    const running = await findRunning(place);
    if (running !== undefined) return running;
    problem =
      firstProblem(existsSync(serverLog) ? readFileSync(serverLog, 'utf8') : outcome.output) ||
      outcome.output.trim();
    if (!PASSING.test(problem)) break;
    if (PORT_TAKEN.test(problem)) {
      if (wanted !== undefined) break;
      port = await freePort();
    }
    await sleep(RETRY_MS);
  }
  throw new Error(`PostgreSQL did not start on ${data}: ${problem} (see ${serverLog})`);
}

/** Stops the server: running statements are rolled back, nothing committed is lost. */
export async function stopServer(place: Place, log: Log): Promise<void> {
  const { pgCtl } = await findBinaries(place, log);
  const { code, output } = await runAs(place.account, place.folder, [
    pgCtl,
    'stop',
    '-w',
    '-t',
    String(START_S),
    '-s',
    '-m',
    'fast',
    '-D',
    'data',
  ]);
  if (code !== 0 && isRunning(Number(pidFile(place)[0])))
    log.warn(`PostgreSQL in ${place.folder} did not stop: ${output.trim()}`);
}

async function initialise({ folder, account }: Place, { initdb }: Binaries): Promise<void> {
  for (const left of readdirSync(folder))
    if (left.startsWith('data.new'))
      rmSync(path.join(folder, left), { recursive: true, force: true });
  const password = path.join(folder, 'password');
  writeFileSync(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (account) chownSync(password, account.uid, account.gid);
  const unfinished = `data.new-${process.pid}`;
  const { code, output } = await runAs(account, folder, [
    initdb,
    '-D',
    unfinished,
    '-U',
    USER,
    '-A',
    'scram-sha-256',
    '--pwfile=password',
    '-E',
    'UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8', // lower() and the like on all of Unicode, the same on every system
    '--no-sync',
    '--no-instructions',
    ...Object.entries(INIT_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  if (code !== 0)
    throw new Error(`PostgreSQL could not make its files in ${folder}: ${firstProblem(output)}`);
  renameSync(path.join(folder, unfinished), path.join(folder, 'data'));
}

function assertVersion(data: string, { major }: Binaries): void {
  const file = path.join(data, 'PG_VERSION');
  if (!existsSync(file))
    throw new Error(
      `${data} is not a PostgreSQL data folder, or is damaged (no PG_VERSION): move it away, or set DATA_DIR`,
    );
  const found = readFileSync(file, 'utf8').trim();
  if (found !== String(major))
    throw new Error(
      `${data} was written by PostgreSQL ${found}, this build brings ${major}: move it away, or set DATA_DIR`,
    );
}

const lastPort = (file: string): number =>
  existsSync(file) ? Number(readFileSync(file, 'utf8')) : NaN;

function pidFile({ folder }: Place): string[] {
  try {
    return readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

// Another server may have come to that port since: ours sees the same pid file (pid, data directory, start, port) as we do.
async function recognise(place: Place, port: number): Promise<'ours' | 'not ours' | 'not yet'> {
  const client = new pg.Client({
    connectionString: connectionTo(place, port, 'postgres'),
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ file: string }>(
      "SELECT encode(pg_read_binary_file('postmaster.pid'), 'base64') AS file",
    );
    const theirs = Buffer.from(rows[0]?.file ?? '', 'base64')
      .toString('utf8')
      .split('\n');
    return theirs.slice(0, 4).join('\n') === pidFile(place).slice(0, 4).join('\n')
      ? 'ours'
      : 'not ours';
  } catch (error) {
    const answer = REFUSALS[(error as { code?: string }).code ?? ''];
    if (answer) return answer;
    throw new Error(
      `The database server in ${place.folder} refuses connections: ${(error as Error).message}`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

const REFUSALS: Record<string, 'not ours' | 'not yet'> = {
  ECONNREFUSED: 'not ours', // the pid belongs to another program now
  ECONNRESET: 'not yet',
  '28P01': 'not ours',
  '28000': 'not ours',
  '57P01': 'not yet', // shutting down
  '57P03': 'not yet', // starting up, recovering
};

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as AddressInfo;
        probe.close(() => resolve(port));
      });
  });
}

const firstProblem = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.find((line) => /FATAL|PANIC|could not|error/i.test(line)) ?? lines.at(-1) ?? '';
};
