import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { isRoot, runAs, findServerAccounts, type SystemAccount } from './os-user.js';
import type { ServerLog } from './server-log.js';

/**
 * Location of the server: its folder (with `data`, `password`, `server.log`) and the account that
 * runs it (undefined: this process' user).
 */
export interface ServerLocation {
  folder: string;
  account: SystemAccount | undefined;
}

// PostgreSQL truncates paths at 1024 bytes, including names inside the folder
const MAX_PATH_BYTES = 900;
// initdb and pg_ctl pass paths to a shell in double quotes
const SHELL_CHARACTERS = /["$`\\\r\n]/;

/** Whether PostgreSQL's tools parse a path correctly. */
export const isShellSafePath = (name: string): boolean =>
  Buffer.byteLength(name) <= MAX_PATH_BYTES &&
  (process.platform === 'win32' || !SHELL_CHARACTERS.test(name));

/**
 * The server's location for a data folder: the existing one, or a new one that the server can use.
 * A location outside the data folder is recorded in `<dataDir>/location`.
 * @throws Error of one line if the data belongs to another user, or no location is usable
 */
export async function resolveLocation(dataDir: string, log: ServerLog): Promise<ServerLocation> {
  const { record, inside, folder } = readRecordedLocation(dataDir);
  if (existsSync(folder) && existsSync(path.join(folder, 'data')))
    return { folder, account: await resolveAccount(folder) };
  assertOwnFolder(folder);
  for (const account of isRoot() ? findServerAccounts() : [undefined]) {
    for (const candidate of [inside, ...fallbackFolders()]) {
      if (!(await isUsable({ folder: candidate, account }))) continue;
      rmSync(record, { force: true });
      if (candidate !== inside) {
        writeFileSync(`${record}.new`, `${candidate}\n`);
        renameSync(`${record}.new`, record);
        log.info(`The database server cannot use ${inside}. Its files are in ${candidate}`);
      }
      return { folder: candidate, account };
    }
  }
  throw new Error(
    `No usable folder for the database server: its account cannot access ${inside}. Set DATA_DIR to a folder that it can access, or set DATABASE_URL`,
  );
}

function readRecordedLocation(dataDir: string): { record: string; inside: string; folder: string } {
  const [record, inside] = [path.join(dataDir, 'location'), path.join(dataDir, 'postgres')];
  return {
    record,
    inside,
    folder: existsSync(record) ? readFileSync(record, 'utf8').trim() : inside,
  };
}

/** Whether a data folder contains a database. */
export const hasDatabase = (dataDir: string): boolean =>
  existsSync(path.join(readRecordedLocation(dataDir).folder, 'data'));

function fallbackFolders(): string[] {
  const bases = isRoot() ? ['/var/lib/posts-gateway'] : [path.join(os.homedir(), '.posts-gateway')];
  const name = randomBytes(6).toString('hex');
  return [
    ...bases.map((base) => path.join(base, name)),
    path.join(os.tmpdir(), `posts-gateway-${name}`),
  ];
}

function assertOwnFolder(folder: string): void {
  if (process.platform === 'win32' || isRoot() || !existsSync(folder)) return;
  if (statSync(folder).uid !== process.getuid?.())
    throw new Error(
      `The database in ${folder} belongs to another user: start as that user or as root, or set DATA_DIR`,
    );
}

async function resolveAccount(folder: string): Promise<SystemAccount | undefined> {
  assertOwnFolder(folder);
  if (!isRoot()) return undefined;
  const { uid, gid } = statSync(path.join(folder, 'data'));
  if (uid !== 0) return { uid, gid };
  // Root copied the folder or changed its owner; the server's account needs to own it.
  const account = findServerAccounts()[0];
  if (account)
    await runAs(undefined, folder, ['chown', '-R', `${account.uid}:${account.gid}`, folder]);
  return account;
}

async function isUsable({ folder, account }: ServerLocation): Promise<boolean> {
  if (!isShellSafePath(folder)) return false;
  const existed = existsSync(folder);
  try {
    mkdirSync(folder, { recursive: true });
    if (account) chownSync(folder, account.uid, account.gid);
    chmodSync(folder, 0o700);
    if (process.platform === 'win32') return true;
    // Some file systems ignore chmod and chown, and PostgreSQL rejects such a folder.
    const { mode, uid } = statSync(folder);
    const isPrivate = (mode & 0o077) === 0 && uid === (account?.uid ?? process.getuid?.());
    const access = await runAs(account, '/', [
      '/bin/sh',
      '-c',
      'cd "$1" && test -w .',
      'sh',
      folder,
    ]);
    if (isPrivate && access.code === 0) return true;
  } catch {
    // cannot be created or changed: not usable
  }
  if (!existed) rmSync(folder, { recursive: true, force: true });
  return false;
}
