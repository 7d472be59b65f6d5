import type { PostgresCluster } from './postgres-cluster.js';

/** All columns with times, except those of PostgreSQL and of the migrations. */
const TIMES = `
SELECT c.relname AS "table", string_agg(format('%1$I = %1$I - $passed', a.attname), ', ') AS assignments
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
   AND c.relname <> '_prisma_migrations' AND a.atttypid = 'timestamptz'::regtype AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
 GROUP BY c.relname`;

/** Idempotency keys of the sandbox network contain the times of posts. */
const KEYS = `
UPDATE sandbox_delivery SET handle = split_part(handle, '-', 1) || '-' || split_part(handle, '-', 2)::bigint - $passed
 WHERE is_exact`;

/**
 * Makes everything in a database older, as if this time had passed: clocks are not changed. Only
 * while no process uses the database.
 */
export async function letTimePass(
  cluster: PostgresCluster,
  database: string,
  minutes: number,
): Promise<void> {
  const tables = await cluster.admin<{ table: string; assignments: string }>(database, TIMES);
  await cluster.admin(
    database,
    'SET session_replication_role = replica', // without triggers
    'BEGIN',
    ...tables.map(
      ({ table, assignments }) =>
        `UPDATE "${table}" SET ${assignments.replaceAll('$passed', `interval '${minutes} minutes'`)}`,
    ),
    KEYS.replace('$passed', String(minutes * 60_000)),
    'COMMIT',
  );
}
