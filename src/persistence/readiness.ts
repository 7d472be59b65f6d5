import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { inTime } from './single-flight.js';

/** How the parts of the database stand that every process hangs on. */
export interface DatabaseVitals {
  readonly database: 'ok' | 'away';
  /** `open`: one that this build needs is not there, or one has failed; until then the database is not for use. */
  readonly migrations: 'ok' | 'open' | 'unknown';
  /** Where jobs wait. */
  readonly queue: 'ok' | 'missing' | 'unknown';
}

const AWAY: DatabaseVitals = { database: 'away', migrations: 'unknown', queue: 'unknown' };
/** Whoever asks looks elsewhere after a second or two. */
const DEADLINE_MS = 1_500;

const LOOK = {
  name: 'vitals',
  text: `SELECT (SELECT count(*) FILTER (WHERE finished_at IS NULL) > 0 OR count(*) FILTER (WHERE migration_name = ANY($1::text[])) < cardinality($1::text[])
      FROM _prisma_migrations WHERE rolled_back_at IS NULL) AS "isOpen",
    to_regclass('pgboss.job') IS NOT NULL AS "hasQueue"`,
};

async function look(pool: pg.Pool, needed: readonly string[]): Promise<DatabaseVitals> {
  const { rows } = await pool.query<{ isOpen: boolean; hasQueue: boolean }>({
    ...LOOK,
    values: [needed],
  });
  const { isOpen, hasQueue } = rows[0]!;
  return { database: 'ok', migrations: isOpen ? 'open' : 'ok', queue: hasQueue ? 'ok' : 'missing' };
}

/** Looks how the database stands, which needs these migrations; `away` where it says nothing in time. */
export const createVitals = (
  pool: pg.Pool,
  needed: readonly string[],
): (() => Promise<DatabaseVitals>) =>
  inTime(() => look(pool, needed), { milliseconds: DEADLINE_MS, otherwise: AWAY });

/** A database that is well answers a plain question in a fraction of this. */
const PROMPT_MS = 400;

/** Asks whether the database answers promptly. */
export interface Lookout {
  isAnswering(): Promise<boolean>;
  close(): Promise<void>;
}

/** Above it, this process had no time to hear the answer. */
const BUSY = 0.9;

/**
 * Asks over a connection of its own, which is there while it is needed: a pool whose connections are all busy says
 * nothing of the database, and a process that is busy itself has no ear for it.
 */
export function createLookout({ options }: pg.Pool): Lookout {
  const own = new pg.Pool({ ...options, max: 1 });
  own.on('error', () => undefined); // the next look tells
  own.on('connect', (client) => client.on('error', () => undefined));
  const hasAnswered = inTime(() => own.query('SELECT 1').then(() => true), {
    milliseconds: PROMPT_MS,
    otherwise: false,
  });
  return {
    async isAnswering() {
      const before = performance.eventLoopUtilization();
      return (await hasAnswered()) || performance.eventLoopUtilization(before).utilization > BUSY;
    },
    close: () => own.end(),
  };
}
