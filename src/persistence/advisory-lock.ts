import pg from 'pg';

/**
 * Runs `work` while holding the advisory lock `name`, which one process at a time can hold in a
 * database. Waits for the lock on a separate connection: `work` may need every connection of the
 * pool.
 */
export async function withAdvisoryLock<T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  // the wait for the lock must not time out
  const client = new pg.Client({ ...pool.options, statement_timeout: 0 });
  // without a listener, a lost connection would end the process
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return await work();
  } finally {
    await client.end(); // releases the lock
  }
}
