import type pg from 'pg';
import type { ClockReading, DatabaseFacts, RedisFacts } from '../services/diagnostics.js';
import type { JobCount } from '../services/jobs/job-ports.js';
import { isSealedWith } from './credentials/credential-cipher.js';
import type { CredentialKeys } from './credentials/credential-keys.js';
import type { Database } from './database.js';
import { createJobLoad } from './jobs/job-load.js';
import { WORKERS_NAME } from './jobs/job-wakeups.js';
import { migrationStates, type MigrationStanding } from './migration-states.js';
import { connectRedis } from '../redis/redis-client.js';
import type { RedisSettings } from '../redis/redis-state.js';
import { hasTable } from './sql.js';

const REDIS_PATIENCE_MS = 2_000;

const STATE = `SELECT current_setting('server_version') AS version, pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used, current_setting('max_connections')::int AS most`;
/** Its own command runs it, and begins it again. */
const IMPORT = 'import';
/** Each process that does jobs listens on a connection of its own. */
const WORKERS =
  'SELECT count(*)::int AS workers FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1';

interface DatabaseParts {
  readonly migrationsDir: string;
  readonly keys: CredentialKeys;
}

/** Asks an open database how it stands, and changes nothing. */
export async function databaseFacts(
  { pool, embedded }: Pick<Database, 'pool' | 'embedded'>,
  { migrationsDir, keys }: DatabaseParts,
): Promise<DatabaseFacts> {
  const clock = await databaseClock(pool);
  const {
    rows: [state],
  } = await pool.query<{ version: string; isReadOnly: boolean; used: number; most: number }>(STATE);
  const { version, isReadOnly, ...connections } = state!;
  const states = await migrationStates(pool, migrationsDir);
  const named = (standing: MigrationStanding): string[] =>
    states.filter((one) => one.standing === standing).map(({ name }) => name);
  const [pending, edited, failed, unknown] = (
    ['pending', 'edited', 'failed', 'unknown'] as const
  ).map(named) as [string[], string[], string[], string[]];
  const migrations = { applied: named('applied').length, pending, edited, failed, unknown };
  const jobs = await jobFacts(pool);
  return {
    version: version.split(' ')[0]!,
    isEmbedded: embedded,
    isReadOnly,
    connections,
    clock,
    migrations,
    jobs,
    locked: await lockedAccounts(pool, keys),
  };
}

async function jobFacts(pool: pg.Pool): Promise<DatabaseFacts['jobs']> {
  const load = await createJobLoad(pool)();
  if (!load) return null;
  const { rows } = await pool.query<{ workers: number }>(WORKERS, [WORKERS_NAME]);
  const countOf = (state: JobCount['state']): number =>
    load.counts
      .filter((one) => one.state === state && one.kind !== IMPORT)
      .reduce((sum, { count }) => sum + count, 0);
  return {
    workers: rows[0]!.workers,
    waiting: countOf('waiting'),
    oldestSeconds: load.oldestDueSeconds,
    failed: countOf('failed'),
  };
}

/** None where the table is not made yet. */
async function lockedAccounts(pool: pg.Pool, keys: CredentialKeys): Promise<string[]> {
  if (!(await hasTable(pool, 'account_credential'))) return [];
  const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
    'SELECT account_id AS id, sealed FROM account_credential ORDER BY 1',
  );
  if (rows.length === 0) return [];
  const opening = await keys.opening().catch(() => []);
  return rows
    .filter(({ sealed }) => !opening.some((key) => isSealedWith(key, sealed)))
    .map(({ id }) => id);
}

/** The first answer may have had to wait for a connection: the quickest of three tells most. */
async function databaseClock(pool: pg.Pool): Promise<ClockReading> {
  const readings: ClockReading[] = [];
  for (let count = 0; count < 3; count++) {
    const sent = Date.now();
    const { rows } = await pool.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float AS ms',
    );
    readings.push({ sent, theirs: rows[0]!.ms, received: Date.now() });
  }
  return readings.reduce((best, one) =>
    one.received - one.sent < best.received - best.sent ? one : best,
  );
}

/** Asks Redis for its time, after a write; null where none is set. @throws Error saying why it cannot be used */
export async function redisFacts({
  redisUrls,
  redisPrefix,
}: RedisSettings): Promise<RedisFacts | null> {
  if (redisUrls.length === 0) return null;
  const connection = connectRedis(redisUrls);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(connection.trouble() ?? new Error(`no answer within ${REDIS_PATIENCE_MS} ms`)),
      REDIS_PATIENCE_MS,
    );
  });
  const ask = async (): Promise<RedisFacts> => {
    await connection.ready;
    await connection.client.set(`${redisPrefix}doctor`, '', 'PX', 1);
    const sent = Date.now();
    const [seconds, micros] = (await connection.client.eval("return redis.call('TIME')", 0)) as [
      string,
      string,
    ];
    return {
      clock: { sent, theirs: Number(seconds) * 1000 + Number(micros) / 1000, received: Date.now() },
    };
  };
  try {
    return await Promise.race([ask(), late]);
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}
