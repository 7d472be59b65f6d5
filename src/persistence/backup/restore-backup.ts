import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Log } from '../../domain/log.js';
import type { Database } from '../database.js';
import {
  readAppliedMigrations,
  applyMigrations,
  applySelectedMigrations,
  readMigrations,
} from '../migrations.js';
import { isOldMigration, oldSchemaError } from '../schema-version.js';
import { pausePublishing } from '../publishing/publishing-pauses.js';
import {
  COPY_SETTINGS,
  toFileError,
  TRAILER,
  readHeader,
  countRowsIn,
  type BackupHeader,
  type BackupProgress,
  type RestoreReport,
} from './backup-format.js';
import { createLineReader, InvalidBackupError, type LineReader } from './backup-lines.js';
import { hasTable, sqlOn } from '../sql.js';
import { countRows, quoteNames, INITIALLY_FILLED_TABLES, quoteName } from './backup-tables.js';

/** The report, and what the caller has to restore besides the database. */
export interface RestoredBackup extends RestoreReport {
  /** Users whose grants may have changed: all users before and after. */
  readonly userIds: readonly string[];
  /** Content of demo.json. */
  readonly demo: unknown;
}
interface RestoreOptions {
  readonly file: string;
  readonly migrationsDir: string;
  readonly mayReplace: boolean;
  readonly log: Log;
}

/** What became due since the backup may be published already: nothing is, until it is resumed. */
const PAUSES = 'publishing_pause';
/** Longer than any request runs: a table locked for longer is in use by another process. */
const LOCK_TIMEOUT = '3s';
/**
 * Codes of zlib for files that are not gzip, damaged or truncated, and of PostgreSQL for invalid
 * rows.
 */
const INVALID_BACKUP_CODE = /^(Z_(DATA|BUF)_ERROR|22\w{3})$/;

/**
 * Restores a backup into an empty database, in one transaction: on failure the database is
 * unchanged. A backup of an earlier release is restored into the tables of that release, which are
 * then migrated.
 * @throws Error of one line if the file is not a complete backup, or is of 0.1.0 or a later
 * release, or if the database has rows and `mayReplace` is false
 */
export async function restoreBackup(
  database: Database,
  { file, migrationsDir, mayReplace, log }: RestoreOptions,
  { onProgress, signal }: BackupProgress,
): Promise<RestoredBackup> {
  const unzipped = createGunzip();
  // the reader gets the error
  const reading = pipeline(createReadStream(file), unzipped, { signal }).catch(() => undefined);
  const lines = createLineReader(unzipped);
  try {
    const header = readHeader(await lines.nextLine());
    if (!header) throw new InvalidBackupError('the header is missing');
    await createTables(database, header, { migrationsDir, log });
    const { createdAt, demo, tables } = header;
    const hasPauses = tables.some(({ name }) => name === PAUSES);
    const userIds = await restoreInTransaction(database, async (client) => {
      await clearTables(client, header, mayReplace);
      await fillTables(client, header, { lines, onProgress });
      await renewIdentity(client);
      if (hasPauses) await pausePublishing(sqlOn(client), new Date(createdAt));
      signal.throwIfAborted();
    });
    await applyMigrations(database, migrationsDir, log);
    // A release without this table runs no process on a database that is just being migrated.
    if (!hasPauses) await pausePublishing(database.change, new Date(createdAt));
    return {
      file,
      createdAt,
      demo,
      userIds,
      rows: countRowsIn(header),
      tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    };
  } catch (error) {
    throw signal.aborted
      ? new Error('Canceled: the database is unchanged')
      : toRestoreError(file, error as Error);
  } finally {
    unzipped.destroy();
    await reading;
  }
}

function toRestoreError(file: string, error: Error & { code?: string }): Error {
  if (error instanceof InvalidBackupError || INVALID_BACKUP_CODE.test(error.code ?? ''))
    return new Error(`${file} is not a backup of Posts Gateway, or is damaged: ${error.message}`);
  if (error.code === '55P03')
    return new Error(
      'The database is in use: stop all gateways, workers and imports, then restore again',
    );
  return toFileError(error, file, 'read');
}

