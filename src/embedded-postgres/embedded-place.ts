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
import { isRoot, runAs, serverAccounts, type Account } from './embedded-account.js';
import type { Log } from '../persistence/log.js';

/** Where the server lives: its folder (holding `data`, `password`, `server.log`) and whom it runs as (undefined: ourselves). */
export interface Place {
  folder: string;
  account: Account | undefined;
}

const LONGEST_PATH = 900; // PostgreSQL cuts paths at 1024 bytes, names inside the folder included
// initdb and pg_ctl hand paths to the shell inside double quotes
const SHELL_SIGNS = /["$`\\\r\n]/;

/** False for a path that PostgreSQL's own tools would misread. */
export const isPlainPath = (name: string): boolean =>
  Buffer.byteLength(name) <= LONGEST_PATH &&
  (process.platform === 'win32' || !SHELL_SIGNS.test(name));

/**
 * The place that belongs to a data folder: the one in use, or a new one that the server can reach.
 * A place outside the folder is recorded in `<dataDir>/location`.
 * @throws one clear line when the data belongs to another user, or no place can be reached
 */
export async function findPlace(dataDir: string, log: Log): Promise<Place> {
  const { record, inside, folder } = recordedPlace(dataDir);
  if (existsSync(folder) && existsSync(path.join(folder, 'data')))
    return { folder, account: await ownerOf(folder) };
  assertOurs(folder);
  for (const account of isRoot() ? serverAccounts() : [undefined]) {
    for (const candidate of [inside, ...placesElsewhere()]) {
      if (!(await isLivable({ folder: candidate, account }))) continue;
      rmSync(record, { force: true });
      if (candidate !== inside) {
        writeFileSync(`${record}.new`, `${candidate}\n`);
        renameSync(`${record}.new`, record);
        log.info(`The database server cannot use ${inside}; its files are in ${candidate}`);
      }
      return { folder: candidate, account };
    }
  }
  throw new Error(
    `No folder for the database server: ${inside} cannot be reached by its user. Set DATA_DIR to one that can, or DATABASE_URL`,
  );
}

function recordedPlace(dataDir: string): { record: string; inside: string; folder: string } {
  const [record, inside] = [path.join(dataDir, 'location'), path.join(dataDir, 'postgres')];
  return {
    record,
    inside,
    folder: existsSync(record) ? readFileSync(record, 'utf8').trim() : inside,
  };
}

/** Whether a data folder has a database. */
export const isMade = (dataDir: string): boolean =>
  existsSync(path.join(recordedPlace(dataDir).folder, 'data'));

function placesElsewhere(): string[] {
  const bases = isRoot() ? ['/var/lib/posts-gateway'] : [path.join(os.homedir(), '.posts-gateway')];
  const name = randomBytes(6).toString('hex');
  return [
    ...bases.map((base) => path.join(base, name)),
    path.join(os.tmpdir(), `posts-gateway-${name}`),
  ];
}

function assertOurs(folder: string): void {
  if (process.platform === 'win32' || isRoot() || !existsSync(folder)) return;
  if (statSync(folder).uid !== process.getuid?.())
    throw new Error(
      `The database in ${folder} belongs to another user: start as that user or as root, or set DATA_DIR`,
    );
}

async function ownerOf(folder: string): Promise<Account | undefined> {
  assertOurs(folder);
  if (!isRoot()) return undefined;
  const { uid, gid } = statSync(path.join(folder, 'data'));
  if (uid !== 0) return { uid, gid };
  // Root has copied the folder or taken it over whole; the server needs it back.
  const account = serverAccounts()[0];
  if (account)
    await runAs(undefined, folder, ['chown', '-R', `${account.uid}:${account.gid}`, folder]);
  return account;
}

async function isLivable(place: Place): Promise<boolean> {
  const { folder, account } = place;
  if (!isPlainPath(folder)) return false;
  const existed = existsSync(folder);
  try {
    mkdirSync(folder, { recursive: true });
    if (account) chownSync(folder, account.uid, account.gid);
    chmodSync(folder, 0o700);
    if (process.platform === 'win32') return true;
    // Some file systems take chmod and chown without doing them, and PostgreSQL refuses such a folder.
    const { mode, uid } = statSync(folder);
    const isPrivate = (mode & 0o077) === 0 && uid === (account?.uid ?? process.getuid?.());
    const reached = await runAs(account, '/', [
      '/bin/sh',
      '-c',
      'cd "$1" && test -w .',
      'sh',
      folder,
    ]);
    if (isPrivate && reached.code === 0) return true;
  } catch {
    // not creatable or not changeable: as good as unreachable
  }
  if (!existed) rmSync(folder, { recursive: true, force: true });
  return false;
}
