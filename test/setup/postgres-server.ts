import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { resolveLocation } from '../../src/embedded-postgres/server-location.js';
import { toConnectionString } from '../../src/embedded-postgres/server-address.js';
import { startServer, stopServer } from '../../src/embedded-postgres/server-process.js';
import { removeFolder, silentLog, temporaryFolder } from './test-server.js';

/**
 * A PostgreSQL server that the test may kill, with a database owned by a role without superuser
 * rights.
 */
export interface PostgresServer {
  /** Changes with each start. */
  port(): number;
  /** Connection URL as the owner; `port` overrides the port of the server. */
  url(port?: number): string;
  /** Runs statements as the superuser, on a separate connection, even on a read-only database. */
  admin(...statements: string[]): Promise<void>;
  /** kill -9: ends all processes; unwritten data is lost. */
  kill(): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

export const OWNER_ROLE = 'service';
const DATABASE = 'posts';
const PASSWORD = 'test-password';

/** Starts a server with its data in a folder, which `close` removes. */
export async function aPostgresServer(folder = temporaryFolder()): Promise<PostgresServer> {
  const place = await resolveLocation(folder, silentLog);
  let port = await startServer(place, { settings: {}, log: silentLog });
  const adminUrl = (database = DATABASE): string =>
    `${toConnectionString(place, port, database)}&options=${encodeURIComponent('-c default_transaction_read_only=off')}`;

  async function asAdmin(url: string, statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  await asAdmin(adminUrl('postgres'), [
    `CREATE ROLE ${OWNER_ROLE} LOGIN PASSWORD '${PASSWORD}'`,
    `CREATE DATABASE ${DATABASE} OWNER ${OWNER_ROLE}`,
  ]);
  return {
    port: () => port,
    url: (at = port) =>
      `postgresql://${OWNER_ROLE}:${PASSWORD}@127.0.0.1:${at}/${DATABASE}?sslmode=disable`,
    admin: (...statements) => asAdmin(adminUrl(), statements),
    kill() {
      process.kill(
        Number(
          readFileSync(path.join(place.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
        ),
        'SIGKILL',
      );
    },
    async start() {
      port = await startServer(place, { settings: {}, log: silentLog });
    },
    async close() {
      await stopServer(place, silentLog);
      removeFolder(folder);
    },
  };
}
