import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  openConfiguredDatabase,
  type ConfiguredDatabase,
} from '../../../src/composition/open-database.js';
import type { OpenDatabase } from '../../../src/persistence/database.js';
import { readAppliedMigrations } from '../../../src/persistence/migrations.js';
import { allRows } from '../../fixtures/database-rows.js';
import { emptyDatabase } from '../../setup/database.js';
import { removeFolder, silentLog, temporaryFolder } from '../../setup/test-server.js';

/** Text with every character that PostgreSQL's COPY format escapes. */
export const AWKWARD_NAME = 'tab\t, line\n, back\\slash \\N \\., „ümläut“ 日本語 🎈';

/** The signal of a backup or restore that nobody cancels. */
export const NO_SIGNAL = new AbortController().signal;

/** A temporary folder for backups and data folders. */
export function aBackupFolder() {
  const folder = temporaryFolder();
  const inFolder = (name: string): string => path.join(folder, name);
  return {
    folder,
    inFolder,
    createDataDir: (name: string): string => {
      mkdirSync(inFolder(name));
      return inFolder(name);
    },
    removeAll: () => removeFolder(folder),
  };
}

interface Location {
  databaseUrl?: string;
  dataDir?: string;
}

export const openAt = (location: Location): Promise<ConfiguredDatabase> =>
  openConfiguredDatabase(
    { databaseUrl: location.databaseUrl, dataDir: location.dataDir ?? '' },
    { poolSize: 2, log: silentLog },
  );

/** Opens a database, runs `work`, and closes it. */
export async function withDatabase<T>(
  location: Location,
  work: (database: ConfiguredDatabase) => Promise<T>,
): Promise<T> {
  const database = await openAt(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Runs `work` with the URL of a new database without tables. */
export async function withEmptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const empty = await emptyDatabase();
  try {
    await work(empty.url);
  } finally {
    await empty.drop();
  }
}

/**
 * All rows except for pauses, which a restore adds; the last value of each sequence except for that
 * of a table that backups do not contain, and the names of the applied migrations, whose times may
 * differ.
 */
export async function contentOf({ pool, scan }: OpenDatabase) {
  const { _prisma_migrations: _records, publishing_pause: _pauses, ...rows } = await allRows(pool);
  const { rows: sequences } = await pool.query(
    "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema() AND sequencename <> 'post_count_change_id_seq' ORDER BY 1",
  );
  return { rows, sequences, migrations: await readAppliedMigrations(scan) };
}

/** Sends SIGINT as soon as the command handles it. */
export async function interrupt<T>(command: Promise<T>): Promise<T> {
  const listeners = process.listenerCount('SIGINT');
  while (process.listenerCount('SIGINT') === listeners) await new Promise(setImmediate);
  process.emit('SIGINT');
  return command;
}
