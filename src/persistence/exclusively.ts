import type { Pool } from 'pg';

/** Runs the work while no other process does work of the same name on this database; waits for its turn. */
export async function exclusively<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('SET statement_timeout = 0'); // the wait for a turn is no stray query
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    try {
      return await work();
    } finally {
      await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
      await client.query('RESET statement_timeout');
    }
  } catch (error) {
    broken = error as Error; // a connection given back broken is closed, and its lock goes with it
    throw error;
  } finally {
    client.release(broken);
  }
}
