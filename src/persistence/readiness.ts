import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { trackedConnections, type Connection } from './connections/connection.js';
import { singleFlight } from './single-flight.js';
import { IS_PUBLISHING_PAUSED } from './publishing/due-conditions.js';
import { run } from './sql.js';

/** Results of the readiness checks of the database. */
export interface DatabaseReadiness {
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
  pool: pg.Pool,
  requiredMigrations: readonly string[],
): Promise<DatabaseReadiness> {
  const [row] = await run<{ isPending: boolean }>(pool, READINESS, [requiredMigrations]);
  if (row!.isPending) return { database: 'ok', migrations: 'pending', publishing: 'unknown' };
  const [publishing] = await run<{ isPaused: boolean }>(pool, PUBLISHING);
  return {
    database: 'ok',
    migrations: 'ok',
    publishing: publishing!.isPaused ? 'paused' : 'ok',
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
/** The next probe then opens another connection, which may lead to another server. */
const PROBE_CONNECTION_TIMEOUT_MS = 2_000;

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
  const connections = new Set<Connection>();
  const Client = trackedConnections(connections) as new () => pg.ClientBase;
  const probePool = new pg.Pool({ ...options, Client, max: 1 });
  probePool.on('error', () => undefined); // the next probe reports it
  probePool.on('connect', (client) => client.on('error', () => undefined));

  async function respond(): Promise<'responded' | 'failed'> {
    const timer = setTimeout(
      () => connections.forEach((connection) => connection.abandon()),
      PROBE_CONNECTION_TIMEOUT_MS,
    );
    return probePool
      .query('SELECT 1')
      .then(
        () => 'responded' as const,
        () => 'failed' as const,
      )
      .finally(() => clearTimeout(timer));
  }
  const outcome = singleFlight<'responded' | 'failed' | 'late'>(respond, {
    timeoutMs: PROBE_TIMEOUT_MS,
    fallback: 'late',
  });

  return {
    async isResponsive() {
      const before = performance.eventLoopUtilization();
      const result = await outcome();
      // A failure can take less than a millisecond, in which the utilization says nothing.
      return result === 'late'
        ? performance.eventLoopUtilization(before).utilization > BUSY_UTILIZATION
        : result === 'responded';
    },
    close: () => probePool.end(),
  };
}
