import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServerLog } from './server-log.js';

const LOCK_ID = 1_886_350_183; // arbitrary; unique among the advisory locks of database `postgres`
const RECONNECT_MS = 1_000;

/** A shared advisory lock that marks the server as in use by this process. */
export interface UsageLock {
  /** The connection that holds the lock. */
  client(): pg.Client;
  release(): Promise<void>;
}

interface UsageLockOptions {
  readonly log: ServerLog;
  /** Starts the server again on its port. */
  readonly restart: () => Promise<void>;
}

/**
 * Acquires the lock on a dedicated connection and, if the connection is lost, again until it is
 * released.
 */
export async function acquireUsageLock(
  connectionString: string,
  { log, restart }: UsageLockOptions,
): Promise<UsageLock> {
  const releasing = new AbortController();
  let reacquiring = Promise.resolve();
  const acquire = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString,
      application_name: 'posts-gateway lifetime',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined); // handled by the `end` listener
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [LOCK_ID]);
    client.once('end', () => {
      reacquiring = reacquire();
    });
    return client;
  };
  // A crashed backend makes the server close all connections. Without the lock, another process
  // could stop the server.
  const reacquire = async (): Promise<void> => {
    if (releasing.signal.aborted) return;
    log.warn('Lost the connection that keeps the database server running');
    while (!releasing.signal.aborted) {
      try {
        current = await acquire();
        log.warn('Reconnected to the database server');
        return;
      } catch {
        await sleep(RECONNECT_MS, undefined, { ref: false, signal: releasing.signal }).catch(
          () => undefined,
        );
        if (!releasing.signal.aborted)
          await restart().catch(({ message }: Error) =>
            log.warn(`Could not restart the database server: ${message}`),
          );
      }
    }
  };
  let current = await acquire();
  return {
    client: () => current,
    async release() {
      releasing.abort();
      await reacquiring;
      // Unlock explicitly: after the end of a connection, its backend may hold the lock for some
      // moments.
      await current.query('SELECT pg_advisory_unlock_shared($1)', [LOCK_ID]).catch(() => undefined);
      await current.end().catch(() => undefined);
    },
  };
}

/** Whether no process holds the usage lock. */
export async function isUnused(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined); // the next query reports it
  await client.connect();
  try {
    const { rows } = await client.query<{ isFree: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS "isFree"',
      [LOCK_ID],
    );
    return rows[0]?.isFree ?? false;
  } finally {
    await client.end();
  }
}
