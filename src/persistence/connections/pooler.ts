import type pg from 'pg';
import { Connection, type ConnectionOptions } from './connection.js';
import { differingSettings, sessionOptions } from './session.js';

const BETWEEN =
  'a connection pooler in transaction or statement mode is between this process and PostgreSQL. ';
const NO_OWN_SESSION = `${BETWEEN}The service needs sessions: set the pooler to session mode (PgBouncer: pool_mode = session), connect to PostgreSQL directly, or set DATABASE_DIRECT_URL for the statements that need a session`;
const NO_DIRECT_SESSION = `${BETWEEN}DATABASE_DIRECT_URL must lead to PostgreSQL without such a pooler`;
const NO_TRANSACTIONS =
  'the connection pooler allows no transactions: set it to transaction mode (PgBouncer: pool_mode = transaction)';

const pidOf = async (client: pg.ClientBase): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

/**
 * Whether nothing is between: the server sees the port of this process. Unknown with Unix sockets.
 */
async function isDirect(client: Connection): Promise<boolean> {
  const { rows } = await client.query<{ port: number | null }>('SELECT inet_client_port() AS port');
  return rows[0]!.port !== null && rows[0]!.port === client.localPort;
}

/** Begins a transaction. Returns false in statement mode, which allows none. */
const begin = (client: pg.ClientBase): Promise<boolean> =>
  client.query('BEGIN').then(
    () => true,
    () => false,
  );

async function withConnection<T>(
  options: ConnectionOptions,
  work: (client: Connection) => Promise<T>,
): Promise<T> {
  const client = new Connection({ ...options, pipeline: false });
  client.on('error', () => undefined); // the statements report it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether another client gets the session of this one, or this one gets another session. */
const sharesSessions = (client: pg.ClientBase, options: ConnectionOptions): Promise<boolean> =>
  withConnection(options, async (other) => {
    const before = await pidOf(client);
    const hasTransaction = await begin(other); // keeps its session from now on
    return !hasTransaction || before === (await pidOf(other)) || before !== (await pidOf(client));
  });

const hasOwnSession = async (client: Connection, options: ConnectionOptions): Promise<boolean> =>
  (await isDirect(client)) || !(await sharesSessions(client, options));

/** Asserts that a pooler in transaction mode sets up the sessions as this process would. */
async function assertPooledSessions(client: Connection): Promise<void> {
  const differing = await differingSettings(client);
  if (differing.length > 0)
    throw new Error(
      `the connection pooler does not set ${differing.join(', ')} of its sessions: add the connect_query of docs/postgresql.md to its configuration`,
    );
  if (!(await begin(client))) throw new Error(NO_TRANSACTIONS);
  await client.query('ROLLBACK');
}

/**
 * Asserts that each connection has a session to itself. Otherwise settings would be lost, prepared
 * statements missing, and LISTEN and advisory locks without effect. With a direct URL, only the
 * connections to it need one.
 * @throws Error of one line
 */
export async function assertOwnSession(pool: pg.Pool): Promise<void> {
  const client = (await pool.connect()) as pg.PoolClient & Connection;
  try {
    if (client.hasNoSession) {
      await assertPooledSessions(client);
      const direct = sessionOptions(pool);
      if (!(await withConnection(direct, (session) => hasOwnSession(session, direct))))
        throw new Error(NO_DIRECT_SESSION);
    } else if (
      (await differingSettings(client)).length > 0 ||
      !(await hasOwnSession(client, pool.options))
    )
      throw new Error(NO_OWN_SESSION);
  } finally {
    client.release();
  }
}
