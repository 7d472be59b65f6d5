import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Log } from '../log.js';
import { appliedMigrations } from '../migration-states.js';
import { applyMigrations, applyThese, readMigrations } from '../migrations.js';
import {
  COPY_SETTINGS,
  fileError,
  LAST_LINE,
  readHeader,
  rowsIn,
  type BackupHeader,
} from './backup-format.js';
import { createLines, EndOfFile, type Lines } from './backup-lines.js';
import { countRows, listOf, NEVER_EMPTY, quoted } from './backup-tables.js';
import type { BackupReport, Watching } from './write-backup.js';

/** What was put back. */
export interface RestoreReport extends Omit<BackupReport, 'bytes'> {
  readonly createdAt: string;
  /** Whose grants may have changed: everybody of before and of now. */
  readonly userIds: readonly string[];
  readonly demo: unknown;
}
interface RestoreOptions {
  readonly file: string;
  readonly migrationsDir: string;
  readonly mayReplace: boolean;
  readonly log: Log;
}

/** A request that runs ends before; what then still has a table holds on to it. */
const LOCK_TIMEOUT = '3s';
/** Zlib's codes for what is no gzip, damaged or cut short; PostgreSQL's for rows that are none. */
const DAMAGED = /^(Z_(DATA|BUF)_ERROR|22\w{3})$/;

/**
 * Puts all rows of a backup into a database without any, in one transaction: it is as it was until all is there. A backup
 * of an earlier release goes into the tables of that time, which are then brought up to date.
 * @throws Error of one line where the file is no backup, damaged, or of a later release, or where the database has rows and may not lose them
 */
export async function restoreBackup(
  pool: pg.Pool,
  { file, migrationsDir, mayReplace, log }: RestoreOptions,
  { progress, signal }: Watching,
): Promise<RestoreReport> {
  const unzipped = createGunzip();
  const reading = pipeline(createReadStream(file), unzipped, { signal }).catch(() => undefined); // who reads is told
  const lines = createLines(unzipped);
  try {
    const header = readHeader(await lines.one());
    if (!header) throw new EndOfFile('it does not begin as one');
    await makeTables(pool, header, { migrationsDir, log });
    const userIds = await inTransaction(pool, async (client) => {
      await clear(client, header, mayReplace);
      await fill(client, header, { lines, progress });
      signal.throwIfAborted();
    });
    await applyMigrations(pool, migrationsDir, log);
    const { createdAt, demo, tables } = header;
    return {
      file,
      createdAt,
      demo,
      userIds,
      rows: rowsIn(header),
      tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    };
  } catch (error) {
    throw signal.aborted
      ? new Error('Stopped: the database is as it was')
      : toldOf(file, error as Error);
  } finally {
    unzipped.destroy();
    await reading;
  }
}

function toldOf(file: string, error: Error & { code?: string }): Error {
  if (error instanceof EndOfFile || DAMAGED.test(error.code ?? ''))
    return new Error(`${file} is no backup of this program, or is damaged: ${error.message}`);
  if (error.code === '55P03')
    return new Error(
      'The database is in use: stop what works on it (gateways, workers, imports), and restore again',
    );
  return fileError(error, file, 'read');
}

async function makeTables(
  pool: pg.Pool,
  { migrations }: BackupHeader,
  { migrationsDir, log }: Pick<RestoreOptions, 'migrationsDir' | 'log'>,
): Promise<void> {
  const known = readMigrations(migrationsDir);
  const unknown = migrations.find((name) => !known.some((one) => one.name === name));
  if (unknown)
    throw new Error(
      `The backup has migration ${unknown}, which this build does not know: it is of a later release`,
    );
  const later = (await appliedMigrations(pool)).find((name) => !migrations.includes(name));
  if (later)
    throw new Error(
      `The backup is of an earlier release, and the database has migration ${later} already: restore into a database that nobody has used yet`,
    );
  await applyThese(
    pool,
    known.filter(({ name }) => migrations.includes(name)),
    log,
  );
}

/** Gives the users of before and of now. */
async function inTransaction(
  pool: pg.Pool,
  work: (client: pg.Client) => Promise<void>,
): Promise<string[]> {
  const client = new pg.Client({ ...pool.options, pipeline: false, statement_timeout: 0 });
  client.on('error', () => undefined); // what is asked next tells
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`${COPY_SETTINGS}; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const before = await userIds(client);
    await work(client);
    const now = await userIds(client);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return [...new Set([...before, ...now])];
  } finally {
    await client.end(); // without a commit, all is taken back
  }
}

const userIds = async (client: pg.Client): Promise<string[]> =>
  (await client.query<{ id: string }>('SELECT id FROM app_user')).rows.map(({ id }) => id);

async function clear(
  client: pg.Client,
  { tables }: BackupHeader,
  mayReplace: boolean,
): Promise<void> {
  const names = tables.map(({ name }) => name);
  await client.query(`LOCK TABLE ${listOf(names)} IN ACCESS EXCLUSIVE MODE`);
  const full: string[] = [];
  for (const name of mayReplace ? [] : names.filter((one) => !NEVER_EMPTY.includes(one))) {
    const count = await countRows(client, name);
    if (count > 0) full.push(`${name} ${count}`);
  }
  if (full.length > 0)
    throw new Error(
      `The database has rows already (${full.join(', ')}): restore into an empty one, or lose them with --replace`,
    );
  await client.query(`TRUNCATE ${listOf(names)}`);
  // The tickets of the rows that were; jobs that go on are put in the line again by whoever works.
  await client.query('DELETE FROM pgboss.job');
}

async function fill(
  client: pg.Client,
  header: BackupHeader,
  { lines, progress }: { lines: Lines; progress: Watching['progress'] },
): Promise<void> {
  const all = rowsIn(header);
  let done = 0;
  const taken = (count: number): void => progress((done += count) / all);
  for (const { name, columns, rows } of header.tables) {
    const copying = client.query(copyFrom(`COPY ${quoted(name)} (${listOf(columns)}) FROM STDIN`));
    await pipeline(Readable.from(lines.many(rows, taken), { objectMode: false }), copying);
  }
  if ((await lines.one()) !== LAST_LINE || !(await lines.areOver()))
    throw new EndOfFile('it does not end as one');
  for (const { name, last } of header.sequences) {
    if (last !== null) await client.query('SELECT setval($1::regclass, $2)', [quoted(name), last]);
  }
}
