import type pg from 'pg';
import { Connection, type ConnectionOptions } from './connection.js';

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