async function createTables(
  database: Database,
  { migrations }: BackupHeader,
  { migrationsDir, log }: Pick<RestoreOptions, 'migrationsDir' | 'log'>,
): Promise<void> {
  const available = readMigrations(migrationsDir);
  if (migrations.some(isOldMigration)) throw oldSchemaError('The backup');
  const unknown = migrations.find(
    (name) => !available.some((migration) => migration.name === name),
  );
  if (unknown)
    throw new Error(
      `The backup has migration ${unknown}, which this build does not have: it was written by a later release`,
    );
  const later = (await readAppliedMigrations(database.scan)).find(
    (name) => !migrations.includes(name),
  );
  if (later)
    throw new Error(
      `The backup was written by an earlier release, and the database already has migration ${later}: restore into an unused database`,
    );
  await applySelectedMigrations(
    database,
    available.filter(({ name }) => migrations.includes(name)),
    log,
  );
}

/** Runs `work` in a transaction. Returns the IDs of all users before and after. */
const restoreInTransaction = (
  database: Database,
  work: (session: pg.Client) => Promise<void>,
): Promise<string[]> =>
  database.session(async (session) => {
    await session.query('BEGIN');
    await session.query(`${COPY_SETTINGS}; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const before = await readUserIds(session);
    await work(session);
    const after = await readUserIds(session);
    await session.query('COMMIT');
    await session.query('ANALYZE');
    return [...new Set([...before, ...after])];
  });

const readUserIds = async (client: pg.Client): Promise<string[]> =>
  (await client.query<{ id: string }>('SELECT id FROM app_user')).rows.map(({ id }) => id);

async function clearTables(
  client: pg.Client,
  { tables }: BackupHeader,
  mayReplace: boolean,
): Promise<void> {
  const names = tables.map(({ name }) => name);
  await client.query(`LOCK TABLE ${quoteNames(names)} IN ACCESS EXCLUSIVE MODE`);
  const nonEmptyTables: string[] = [];
  for (const name of mayReplace
    ? []
    : names.filter((table) => !INITIALLY_FILLED_TABLES.includes(table))) {
    const count = await countRows(client, name);
    if (count > 0) nonEmptyTables.push(`${name} ${count}`);
  }
  if (nonEmptyTables.length > 0)
    throw new Error(
      `The database is not empty (${nonEmptyTables.join(', ')}): restore into an empty one, or replace its rows with --replace`,
    );
  await client.query(`TRUNCATE ${quoteNames(names)}`);
}

/** Cursors of changes from before the restore are no longer valid. Earlier releases had none. */
async function renewIdentity(client: pg.Client): Promise<void> {
  if (await hasTable(sqlOn(client), 'database_identity'))
    await client.query('UPDATE database_identity SET identity = gen_random_uuid()');
}

async function fillTables(
  client: pg.Client,
  header: BackupHeader,
  { lines, onProgress }: { lines: LineReader; onProgress: BackupProgress['onProgress'] },
): Promise<void> {
  const total = countRowsIn(header);
  let done = 0;
  const onLines = (count: number): void => onProgress((done += count) / total);
  for (const { name, columns, rows } of header.tables) {
    const copying = client.query(
      copyFrom(`COPY ${quoteName(name)} (${quoteNames(columns)}) FROM STDIN`),
    );
    await pipeline(Readable.from(lines.nextLines(rows, onLines), { objectMode: false }), copying);
  }
  if ((await lines.nextLine()) !== TRAILER || !(await lines.isAtEnd()))
    throw new InvalidBackupError('the trailer is missing');
  for (const { name, last } of header.sequences) {
    if (last !== null)
      await client.query('SELECT setval($1::regclass, $2)', [quoteName(name), last]);
  }
}
