import type { Database } from './database.js';

/**
 * Runs `work` while holding the advisory lock `name`, which one process at a time can hold in a
 * database. Waits for the lock on a separate connection: `work` may need every connection of the
 * pool.
 */
export const withAdvisoryLock = <T>(
  database: Database,
  name: string,
  work: () => Promise<T>,
): Promise<T> =>
  database.session(async (session) => {
    await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return work();
  });
