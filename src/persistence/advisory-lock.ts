import pg from 'pg';

/**
 * Runs the work while no other process does work of the same name on this database; waits for its turn. The turn has a
 * connection of its own: the work may need every one that the pool has.
 */
export async function exclusively<T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...pool.options, statement_timeout: 0 }); // the wait for a turn is no stray query
  client.on('error', () => undefined); // lost while the work goes on: unheard, it would end the process
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return await work();
  } finally {
    await client.end(); // the lock goes with the connection
  }
}
