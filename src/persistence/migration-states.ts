import type pg from 'pg';
import { readMigrations, RECORDS } from './migrations.js';
import { hasTable } from './sql.js';

/** How a migration stands: `edited` after it was applied; `unknown` to this build, which is then older than the database. */
export type MigrationStanding = 'applied' | 'pending' | 'edited' | 'failed' | 'unknown';
export interface MigrationState {
  readonly name: string;
  readonly standing: MigrationStanding;
  readonly appliedAt: Date | null;
}

type Sql = Pick<pg.Pool | pg.ClientBase, 'query'>;
interface Row {
  name: string;
  checksum: string;
  appliedAt: Date | null;
}

/** How the migrations of this build and of the database stand, in order; changes nothing. */
export async function migrationStates(sql: Sql, dir: string): Promise<MigrationState[]> {
  const done = new Map((await readRecords(sql)).map((row) => [row.name, row]));
  const known = readMigrations(dir).map(({ name, checksum }): MigrationState => {
    const row = done.get(name);
    done.delete(name);
    if (!row) return { name, standing: 'pending', appliedAt: null };
    if (!row.appliedAt) return { name, standing: 'failed', appliedAt: null };
    return {
      name,
      standing: row.checksum === checksum ? 'applied' : 'edited',
      appliedAt: row.appliedAt,
    };
  });
  return [
    ...known,
    ...[...done.values()].map(({ name, appliedAt }): MigrationState => ({
      name,
      standing: 'unknown',
      appliedAt,
    })),
  ];
}

/** The names of those that the database has, in order. */
export const appliedMigrations = async (sql: Sql): Promise<string[]> =>
  (await readRecords(sql)).filter(({ appliedAt }) => appliedAt).map(({ name }) => name);

async function readRecords(sql: Sql): Promise<Row[]> {
  if (!(await hasTable(sql, RECORDS))) return [];
  return (
    await sql.query<Row>(
      'SELECT migration_name AS name, checksum, finished_at AS "appliedAt" FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name',
    )
  ).rows;
}
