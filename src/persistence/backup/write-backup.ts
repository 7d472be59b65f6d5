import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../database.js';
import { readAppliedMigrations } from '../migrations.js';
import { sqlOn } from '../sql.js';
import {
  BACKUP_FORMAT,
  COPY_SETTINGS,
  toFileError,
  TRAILER,
  countRowsIn,
  type BackupHeader,
  type BackupProgress,
  type BackupReport,
  type BackupTable,
} from './backup-format.js';
import { countLines } from './backup-lines.js';
import { countRows, quoteNames, quoteName, readSequences, readTables } from './backup-tables.js';

/**
 * Writes a consistent snapshot of all rows to a file, while the database is in use. The file,
 * readable for its owner only, appears when it is complete and on disk.
 * @throws Error of one line if the file exists or cannot be written, or the database has no tables
 * yet
 */
export async function writeBackup(
  database: Database,
  { file, demo }: { file: string; demo: unknown },
  { onProgress, signal }: BackupProgress,
): Promise<BackupReport> {
  if (existsSync(file)) throw fileExistsError(file);
  // unique: another backup may be writing to the same name
  const draft = `${file}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    const header = await database.session((session) =>
      writeSnapshot(session, { draft, demo }, { onProgress, signal }),
    );
    const { size: bytes } = await stat(draft);
    await publish(draft, file);
    return {
      file,
      bytes,
      rows: countRowsIn(header),
      tables: Object.fromEntries(header.tables.map(({ name, rows }) => [name, rows])),
    };
  } catch (error) {
    await rm(draft, { force: true });
    throw signal.aborted
      ? new Error('Canceled: no backup was written')
      : toFileError(error, file, 'write');
  }
}

async function writeSnapshot(
  session: pg.Client,
  { draft, demo }: { draft: string; demo: unknown },
  { onProgress, signal }: BackupProgress,
): Promise<BackupHeader> {
  const names = (await readTables(session)).map(({ name }) => name);
  if (names.length === 0) throw new Error('The database has no tables yet: nothing to back up');
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await session.query(COPY_SETTINGS);
  // blocks migrations; the snapshot is taken by the first read
  await session.query(`LOCK TABLE ${quoteNames(names)} IN ACCESS SHARE MODE`);
  const header = await createHeader(session, demo);
  const chunks = Readable.from(backupChunks(session, header, onProgress), { objectMode: false });
  // opened here: a stream could open it after cancellation and leave the draft behind
  const handle = await open(draft, 'wx', 0o600);
  await pipeline(chunks, createGzip(), handle.createWriteStream({ flush: true }), { signal });
  return header;
}

const fileExistsError = (file: string): Error =>
  new Error(`${file} already exists: choose another name`);

/** Renames the draft, unless a file with the final name exists by now. */
async function publish(draft: string, file: string): Promise<void> {
  await link(draft, file).then(
    () => rm(draft),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw fileExistsError(file);
      return rename(draft, file); // for file systems without hard links
    },
  );
}

async function createHeader(client: pg.Client, demo: unknown): Promise<BackupHeader> {
  const tables: BackupTable[] = [];
  for (const shape of await readTables(client))
    tables.push({ ...shape, rows: await countRows(client, shape.name) });
  const migrations = await readAppliedMigrations(sqlOn(client));
  return {
    format: BACKUP_FORMAT,
    createdAt: new Date().toISOString(),
    migrations,
    tables,
    sequences: await readSequences(client),
    demo,
  };
}

async function* backupChunks(
  client: pg.Client,
  header: BackupHeader,
  progress: BackupProgress['onProgress'],
): AsyncGenerator<Buffer | string> {
  const total = countRowsIn(header);
  let done = 0;
  yield `${JSON.stringify(header)}\n`;
  for (const { name, columns } of header.tables) {
    for await (const chunk of client.query(
      // partitioned tables can only be copied as a query
      copyTo(`COPY (SELECT ${quoteNames(columns)} FROM ${quoteName(name)}) TO STDOUT`),
    ) as AsyncIterable<Buffer>) {
      yield chunk;
      progress((done += countLines(chunk)) / total);
    }
  }
  yield `${TRAILER}\n`;
}
