import type { MigrationState, MigrationStatus } from '../services/maintenance/migration-ports.js';
import { MIGRATIONS_TABLE, readMigrations } from './migrations.js';
import { isCompatibleSchema } from './schema-version.js';
import { hasTable, type Sql } from './sql.js';

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
