import type { Database } from './database.js';
import { IS_PUBLISHING_PAUSED } from './publishing/due-conditions.js';
import { singleFlight } from './single-flight.js';
import type { Sql } from './sql.js';
import type { ReadOnlyReason } from '../domain/diagnostics/diagnostic-facts.js';

const STATE = `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** Why the database accepts no changes; null if it accepts them. */
export async function readOnlyReason(sql: Sql): Promise<ReadOnlyReason | null> {
  const [row] = await sql<{ isStandby: boolean; isReadOnly: boolean }>(STATE);
  const { isStandby, isReadOnly } = row!;
  if (isStandby) return 'standby';
  return isReadOnly ? 'setting' : null;
}

const MESSAGES: Readonly<Record<ReadOnlyReason, string>> = {
  standby:
    'The database server is a standby, which accepts no changes: set DATABASE_URL to the primary server, or wait until this one is promoted',
  setting:
    'The database accepts no changes, because default_transaction_read_only is on: set DATABASE_URL to a database that does, or turn the setting off',
};

/** @throws Error of one line if the database accepts no changes */
export async function assertWritable(sql: Sql): Promise<void> {
  const reason = await readOnlyReason(sql);
  if (reason) throw new Error(MESSAGES[reason]);
}

/** Results of the readiness checks of the database. */
interface DatabaseReadiness {
  readonly database: 'ok' | 'unavailable';
  /**
   * `pending`: a migration that this build requires is missing or failed; the database must not be
   * used until then.
   */
  readonly migrations: 'ok' | 'pending' | 'unknown';
  /** `paused`: no post is published until an operator resumes publication. Requests are served. */
  readonly publishing: 'ok' | 'paused' | 'unknown';
}

const UNAVAILABLE: DatabaseReadiness = {
  database: 'unavailable',
  migrations: 'unknown',
  publishing: 'unknown',
};
/** Load balancers give up on a readiness check after one or two seconds. */
const READINESS_TIMEOUT_MS = 1_500;

const READINESS = `SELECT (SELECT count(*) FILTER (WHERE finished_at IS NULL) > 0 OR count(*) FILTER (WHERE migration_name = ANY($1::text[])) < cardinality($1::text[])
      FROM _prisma_migrations WHERE rolled_back_at IS NULL) AS "isPending"`;

const PUBLISHING = `SELECT ${IS_PUBLISHING_PAUSED} AS "isPaused"`;

async function readReadiness(
  database: Database,
  requiredMigrations: readonly string[],
): Promise<DatabaseReadiness> {
  const [row] = await database.read<{ isPending: boolean }>(READINESS, [requiredMigrations]);
  if (row!.isPending) return { database: 'ok', migrations: 'pending', publishing: 'unknown' };
  const [publishing] = await database.read<{ isPaused: boolean }>(PUBLISHING);
  return {
    database: 'ok',
    migrations: 'ok',
    publishing: publishing!.isPaused ? 'paused' : 'ok',
  };
}

/** Creates the readiness check of a database that requires these migrations. It never throws. */
export const createReadinessCheck = (
  database: Database,
  requiredMigrations: readonly string[],
): (() => Promise<DatabaseReadiness>) =>
  singleFlight(() => readReadiness(database, requiredMigrations), {
    timeoutMs: READINESS_TIMEOUT_MS,
    fallback: UNAVAILABLE,
  });
