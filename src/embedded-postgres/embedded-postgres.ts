import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDataFolder } from './data-folder.js';
import { findPlace, type Place } from './embedded-place.js';
import {
  connectionTo,
  findRunning,
  startServer,
  stopServer,
  type ServerSettings,
} from './embedded-server.js';
import { withLockFile } from './lock-file.js';
import type { Log } from '../persistence/log.js';

/** An embedded PostgreSQL server in use by this process. */
export interface Embedded {
  /** postgresql:// with password, on 127.0.0.1. */
  connectionString: string;
  /** True when this call made the database. A process killed right after leaves an empty one that is not fresh. */
  fresh: boolean;
  /** Lets go of the server; whoever is last stops it. Close the pools first. Later calls do nothing. */
  release(): Promise<void>;
}

const DATABASE = 'posts_gateway';
const LIFETIME_LOCK = 1_886_350_183; // any number that no other advisory lock in database `postgres` uses
const RECONNECT_MS = 1_000;

/**
 * The database server of a data folder: starts it, or joins the one that runs there already. Every process holds a shared
 * advisory lock for as long as it uses the server, so a process that dies lets go by itself; its server stays until the
 * next one has come and gone. A server that dies is started again by those who use it. The lock file is held around start and stop alone.
 * @throws Error of one line: no binaries, no reachable folder, foreign, damaged or other-version data
 */
export async function openEmbedded({
  dataDir,
  log,
  settings = {},
}: {
  dataDir: string;
  log: Log;
  settings?: ServerSettings;
}): Promise<Embedded> {
  const home = openDataFolder(dataDir);
  const lockFile = path.join(home, 'postgres.lock');
  return withLockFile(lockFile, async () => {
    const place = await findPlace(home, log);
    const port = (await findRunning(place)) ?? (await startServer(place, { settings, log }));
    // One that died is started again by whoever notices first: on its port, where all look for it.
    const revive = (): Promise<void> =>
      withLockFile(lockFile, async () => {
        const now =
          (await findRunning(place)) ?? (await startServer(place, { settings, log, wanted: port }));
        if (now !== port)
          throw new Error(
            `It runs on port ${now} now, no longer on ${port}: start this process again`,
          );
      });
    const lease = await openLease(connectionTo(place, port, 'postgres'), { log, revive });
    const fresh = await ensureDatabase(lease.client());
    let released: Promise<void> | undefined;
    return {
      connectionString: connectionTo(place, port, DATABASE),
      fresh,
      release: () =>
        (released ??= lease
          .leave()
          .then(() => withLockFile(lockFile, () => stopUnused(place, log)))
          .catch(({ message }: Error) =>
            log.warn(`The database server may go on running: ${message}`),
          )),
    };
  });
}

/** Stops the server where it runs and nobody has a lease any more. */
async function stopUnused(place: Place, log: Log): Promise<void> {
  const port = await findRunning(place);
  if (port === undefined) return;
  const client = new pg.Client({ connectionString: connectionTo(place, port, 'postgres') });
  client.on('error', () => undefined); // what is asked next tells
  await client.connect();
  const { rows } = await client
    .query<{ isUnused: boolean }>('SELECT pg_try_advisory_lock($1) AS "isUnused"', [LIFETIME_LOCK])
    .finally(() => client.end());
  if (rows[0]?.isUnused) await stopServer(place, log);
}

async function ensureDatabase(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount) return false;
  await client.query(`CREATE DATABASE ${DATABASE}`);
  return true;
}

interface Lease {
  client(): pg.Client;
  leave(): Promise<void>;
}

async function openLease(
  connectionString: string,
  { log, revive }: { log: Log; revive: () => Promise<void> },
): Promise<Lease> {
  const leaving = new AbortController();
  let retaking = Promise.resolve();
  const take = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString,
      application_name: 'posts-gateway lifetime',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined); // what ends the connection is handled at its end
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [LIFETIME_LOCK]);
    client.once('end', () => {
      retaking = retake();
    });
    return client;
  };
  // A backend that crashes makes the server drop every connection: without its lock, others would stop the server under us.
  const retake = async (): Promise<void> => {
    if (leaving.signal.aborted) return;
    log.warn('The connection that keeps the database server running was lost');
    while (!leaving.signal.aborted) {
      try {
        current = await take();
        log.warn('The database server is used again');
        return;
      } catch {
        await sleep(RECONNECT_MS, undefined, { ref: false, signal: leaving.signal }).catch(
          () => undefined,
        );
        if (!leaving.signal.aborted)
          await revive().catch(({ message }: Error) =>
            log.warn(`The database server is gone: ${message}`),
          );
      }
    }
  };
  let current = await take();
  return {
    client: () => current,
    async leave() {
      leaving.abort();
      await retaking;
      // Said, and not by the end of the connection alone: that backend may hold the lock for some moments yet.
      await current
        .query('SELECT pg_advisory_unlock_shared($1)', [LIFETIME_LOCK])
        .catch(() => undefined);
      await current.end().catch(() => undefined);
    },
  };
}
