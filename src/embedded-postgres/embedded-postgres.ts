import path from 'node:path';
import type pg from 'pg';
import { openDataFolder } from './data-folder.js';
import { withLockFile } from './lock-file.js';
import { findRunningPort, toConnectionString } from './server-address.js';
import { resolveLocation, type ServerLocation } from './server-location.js';
import type { ServerLog } from './server-log.js';
import { startServer, stopServer, type ServerSettings } from './server-process.js';
import { acquireUsageLock, isUnused } from './usage-lock.js';

/** An embedded PostgreSQL server in use by this process. */
export interface EmbeddedServer {
  /** postgresql:// URL with password, on 127.0.0.1. */
  connectionString: string;
  /**
   * True if this call created the database. A process killed right after it leaves an empty
   * database that is not new.
   */
  isNew: boolean;
  /**
   * Stops using the server; the last process stops it. Close all pools first. Later calls have no
   * effect.
   */
  release(): Promise<void>;
}

interface EmbeddedServerOptions {
  readonly dataDir: string;
  readonly log: ServerLog;
  readonly settings?: ServerSettings;
}

const DATABASE_NAME = 'posts_gateway';

/**
 * Starts the database server of a data folder, or joins a running one. Each process holds a shared
 * advisory lock while it uses the server, so that a process that dies stops using it automatically;
 * the server then runs until the next process has started and ended. The processes that use a
 * server restart it if it dies. The lock file is held during start and stop only.
 * @throws Error of one line: no binaries, no usable folder, or data of another user, another
 * version or damaged
 */
export async function openEmbeddedServer({
  dataDir,
  log,
  settings = {},
}: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const folder = openDataFolder(dataDir);
  const lockFile = path.join(folder, 'postgres.lock');
  return withLockFile(lockFile, async () => {
    const location = await resolveLocation(folder, log);
    const port =
      (await findRunningPort(location)) ?? (await startServer(location, { settings, log }));
    // The first process that notices a dead server restarts it on the same port, where all
    // processes reconnect.
    const restart = (): Promise<void> =>
      withLockFile(lockFile, async () => {
        const currentPort =
          (await findRunningPort(location)) ??
          (await startServer(location, { settings, log, requiredPort: port }));
        if (currentPort !== port)
          throw new Error(
            `The embedded server moved from port ${port} to ${currentPort}. Restart this process`,
          );
      });
    const usageLock = await acquireUsageLock(toConnectionString(location, port, 'postgres'), {
      log,
      restart,
    });
    const isNew = await createDatabaseIfMissing(usageLock.client());
    let released: Promise<void> | undefined;
    return {
      connectionString: toConnectionString(location, port, DATABASE_NAME),
      isNew,
      release: () =>
        (released ??= usageLock
          .release()
          .then(() => withLockFile(lockFile, () => stopIfUnused(location, log)))
          .catch(({ message }: Error) =>
            log.warn(`Could not stop the database server, which may still be running: ${message}`),
          )),
    };
  });
}

async function stopIfUnused(location: ServerLocation, log: ServerLog): Promise<void> {
  const port = await findRunningPort(location);
  if (port === undefined) return;
  if (await isUnused(toConnectionString(location, port, 'postgres')))
    await stopServer(location, log);
}

/** Returns true if the database was created. */
async function createDatabaseIfMissing(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
    DATABASE_NAME,
  ]);
  if (rowCount) return false;
  await client.query(`CREATE DATABASE ${DATABASE_NAME}`);
  return true;
}
