import type pg from 'pg';
import { inTime } from './in-time.js';

/** How the parts of the database stand that every process hangs on. */
export interface DatabaseVitals {
  readonly database: 'ok' | 'away';
  /** `open`: one is under way or has failed, and until none is, the database is not for use. */
  readonly migrations: 'ok' | 'open' | 'unknown';
  /** Where jobs wait. */
  readonly queue: 'ok' | 'missing' | 'unknown';
}

const AWAY: DatabaseVitals = { database: 'away', migrations: 'unknown', queue: 'unknown' };
/** Whoever asks looks elsewhere after a second or two. */
const DEADLINE_MS = 1_500;

const LOOK = {
  name: 'vitals',
  text: `SELECT EXISTS (SELECT FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL) AS "isOpen",
    to_regclass('pgboss.job') IS NOT NULL AS "hasQueue"`,
};

async function look(pool: pg.Pool): Promise<DatabaseVitals> {
  const { rows } = await pool.query<{ isOpen: boolean; hasQueue: boolean }>(LOOK);
  const { isOpen, hasQueue } = rows[0]!;
  return { database: 'ok', migrations: isOpen ? 'open' : 'ok', queue: hasQueue ? 'ok' : 'missing' };
}

/** Looks how the database stands; `away` where it says nothing in time. */
export const createVitals = (pool: pg.Pool): (() => Promise<DatabaseVitals>) => inTime(() => look(pool), { milliseconds: DEADLINE_MS, otherwise: AWAY });
