import pg from 'pg';

/**
 * Runs statements that fill large tables on a connection of their own: the pool of a gateway ends
 * statements that take longer than a request may.
 */
export async function withUnlimitedClient(
  url: string,
  work: (sql: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
