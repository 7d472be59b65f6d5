import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isProcessRunning } from './lock-file.js';
import type { ServerLocation } from './server-location.js';

/** Superuser of the embedded server. */
export const SERVER_USER = 'posts_gateway';
/** Timeout of a start or stop. Recovery after a machine crash takes seconds. */
export const START_TIMEOUT_S = 60;

/** The connection URL of a database on the embedded server. */
export function toConnectionString(
  location: ServerLocation,
  port: number,
  database: string,
): string {
  const password = readFileSync(path.join(location.folder, 'password'), 'utf8').trim();
  return `postgresql://${SERVER_USER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/**
 * The port of the server that runs at this location, after waiting for a start or stop in progress;
 * undefined if none runs.
 * @throws Error of one line if it runs and refuses connections
 */
export async function findRunningPort(location: ServerLocation): Promise<number | undefined> {
  const deadline = Date.now() + START_TIMEOUT_S * 1000;
  while (Date.now() < deadline) {
    const [pid, , , port, , , , status] = readPidFile(location);
    if (!isProcessRunning(Number(pid))) return undefined;
    const identity =
      status?.trim() === 'ready' ? await identifyServer(location, Number(port)) : 'unknown';
    if (identity !== 'unknown') return identity === 'own' ? Number(port) : undefined;
    await sleep(20);
  }
  throw new Error(
    `The database server in ${location.folder} neither starts nor stops. See ${path.join(location.folder, 'server.log')}`,
  );
}

/** The process ID in the pid file; NaN without one. */
export const readServerPid = (location: ServerLocation): number =>
  Number(readPidFile(location)[0] ?? NaN);

function readPidFile({ folder }: ServerLocation): string[] {
  try {
    return readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * `foreign`: another program has the port or the process ID. `unknown`: the server is starting or
 * stopping.
 */
type Identity = 'own' | 'foreign' | 'unknown';

const IDENTITY_BY_ERROR_CODE: Readonly<Record<string, Identity>> = {
  ECONNREFUSED: 'foreign', // another program has the process ID
  ECONNRESET: 'unknown',
  '28P01': 'foreign',
  '28000': 'foreign',
  '57P01': 'unknown', // shutting down
  '57P03': 'unknown', // starting up or recovering
};

/**
 * Identifies the server on a port by its pid file (pid, data directory, start time, port): another
 * server may have taken the port.
 */
async function identifyServer(location: ServerLocation, port: number): Promise<Identity> {
  const client = new pg.Client({
    connectionString: toConnectionString(location, port, 'postgres'),
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ file: string }>(
      "SELECT encode(pg_read_binary_file('postmaster.pid'), 'base64') AS file",
    );
    const reported = Buffer.from(rows[0]?.file ?? '', 'base64')
      .toString('utf8')
      .split('\n');
    return reported.slice(0, 4).join('\n') === readPidFile(location).slice(0, 4).join('\n')
      ? 'own'
      : 'foreign';
  } catch (error) {
    const identity = IDENTITY_BY_ERROR_CODE[(error as { code?: string }).code ?? ''];
    if (identity) return identity;
    throw new Error(
      `The database server in ${location.folder} refuses connections: ${(error as Error).message}`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
