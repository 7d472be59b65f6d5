import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessRunning } from './lock-file.js';
import { findBinaries } from './server-binaries.js';
import { assertVersion, createCluster, findErrorLine } from './database-cluster.js';
import { findRunningPort, readServerPid, START_TIMEOUT_S } from './server-address.js';
import type { ServerLocation } from './server-location.js';
import type { ServerLog } from './server-log.js';
import { runAs, type CommandResult } from './os-user.js';

/**
 * Additional server settings, e.g. `{fsync: 'off'}`. Values must not need shell quoting: they pass
 * through a shell.
 */
export type ServerSettings = Record<string, string>;

const MAX_START_ATTEMPTS = 8;
const RETRY_MS = 250;
// The port was taken in the meantime, or the last processes of a killed server are still ending.
const TRANSIENT_ERROR = /could not bind|already exists|in use/i;
const PORT_TAKEN = /could not bind|could not create any TCP/i;

interface StartOptions {
  readonly settings: ServerSettings;
  readonly log: ServerLog;
  /** Fails if this port is taken, instead of using another one. */
  readonly requiredPort?: number;
}

/**
 * Starts the server on 127.0.0.1, after creating the database cluster if there is none. It uses its
 * previous port, on which other processes reconnect, or a free one if that is taken. Returns the
 * port.
 * @throws Error of one line if it does not start
 */
export async function startServer(
  location: ServerLocation,
  { settings, log, requiredPort }: StartOptions,
): Promise<number> {
  const binaries = await findBinaries(location, log);
  const data = path.join(location.folder, 'data');
  if (!existsSync(data)) await createCluster(location, binaries);
  assertVersion(data, binaries);
  const portFile = path.join(location.folder, 'port');
  const options = Object.entries(settings)
    .map(([name, value]) => ` -c ${name}=${value}`)
    .join('');
  let [problem, port] = ['', requiredPort ?? (readLastPort(portFile) || (await findFreePort()))];
  for (let attempt = 1; attempt <= MAX_START_ATTEMPTS; attempt += 1) {
    const { code, output } = await runStart(location, binaries.pgCtl, `-p ${port}${options}`);
    // A start whose process was killed continues on its own, and may have finished first.
    const runningPort = await findRunningPort(location);
    if (code === 0 && runningPort === port) writeFileSync(portFile, String(port));
    if (runningPort !== undefined) return runningPort;
    problem = findErrorLine(readLogOf(location) ?? output) || output.trim();
    if (!TRANSIENT_ERROR.test(problem)) break;
    if (PORT_TAKEN.test(problem)) {
      if (requiredPort !== undefined) break;
      port = await findFreePort();
    }
    await sleep(RETRY_MS);
  }
  const serverLog = path.join(location.folder, 'server.log');
  throw new Error(`PostgreSQL did not start on ${data}: ${problem} (see ${serverLog})`);
}

function runStart(
  { folder, account }: ServerLocation,
  pgCtl: string,
  serverOptions: string,
): Promise<CommandResult> {
  const serverLog = path.join(folder, 'server.log');
  // keeps the logs of two runs, so no rotation is needed
  if (existsSync(serverLog)) renameSync(serverLog, `${serverLog}.1`);
  const start = ['start', '-w', '-t', String(START_TIMEOUT_S), '-s'];
  // Paths relative to the folder, so that its name is never parsed by a shell
  const files = ['-D', 'data', '-l', 'server.log', '-o', serverOptions];
  return runAs(account, folder, [pgCtl, ...start, ...files]);
}

function readLogOf({ folder }: ServerLocation): string | null {
  const serverLog = path.join(folder, 'server.log');
  return existsSync(serverLog) ? readFileSync(serverLog, 'utf8') : null;
}

/** Stops the server. Running statements are rolled back; no committed data is lost. */
export async function stopServer(location: ServerLocation, log: ServerLog): Promise<void> {
  const { pgCtl } = await findBinaries(location, log);
  const stop = ['stop', '-w', '-t', String(START_TIMEOUT_S), '-s', '-m', 'fast', '-D', 'data'];
  const { code, output } = await runAs(location.account, location.folder, [pgCtl, ...stop]);
  if (code !== 0 && isProcessRunning(readServerPid(location)))
    log.warn(`Could not stop PostgreSQL in ${location.folder}: ${output.trim()}`);
}

/** NaN without a file. */
const readLastPort = (file: string): number =>
  existsSync(file) ? Number(readFileSync(file, 'utf8')) : NaN;

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as AddressInfo;
        probe.close(() => resolve(port));
      });
  });
}
