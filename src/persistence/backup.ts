import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Log } from '../domain/log.js';
import type { Database } from './database.js';
import {
  applyMigrations,
  applySelectedMigrations,
  readAppliedMigrations,
  readMigrations,
} from './migrations.js';
import { pausePublishing } from './publishing/publishing-pauses.js';
import { isOldMigration, oldSchemaError } from './schema-version.js';
import { hasTable, sqlOn } from './sql.js';

/**
 * A backup is gzipped text: this header as a line of JSON, the rows of each table in PostgreSQL's
 * COPY format, and the trailer. The trailer and gzip's checksum show that a file is complete.
 */
export interface BackupHeader {
  readonly format: typeof FORMAT;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Names of the applied migrations, in order. */
  readonly migrations: readonly string[];
  /** The tables in the order of their rows, with the number of rows. */
  readonly tables: readonly (BackupTable & { readonly rows: number })[];
  /** Last value of each sequence; null if it was never used. */
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[];
  /** Content of demo.json: without it, a start would treat the demo as incomplete. */
  readonly demo: unknown;
}
interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
}
const FORMAT = 'posts-gateway backup 1';
const TRAILER = 'end of backup\n';
/** Limit of the header: other files may contain no newline at all. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** Makes the COPY format independent of the server's settings. */
const COPY_SETTINGS =
  "SET LOCAL DateStyle = 'ISO'; SET LOCAL TimeZone = 'UTC'; SET LOCAL IntervalStyle = 'postgres'";
/** Longer than any request runs: a table locked for longer is in use by another process. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '3s'";
/** The migrations insert a row into this table; all others of an unused database are empty. */
const FILLED_TABLE = 'user_version';

/**
 * Each table after those that it references, with its stored columns. What is left out is filled by
 * triggers or migrations, or means something in its own database only, as transaction numbers do.
 */
const TABLES = `WITH RECURSIVE depths (oid, depth) AS (
  SELECT oid, 0 FROM pg_class WHERE relnamespace = current_schema()::regnamespace
  UNION SELECT conrelid, depth + 1 FROM depths JOIN pg_constraint ON confrelid = depths.oid AND contype = 'f' AND conrelid <> confrelid)
SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  AND relname NOT IN ('_prisma_migrations', 'post_count', 'post_count_detail', 'post_count_change', 'database_identity', 'database_home')
  AND relname || '.' || attname NOT IN ('event.transaction_id', 'webhook.read_database', 'webhook.read_transaction', 'webhook.read_sequence')
GROUP BY c.oid ORDER BY (SELECT max(depth) FROM depths WHERE oid = c.oid), 1`;
const SEQUENCES = `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
WHERE schemaname = current_schema() AND sequencename <> 'post_count_change_id_seq' ORDER BY 1`;

/** The tables of a backup, each after those that it references. */
export const readTables = async (session: pg.Client | pg.Pool): Promise<BackupTable[]> =>
  (await session.query<BackupTable>(TABLES)).rows;

/** Names as a list of quoted SQL identifiers. */
const quoteNames = (...names: readonly string[]): string =>
  names.map((name) => pg.escapeIdentifier(name)).join(', ');

/** Number of rows of each table. */
async function countRows(
  session: pg.Client,
  tables: readonly string[],
): Promise<Record<string, number>> {
  const counts = tables.map(
    (name) => `(SELECT count(*)::float8 FROM ${quoteNames(name)}) AS ${quoteNames(name)}`,
  );
  return (await session.query<Record<string, number>>(`SELECT ${counts.join()}`)).rows[0]!;
}

/** What a backup contains; `tables`: rows per table. */
export interface BackupReport extends Pick<BackupHeader, 'createdAt'> {
  readonly file: string;
  readonly rows: number;
  readonly tables: Readonly<Record<string, number>>;
}
const toReport = (file: string, { createdAt, tables }: BackupHeader): BackupReport => ({
  file,
  createdAt,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
});

/**
 * Writes a snapshot of all rows while the database is in use. The file, readable for its owner
 * only, appears when it is complete and on disk. Returns what it contains, and its size in bytes.
 * @throws Error of one line if the file exists or cannot be written, or there are no tables
 */
