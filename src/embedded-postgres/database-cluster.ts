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
import path from 'node:path';
import { runAs } from './os-user.js';
import type { Binaries } from './server-binaries.js';
import { SERVER_USER } from './server-address.js';
import type { ServerLocation } from './server-location.js';

const INIT_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // socket paths are limited to some 100 bytes
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** Creates the database cluster (initdb) at a location, with a random password. */
export async function createCluster(
  { folder, account }: ServerLocation,
  { initdb }: Binaries,
): Promise<void> {
  for (const entry of readdirSync(folder))
    if (entry.startsWith('data.new'))
      rmSync(path.join(folder, entry), { recursive: true, force: true });
  const password = path.join(folder, 'password');
  writeFileSync(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (account) chownSync(password, account.uid, account.gid);
  const unfinished = `data.new-${process.pid}`;
  const { code, output } = await runAs(account, folder, [
    initdb,
    '-D',
    unfinished,
    '-U',
    SERVER_USER,
    '-A',
    'scram-sha-256',
    '--pwfile=password',
    '-E',
    'UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    // lower() and similar cover all of Unicode, identically on every system
    '--builtin-locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
    ...Object.entries(INIT_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  if (code !== 0)
    throw new Error(`PostgreSQL could not create its files in ${folder}: ${findErrorLine(output)}`);
  renameSync(path.join(folder, unfinished), path.join(folder, 'data'));
}

/** @throws Error of one line if `data` is not a cluster of this major version */
export function assertVersion(data: string, { major }: Binaries): void {
  const file = path.join(data, 'PG_VERSION');
  if (!existsSync(file))
    throw new Error(
      `${data} is not a PostgreSQL data folder, or is damaged (no PG_VERSION): move it away, or set DATA_DIR`,
    );
  const version = readFileSync(file, 'utf8').trim();
  if (version !== String(major))
    throw new Error(
      `${data} was written by PostgreSQL ${version}, but this build contains PostgreSQL ${major}: move it away, or set DATA_DIR`,
    );
}

/** The most informative line of a server log or program output. */
export const findErrorLine = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.find((line) => /FATAL|PANIC|could not|error/i.test(line)) ?? lines.at(-1) ?? '';
};
