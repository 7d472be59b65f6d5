import type pg from 'pg';
import { withSession } from './connections/session.js';

/**
 * Runs `work` while holding the advisory lock `name`, which one process at a time can hold in a
 * database. Waits for the lock on a separate connection: `work` may need every connection of the
 * pool.
 */
export const withAdvisoryLock = <T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
): Promise<T> =>
  withSession(pool, async (session) => {
    await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return work();
  });
