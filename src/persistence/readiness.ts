import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { singleFlight } from './single-flight.js';

/** Results of the readiness checks of the database. */
export interface DatabaseReadiness {
  readonly database: 'ok' | 'unavailable';
  /**
   * `pending`: a migration that this build requires is missing or failed; the database must not be
   * used until then.
   */
  readonly migrations: 'ok' | 'pending' | 'unknown';
  /** `missing`: the job queue is not installed. */
  readonly queue: 'ok' | 'missing' | 'unknown';
}

const UNAVAILABLE: DatabaseReadiness = {
  database: 'unavailable',
  migrations: 'unknown',
  queue: 'unknown',
};
/** Load balancers give up on a readiness check after one or two seconds. */
const READINESS_TIMEOUT_MS = 1_500;

const READINESS_QUERY = {
  name: 'readiness',
  text: `SELECT (SELECT count(*) FILTER (WHERE finished_at IS NULL) > 0 OR count(*) FILTER (WHERE migration_name = ANY($1::text[])) < cardinality($1::text[])
      FROM _prisma_migrations WHERE rolled_back_at IS NULL) AS "isPending",
    to_regclass('pgboss.job') IS NOT NULL AS "hasQueue"`,
};

async function readReadiness(
  pool: pg.Pool,
  requiredMigrations: readonly string[],
): Promise<DatabaseReadiness> {
  const { rows } = await pool.query<{ isPending: boolean; hasQueue: boolean }>({
    ...READINESS_QUERY,
    values: [requiredMigrations],
  });
  const { isPending, hasQueue } = rows[0]!;
  return {
    database: 'ok',
    migrations: isPending ? 'pending' : 'ok',
    queue: hasQueue ? 'ok' : 'missing',
  };
}

/** Creates the readiness check of a database that requires these migrations. It never throws. */
export const createReadinessCheck = (
  pool: pg.Pool,
  requiredMigrations: readonly string[],
): (() => Promise<DatabaseReadiness>) =>
  singleFlight(() => readReadiness(pool, requiredMigrations), {
    timeoutMs: READINESS_TIMEOUT_MS,
    fallback: UNAVAILABLE,
  });

/** A healthy database responds to `SELECT 1` in a fraction of this. */
const PROBE_TIMEOUT_MS = 400;

/** Checks whether the database responds promptly. */
export interface DatabaseProbe {
  isResponsive(): Promise<boolean>;
  close(): Promise<void>;
}

/** Above this event loop utilization, this process may have been too busy to read the response. */
const BUSY_UTILIZATION = 0.9;

/**
 * Creates a probe with a separate connection, opened on demand: a pool whose connections are all in
 * use does not show whether the database responds. A slow response counts as responsive if this
 * process itself was busy.
 */
export function createDatabaseProbe({ options }: pg.Pool): DatabaseProbe {
  const probePool = new pg.Pool({ ...options, max: 1 });
  probePool.on('error', () => undefined); // the next probe reports it
  probePool.on('connect', (client) => client.on('error', () => undefined));
  const hasResponded = singleFlight(() => probePool.query('SELECT 1').then(() => true), {
    timeoutMs: PROBE_TIMEOUT_MS,
    fallback: false,
  });
  return {
    async isResponsive() {
      const before = performance.eventLoopUtilization();
      return (
        (await hasResponded()) ||
        performance.eventLoopUtilization(before).utilization > BUSY_UTILIZATION
      );
    },
    close: () => probePool.end(),
  };
}
