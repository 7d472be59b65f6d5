import { hasTable, type Sql } from './sql.js';

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
