import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { installJobQueue } from './jobs/job-queue.js';
import type { Log } from './log.js';
import { hasTable } from './sql.js';

/** The migrations of this build: prisma/migrations, two folders up from src/persistence and dist/persistence alike. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

// What Prisma Migrate itself locks, so that its command line and we can meet on one database.
const MIGRATION_LOCK = 72_707_369;
/** The table of what was applied. */
export const RECORDS = '_prisma_migrations';
const TABLE = `CREATE TABLE IF NOT EXISTS ${RECORDS} (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Brings the database to this build's schema, keeping the records that `prisma migrate` keeps, and the line of jobs
 * beside it; gives the names of the migrations that it applied, in order. Processes that start at once wait for the first; each file is one transaction with its record.
 * @throws when an earlier migration failed, when the database has one that this build does not know, or when one fails now
 */
export const applyMigrations = (pool: pg.Pool, dir: string, log: Log): Promise<string[]> =>
  applyThese(pool, readMigrations(dir), log);

/** The same for some of them, which no database may be ahead of. */
export async function applyThese(
  pool: pg.Pool,
  migrations: readonly Migration[],
  log: Log,
): Promise<string[]> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('SET statement_timeout = 0'); // neither the wait for the lock nor a long migration is a stray query
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await applyMissing(client, migrations, log);
    await installJobQueue(client);
    return applied;
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    // A connection given back broken is closed, and its lock goes with it.
    if (!broken)
      await client
        .query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
        .then(() => client.query('RESET statement_timeout'));
    client.release(broken);
  }
}

async function applyMissing(
  client: pg.PoolClient,
  migrations: readonly Migration[],
  log: Log,
): Promise<string[]> {
  if (!(await hasTable(client, RECORDS))) await client.query(TABLE);
  const done = await readDone(client, migrations);
  const applied: string[] = [];
  for (const migration of migrations) {
    const checksum = done.get(migration.name);
    if (checksum === undefined) {
      await apply(client, migration);
      applied.push(migration.name);
    } else if (checksum !== migration.checksum) {
      log.warn(
        `Migration ${migration.name} was edited after it was applied; the database keeps the earlier form`,
      );
    }
  }
  return applied;
}

async function readDone(
  client: pg.PoolClient,
  migrations: readonly Migration[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    'SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at',
  );
  const failed = rows.find((row) => !row.finished);
  if (failed)
    throw new Error(
      `Migration ${failed.name} failed earlier: mend the database, then run \`posts-gateway migrate --rolled-back ${failed.name}\``,
    );
  const unknown = rows.find((row) => !migrations.some(({ name }) => name === row.name));
  if (unknown)
    throw new Error(
      `The database has migration ${unknown.name}, which this build does not know: it is newer than this code`,
    );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/**
 * Takes a failed migration as undone, so that the next `applyMigrations` tries it again: what `prisma migrate resolve
 * --rolled-back` does. Gives whether there was one of this name.
 */
export async function markRolledBack(pool: pg.Pool, name: string): Promise<boolean> {
  if (!(await hasTable(pool, RECORDS))) return false;
  const { rowCount } = await pool.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL',
    [name],
  );
  return rowCount !== 0;
}

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID();
  const record = `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('${id}', '${checksum}', ${client.escapeLiteral(name)});`;
  const finish = `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = '${id}'`;
  try {
    // Several statements in one simple query are one transaction: a process killed in the middle leaves nothing behind.
    await client.query(`${record}\n${sql}\n;${finish}`);
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string };
    await client.query('ROLLBACK'); // for a file that opened a transaction of its own
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET logs = excluded.logs`,
      [id, checksum, name, `${code} ${message}`],
    );
    throw new Error(`Migration ${name} failed: ${message}`, { cause: error });
  }
}

/** Their names alone, in order. */
export const migrationNames = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** The migrations of a folder, in order. */
export function readMigrations(dir: string): Migration[] {
  return migrationNames(dir).map((name) => {
    const sql = readFileSync(path.join(dir, name, 'migration.sql'), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}
