import { type Sql, hasTable } from './sql.js';

/**
 * Names of the migrations of 0.1.0: 20261121000000_first_release to 20261122000000_replaced_keys.
 * 0.2.0 starts a new history.
 */
const OLD_MIGRATION = /^2026112(1\d{6}|2000000)_/;

/** Whether a migration belongs to 0.1.0. */
export const isOldMigration = (name: string): boolean => OLD_MIGRATION.test(name);

/** The error for a database or backup of 0.1.0; `subject` begins the sentence. */
export const oldSchemaError = (subject: string): Error =>
  new Error(
    `${subject} has the schema of release 0.1.0, which 0.2.0 can neither read nor upgrade: start with an empty database (set DATABASE_URL or DATA_DIR to a new one)`,
  );

/** @throws Error of one line if the database was created by 0.1.0 */
export async function assertReadableSchema(sql: Sql): Promise<void> {
  if (!(await hasTable(sql, '_prisma_migrations'))) return;
  const rows = await sql<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  if (rows.some(({ name }) => isOldMigration(name))) throw oldSchemaError('The database');
}

/** `20270601090000_major_2`: the first migration of major version 2. */
const MAJOR_MIGRATION = /^\d+_major_(\d+)$/;

/**
 * Major version of the schema that these migrations make: the highest one that a migration's name
 * begins, 0 if none does. All other migrations only add, so a build works with every later
 * migration of its own major version.
 */
const schemaMajor = (migrations: readonly string[]): number =>
  Math.max(0, ...migrations.map((name) => Number(MAJOR_MIGRATION.exec(name)?.[1] ?? 0)));

/** Whether a build with the migrations `known` can use a database that has `applied`. */
export const isCompatibleSchema = (known: readonly string[], applied: readonly string[]): boolean =>
  schemaMajor(applied) <= schemaMajor(known);
