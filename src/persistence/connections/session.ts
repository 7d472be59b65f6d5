import type pg from 'pg';
import { type Backend, Connection, type ConnectionOptions } from './connection.js';

/** Bounds how long a statement without an index holds its connection. */
export const STATEMENT_TIMEOUT_SECONDS = 15;

/**
 * Settings of every session. They are set after connecting, not as startup parameters, which
 * connection poolers refuse or drop.
 *
 * The planner's defaults assume spinning disks and reports: here every hot statement is short and
 * reads by index. Planning a statement for each set of values took longer than running it, so each
 * statement is planned once per connection, for all values. Statements are written accordingly:
 * everything that a plan depends on is in their text (test/persistence/posts/post-plans.test.ts).
 */
const SESSION_SETTINGS = {
  statement_timeout: `${STATEMENT_TIMEOUT_SECONDS}s`,
  // the locks of a process whose host died
  idle_in_transaction_session_timeout: '1min',
  random_page_cost: '1.1',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
} as const satisfies Record<string, string>;

const NAMES = Object.keys(SESSION_SETTINGS) as (keyof typeof SESSION_SETTINGS)[];
const SET_SETTINGS = NAMES.map(
  (name) => `set_config('${name}', '${SESSION_SETTINGS[name]}', false)`,
);
const READ_SETTINGS = `SELECT ${NAMES.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`;
const BACKEND_START = 'extract(epoch FROM backend_start)::text';
const SET_UP = `SELECT pg_backend_pid() AS pid, (SELECT ${BACKEND_START} FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS "startedAt", ${SET_SETTINGS.join(', ')}`;

/**
 * Sets up the session of a new connection, which a pool of `Connection` opened. A pooler in
 * transaction mode has to set up the sessions itself.
 */
export async function setUpSession(client: pg.ClientBase): Promise<void> {
  const connection = client as Connection;
  if (connection.hasNoSession) {
    connection.backend = null;
    return;
  }
  const { rows } = await connection.query<Backend>(SET_UP);
  const { pid, startedAt } = rows[0]!;
  connection.backend = { pid, startedAt };
}

/** The settings of a session that do not have the value that `setUpSession` sets. */
export async function differingSettings(connection: pg.ClientBase): Promise<string[]> {
  const { rows } = await connection.query<typeof SESSION_SETTINGS>(READ_SETTINGS);
  return NAMES.filter((name) => rows[0]![name] !== SESSION_SETTINGS[name]);
}

/**
 * The backends among these processes, and whether each is working. A statement that was sent within
 * the last second may not have arrived.
 */
export const READ_BACKENDS = `SELECT pid, ${BACKEND_START} AS "startedAt", state NOT LIKE 'idle%' OR state_change > clock_timestamp() - interval '1 second' AS "isWorking"
  FROM pg_stat_activity WHERE pid = ANY($1::int[])`;

/** Ends the statement of a backend, if it still exists. */
export const CANCEL_BACKEND = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND ${BACKEND_START} = $2`;

/**
 * TCP keepalive finds idle connections to a host that is gone, and keeps firewalls from forgetting
 * them.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The options of connections with a session of their own, for LISTEN and locks. */
export const sessionOptions = ({ options }: pg.Pool): ConnectionOptions =>
  (options as ConnectionOptions).session ?? options;

const NO_TIMEOUTS = 'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0';

/**
 * Runs `work` on a connection outside the pool, without time limits, and closes it: for work that
 * waits for a lock or takes minutes.
 */
export async function withSession<T>(
  pool: pg.Pool,
  work: (session: pg.Client) => Promise<T>,
): Promise<T> {
  const session = new Connection({ ...sessionOptions(pool), ...KEEP_ALIVE, pipeline: false });
  // the next statement reports it; without a listener, a lost connection would end the process
  session.on('error', () => undefined);
  await session.connect();
  try {
    await session.query(NO_TIMEOUTS);
    return await work(session);
  } finally {
    await session.end(); // rolls back and releases locks
  }
}
