import pg from 'pg';
import type { Connection } from './connection.js';
import { differingSettings } from './session-settings.js';

const NO_OWN_SESSION =
  'a connection pooler in transaction or statement mode is between this process and PostgreSQL. ' +
  'The service needs sessions: set the pooler to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL directly';

const pidOf = async (client: pg.ClientBase): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

/** Whether nothing is between: the server sees the port of this process. Unknown with Unix sockets. */
async function isDirect(client: Connection): Promise<boolean> {
  const { rows } = await client.query<{ port: number | null }>('SELECT inet_client_port() AS port');
  return rows[0]!.port !== null && rows[0]!.port === client.localPort;
}

/** Whether another client gets the session of this one, or this one gets another session. */
async function sharesSessions(client: pg.ClientBase, options: pg.ClientConfig): Promise<boolean> {
  const other = new pg.Client(options);
  other.on('error', () => undefined);
  await other.connect();
  try {
    const before = await pidOf(client);
    const hasTransaction = await other.query('BEGIN').then(
      () => true, // keeps its session from now on
      () => false, // statement mode
    );
    return !hasTransaction || before === (await pidOf(other)) || before !== (await pidOf(client));
  } finally {
    await other.end();
  }
}

/**
 * Asserts that each connection has a session to itself. Otherwise settings would be lost, prepared
 * statements missing, and LISTEN and advisory locks without effect.
 * @throws Error of one line
 */
export async function assertOwnSession(pool: pg.Pool): Promise<void> {
  const client = (await pool.connect()) as pg.PoolClient & Connection;
  try {
    const hasLostSettings = (await differingSettings(client)).length > 0;
    if (
      hasLostSettings ||
      (!(await isDirect(client)) && (await sharesSessions(client, pool.options)))
    )
      throw new Error(NO_OWN_SESSION);
  } finally {
    client.release();
  }
}
