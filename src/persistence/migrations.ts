import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { Database } from './database.js';
import { isCompatibleSchema, isOldMigration, oldSchemaError } from './schema-version.js';
import { type Sql, hasTable, sqlOn } from './sql.js';
import type { Log } from '../domain/log.js';

/**
 * `edited`: the file changed after it was applied. `unknown`: not part of this build, but of a
 * later release of the same major version, whose migrations only add. `incompatible`: of a later
 * major version, whose schema this build cannot use.
 */
export type MigrationStatus =
  'applied' | 'pending' | 'edited' | 'failed' | 'unknown' | 'incompatible';

/** State of one migration, as `migrate --status --json` prints it. */
export interface MigrationState {
  readonly name: string;
  readonly status: MigrationStatus;
  readonly appliedAt: Date | null;
}

interface Row {
  name: string;
  checksum: string;
  appliedAt: Date | null;
}

/** States of the migrations of this build and of the database, in order. Changes nothing. */
export async function readMigrationStates(sql: Sql, dir: string): Promise<MigrationState[]> {
  const recorded = new Map((await readRecords(sql)).map((row) => [row.name, row]));
  const buildMigrations = readMigrations(dir).map(({ name, checksum }): MigrationState => {
    const row = recorded.get(name);
    recorded.delete(name);
    if (!row) return { name, status: 'pending', appliedAt: null };
    if (!row.appliedAt) return { name, status: 'failed', appliedAt: null };
    const status: MigrationStatus = row.checksum === checksum ? 'applied' : 'edited';
    return { name, status, appliedAt: row.appliedAt };
  });
  const known = buildMigrations.map(({ name }) => name);
  const unknown = [...recorded.values()].map(({ name, appliedAt }): MigrationState => ({
    name,
    status: isCompatibleSchema(known, [name]) ? 'unknown' : 'incompatible',
    appliedAt,
  }));
  return [...buildMigrations, ...unknown];
}

/** Names of the migrations applied to the database, in order. */
export const readAppliedMigrations = async (sql: Sql): Promise<string[]> =>
  (await readRecords(sql)).filter(({ appliedAt }) => appliedAt).map(({ name }) => name);

async function readRecords(sql: Sql): Promise<Row[]> {
  if (!(await hasTable(sql, MIGRATIONS_TABLE))) return [];
  return sql<Row>(
    'SELECT migration_name AS name, checksum, finished_at AS "appliedAt" FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name',
  );
}

// The lock that Prisma Migrate uses, so that its command line and this code exclude each other.
const MIGRATION_LOCK = 72_707_369;
/** Records the applied migrations, in the format of Prisma Migrate. */
const MIGRATIONS_TABLE = '_prisma_migrations';
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/** A migration file. */
interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file, in hex. */
  checksum: string;
}

/**
 * Applies the pending migrations of a folder, each in one transaction with its record.
 * Returns the names of the applied migrations, in order. Concurrent processes wait for the first
 * one.
 * @throws when an earlier migration failed, when the database has the schema of a later major
 * version, or when a migration fails now
 */
export const applyMigrations = (database: Database, dir: string, log: Log): Promise<string[]> =>
  applySelectedMigrations(database, readMigrations(dir), log);

/** Like `applyMigrations`, with a given list of migrations. */
export function applySelectedMigrations(
  database: Database,
  migrations: readonly Migration[],
  log: Log,
): Promise<string[]> {
  return database.session(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return applyPending(client, migrations, log);
  });
}

async function applyPending(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  log: Log,
): Promise<string[]> {
  if (!(await hasTable(sqlOn(client), MIGRATIONS_TABLE)))
    await client.query(CREATE_MIGRATIONS_TABLE);
  const checksums = await readApplied(client, migrations, log);
  const applied: string[] = [];
  for (const migration of migrations) {
    const checksum = checksums.get(migration.name);
    if (checksum === undefined) {
      await applyMigration(client, migration);
      applied.push(migration.name);
    } else if (checksum !== migration.checksum) {
      log.warn(
        `Migration ${migration.name} was edited after it was applied; the database keeps the earlier version`,
      );
    }
  }
  return applied;
}

/** Checksums of the applied migrations, by name. */
async function readApplied(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  log: Log,
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    'SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at',
  );
  if (rows.some(({ name }) => isOldMigration(name))) throw oldSchemaError('The database');
  const failed = rows.find((row) => !row.finished);
  if (failed)
    throw new Error(
      `Migration ${failed.name} failed earlier: repair the database, then run \`posts-gateway migrate --rolled-back ${failed.name}\``,
    );
  const known = migrations.map(({ name }) => name);
  const unknown = rows.map(({ name }) => name).filter((name) => !known.includes(name));
  if (!isCompatibleSchema(known, unknown))
    throw new Error(
      `The database has the schema of a later major version (migration ${unknown.find((name) => !isCompatibleSchema(known, [name]))}), which this build cannot use: run that version`,
    );
  if (unknown.length > 0)
    log.warn(
      `A later release has migrated the database (${unknown.join(', ')}); this build works with it. Finish the upgrade`,
    );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/**
 * Marks a failed migration as rolled back, so that the next `applyMigrations` retries it, like
 * `prisma migrate resolve --rolled-back`. Returns false if no failed migration has this name.
 */
export async function markRolledBack(database: Database, name: string): Promise<boolean> {
  if (!(await hasTable(database.scan, MIGRATIONS_TABLE))) return false;
  const rows = await database.change(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL RETURNING 1',
    [name],
  );
  return rows.length > 0;
}

async function applyMigration(
  client: pg.ClientBase,
  { name, sql, checksum }: Migration,
): Promise<void> {
  const id = randomUUID();
  const record = `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('${id}', '${checksum}', ${client.escapeLiteral(name)});`;
  const finish = `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = '${id}'`;
  try {
    // Several statements in one simple query are one transaction: a process killed midway leaves
    // nothing behind.
    await client.query(`${record}\n${sql}\n;${finish}`);
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string };
    await client.query('ROLLBACK'); // for files that open a transaction themselves
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET logs = excluded.logs`,
      [id, checksum, name, `${code} ${message}`],
    );
    throw new Error(`Migration ${name} failed: ${message}`, { cause: error });
  }
}

/** Names of the migrations in a folder, in order. */
export const migrationNames = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** The migrations in a folder, in order. */
export function readMigrations(dir: string): Migration[] {
  return migrationNames(dir).map((name) => {
    const sql = readFileSync(path.join(dir, name, 'migration.sql'), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}