export async function writeBackup(
  database: Database,
  { file, demo }: { file: string; demo: unknown },
  signal: AbortSignal,
): Promise<BackupReport & { bytes: number }> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    if (existsSync(file)) throw fileExists();
    const header = await writeDraft(database, { draft, demo }, signal);
    const { size: bytes } = await stat(draft);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw fileExists();
      return rename(draft, file); // for file systems without hard links
    });
    return { ...toReport(file, header), bytes };
  } catch (error) {
    const reason = signal.aborted ? 'canceled' : (error as Error).message;
    throw new Error(`Could not write ${file}: ${reason}`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}
const fileExists = (): Error => new Error('the file exists. Choose another name');

async function writeDraft(
  database: Database,
  { draft, demo }: { draft: string; demo: unknown },
  signal: AbortSignal,
): Promise<BackupHeader> {
  const handle = await open(draft, 'wx', 0o600);
  try {
    return await database.session(async (session) => {
      const header = await openSnapshot(session, demo);
      const rows = Readable.from(copyRows(session, header), { objectMode: false });
      await pipeline(rows, createGzip(), handle.createWriteStream({ flush: true }), { signal });
      return header;
    });
  } finally {
    await handle.close();
  }
}

/** Begins a transaction that reads what the header describes. */
async function openSnapshot(session: pg.Client, demo: unknown): Promise<BackupHeader> {
  const names = (await readTables(session)).map(({ name }) => name);
  if (names.length === 0) throw new Error('the database has no tables yet');
  await session.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${COPY_SETTINGS}`);
  // blocks migrations; the snapshot is taken by the first read
  await session.query(`LOCK TABLE ${quoteNames(...names)} IN ACCESS SHARE MODE`);
  const rows = await countRows(session, names);
  return {
    format: FORMAT,
    createdAt: new Date().toISOString(),
    migrations: await readAppliedMigrations(sqlOn(session)),
    tables: (await readTables(session)).map((table) => ({ ...table, rows: rows[table.name]! })),
    sequences: (await session.query(SEQUENCES)).rows,
    demo,
  };
}

async function* copyRows(session: pg.Client, header: BackupHeader) {
  yield `${JSON.stringify(header)}\n`;
  for (const { name, columns } of header.tables) {
    // partitioned tables can only be copied as a query
    const rows = `COPY (SELECT ${quoteNames(...columns)} FROM ${quoteNames(name)}) TO STDOUT`;
    yield* session.query(copyTo(rows)) as AsyncIterable<Buffer>;
  }
  yield TRAILER;
}

/** How a backup is restored. */
interface RestoreOptions {
  readonly file: string;
  /** Whether the rows of the database may be deleted. */
  readonly mayReplace: boolean;
  readonly migrationsDir: string;
  readonly log: Log;
}

/**
 * Restores a backup in one transaction: on failure, the database is unchanged. The rows of an
 * earlier release go into the tables of that release, which are then migrated. Publication is
 * paused, because what became due since the backup may be published already. `userIds` of the
 * result: all users before and after, whose grants may have changed.
 * @throws Error of one line if the file is not a complete backup, or is of 0.1.0 or a later
 * release, or if the database has rows and `mayReplace` is false
 */
export async function restoreBackup(
  database: Database,
  { file, mayReplace, ...schema }: RestoreOptions,
  signal: AbortSignal,
): Promise<BackupReport & { userIds: readonly string[]; demo: unknown }> {
  const restoreRows = async (session: pg.Client, bytes: AsyncIterable<Buffer>) => {
    const lines = createLineReader(bytes);
    const header = readHeader(await readText(lines(1)));
    await createTables(database, header, schema);
    await session.query(`BEGIN; ${COPY_SETTINGS}; ${LOCK_TIMEOUT}`);
    const before = await readUserIds(session);
    await clearTables(session, header, mayReplace);
    await fillTables(session, header, lines);
    if (hasPauses(header)) await pausePublishing(sqlOn(session), new Date(header.createdAt));
    return { header, userIds: [...new Set([...before, ...(await readUserIds(session))])] };
  };
  try {
    const { header, userIds } = await database.session(async (session) => {
      const restore = (bytes: AsyncIterable<Buffer>) => restoreRows(session, bytes);
      const restored = await pipeline(createReadStream(file), createGunzip(), restore, { signal });
      await session.query('COMMIT');
      await session.query('ANALYZE');
      return restored;
    });
    await applyMigrations(database, schema.migrationsDir, schema.log);
    // no process of a release without pauses runs on a database that is just being migrated
    if (!hasPauses(header)) await pausePublishing(database.change, new Date(header.createdAt));
    return { ...toReport(file, header), demo: header.demo, userIds };
  } catch (error) {
    throw new Error(`Could not restore ${file}: ${explain(error as NodeJS.ErrnoException)}`, {
      cause: error,
    });
  }
}

const hasPauses = ({ tables }: BackupHeader): boolean =>
  tables.some(({ name }) => name === 'publishing_pause');

const readUserIds = async (session: pg.Client): Promise<string[]> =>
  (await session.query<{ id: string }>('SELECT id FROM app_user')).rows.map(({ id }) => id);

const damaged = (reason: string): Error => Object.assign(new Error(reason), { code: 'DAMAGED' });
/** The file is no gzip, is damaged or truncated, or PostgreSQL cannot read its rows. */
const DAMAGED_CODE = /^(DAMAGED|Z_(DATA|BUF)_ERROR|22\w{3})$/;

function explain({ name, code = '', message }: NodeJS.ErrnoException): string {
  if (name === 'AbortError') return 'canceled. The database is unchanged';
  if (code === '55P03')
    return 'the database is in use. Stop all gateways, workers and imports, then restore again';
  const isDamaged = DAMAGED_CODE.test(code) || name === 'SyntaxError';
  return isDamaged ? `it is not a backup of Posts Gateway, or is damaged: ${message}` : message;
}

/** Returns a function that reads the next lines (Infinity: all), in the chunks that arrive. */
function createLineReader(bytes: AsyncIterable<Buffer>) {
  const source = bytes[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);
  return async function* (count: number): AsyncGenerator<Buffer> {
    for (let remaining = count; remaining > 0;) {
      if (buffer.length === 0) {
        const { done, value } = await source.next();
        if (done && count < Infinity) throw damaged('it ends too early');
        if (done) return;
        buffer = value;
      }
      let end = 0;
      for (let at; remaining > 0 && (at = buffer.indexOf('\n', end)) !== -1; remaining -= 1)
        end = at + 1;
      const chunk = remaining > 0 ? buffer : buffer.subarray(0, end);
      buffer = buffer.subarray(chunk.length);
      yield chunk;
    }
  };
}

async function readText(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = Buffer.alloc(0);
  for await (const chunk of chunks) {
    text = Buffer.concat([text, chunk]);
    if (text.length > MAX_TEXT_BYTES) throw damaged('its first line is too long');
  }
  return text.toString('utf8');
}

function readHeader(line: string): BackupHeader {
  const header = JSON.parse(line) as BackupHeader | null;
  if (header?.format !== FORMAT) throw damaged(`its first line does not name "${FORMAT}"`);
  return header;
}

/** Creates the tables of the release that wrote the backup. */
async function createTables(
  database: Database,
  { migrations }: BackupHeader,
  { migrationsDir, log }: Pick<RestoreOptions, 'migrationsDir' | 'log'>,
): Promise<void> {
  if (migrations.some(isOldMigration)) throw oldSchemaError('the backup');
  const available = readMigrations(migrationsDir);
  const unknown = migrations.find((name) => !available.some((known) => known.name === name));
  if (unknown)
    throw new Error(`it was written by a later release: this build lacks migration ${unknown}`);
  const applied = await readAppliedMigrations(database.scan);
  const later = applied.find((name) => !migrations.includes(name));
  if (later)
    throw new Error(
      `it was written by an earlier release, and the database already has migration ${later}. Restore into an unused database`,
    );
  const wanted = available.filter(({ name }) => migrations.includes(name));
  await applySelectedMigrations(database, wanted, log);
}

async function clearTables(
  session: pg.Client,
  { tables }: BackupHeader,
  mayReplace: boolean,
): Promise<void> {
  const names = tables.map(({ name }) => name);
  await session.query(`LOCK TABLE ${quoteNames(...names)} IN ACCESS EXCLUSIVE MODE`);
  const filled = Object.entries(await countRows(session, names))
    .filter(([name, count]) => count > 0 && name !== FILLED_TABLE)
    .map(([name, count]) => `${name} ${count}`);
  if (filled.length > 0 && !mayReplace)
    throw new Error(
      `the database is not empty (${filled.join(', ')}). Restore into an empty one, or replace its rows with --replace`,
    );
  await session.query(`TRUNCATE ${quoteNames(...names)}`);
}

async function fillTables(
  session: pg.Client,
  { tables, sequences }: BackupHeader,
  lines: ReturnType<typeof createLineReader>,
): Promise<void> {
  for (const { name, columns, rows } of tables) {
    const table = `${quoteNames(name)} (${quoteNames(...columns)})`;
    const copy = session.query(copyFrom(`COPY ${table} FROM STDIN`));
    await pipeline(Readable.from(lines(rows), { objectMode: false }), copy);
  }
  if ((await readText(lines(Infinity))) !== TRAILER) throw damaged('the trailer is missing');
  for (const { name, last } of sequences)
    if (last !== null)
      await session.query('SELECT setval($1::regclass, $2)', [quoteNames(name), last]);
  // cursors of changes from before the restore are no longer valid; earlier releases had none
  if (await hasTable(sqlOn(session), 'database_identity'))
    await session.query('UPDATE database_identity SET identity = gen_random_uuid()');
}
