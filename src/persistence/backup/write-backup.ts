import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { appliedMigrations } from '../migration-states.js';
import {
  BACKUP_FORMAT,
  COPY_SETTINGS,
  fileError,
  LAST_LINE,
  rowsIn,
  type BackupHeader,
  type BackupTable,
} from './backup-format.js';
import { linesIn } from './backup-lines.js';
import { countRows, listOf, quoted, readSequences, readTables } from './backup-tables.js';

/** What a backup or a restore is told while it runs. */
export interface Watching {
  /** Hears how much is done, from 0 to 1. */
  progress(done: number): void;
  /** Ends the work; nothing is left of it. */
  readonly signal: AbortSignal;
}

/** What was written or put back. */
export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  readonly tables: Readonly<Record<string, number>>;
}

/**
 * Writes all rows to a file, as they were at one moment, while others read and write. The file, for its owner's eyes
 * alone, is there when it is whole and on disk, and not before.
 * @throws Error of one line where the file is there already, cannot be written, or the database has no tables yet
 */
export async function writeBackup(
  pool: pg.Pool,
  { file, demo }: { file: string; demo: unknown },
  { progress, signal }: Watching,
): Promise<BackupReport> {
  if (existsSync(file)) throw taken(file);
  const draft = `${file}.${randomBytes(4).toString('hex')}.unfinished`; // another backup may be on its way to the same name
  const client = new pg.Client({ ...pool.options, pipeline: false, statement_timeout: 0 });
  client.on('error', () => undefined); // what is asked next tells
  await client.connect();
  try {
    const names = (await readTables(client)).map(({ name }) => name);
    if (names.length === 0)
      throw new Error('The database has no tables yet: there is nothing to back up');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(COPY_SETTINGS);
    await client.query(`LOCK TABLE ${listOf(names)} IN ACCESS SHARE MODE`); // no migration from here on; the moment is what is read first
    const header = await describe(client, demo);
    const parts = Readable.from(partsOf(client, header, progress), { objectMode: false });
    const handle = await open(draft, 'wx', 0o600); // a stream that opens it may do so after it was stopped, and the draft would stay
    await pipeline(parts, createGzip(), handle.createWriteStream({ flush: true }), { signal });
    const { size: bytes } = await stat(draft);
    await publish(draft, file);
    return {
      file,
      bytes,
      rows: rowsIn(header),
      tables: Object.fromEntries(header.tables.map(({ name, rows }) => [name, rows])),
    };
  } catch (error) {
    await rm(draft, { force: true });
    throw signal.aborted
      ? new Error('Stopped: there is no backup')
      : fileError(error, file, 'written');
  } finally {
    await client.end();
  }
}

const taken = (file: string): Error => new Error(`${file} is there already: give another name`);

/** Gives the draft its name, unless another file has it by now. */
async function publish(draft: string, file: string): Promise<void> {
  await link(draft, file).then(
    () => rm(draft),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw taken(file);
      return rename(draft, file); // a file system that has no links
    },
  );
}

async function describe(client: pg.Client, demo: unknown): Promise<BackupHeader> {
  const tables: BackupTable[] = [];
  for (const shape of await readTables(client))
    tables.push({ ...shape, rows: await countRows(client, shape.name) });
  const migrations = await appliedMigrations(client);
  return {
    format: BACKUP_FORMAT,
    createdAt: new Date().toISOString(),
    migrations,
    tables,
    sequences: await readSequences(client),
    demo,
  };
}

async function* partsOf(
  client: pg.Client,
  header: BackupHeader,
  progress: Watching['progress'],
): AsyncGenerator<Buffer | string> {
  const all = rowsIn(header);
  let done = 0;
  yield `${JSON.stringify(header)}\n`;
  for (const { name, columns } of header.tables) {
    for await (const chunk of client.query(
      copyTo(`COPY ${quoted(name)} (${listOf(columns)}) TO STDOUT`),
    ) as AsyncIterable<Buffer>) {
      yield chunk;
      progress((done += linesIn(chunk)) / all);
    }
  }
  yield `${LAST_LINE}\n`;
}
