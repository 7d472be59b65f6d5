import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { findPlace } from '../../src/embedded-postgres/embedded-place.js';
import {
  connectionTo,
  startServer,
  stopServer,
} from '../../src/embedded-postgres/embedded-server.js';
import { removeFolder, silent, temporaryFolder } from './test-server.js';

/** A PostgreSQL of the test's own, which it may kill; with a database for a role that owns it and is no superuser. */
export interface OwnPostgres {
  /** That it listens on; after each start another one. */
  port(): number;
  /** The database as its owner sees it; on another port than the server's where one is given. */
  url(port?: number): string;
  /** As the superuser, who can write even where others cannot, on a connection of its own. */
  admin(...statements: string[]): Promise<void>;
  /** kill -9: its processes are gone at once, what it had not written is lost. */
  kill(): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

export const OWNER = 'service';
const DATABASE = 'posts';
const PASSWORD = 'of-no-worth';

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = temporaryFolder();
  const place = await findPlace(folder, silent);
  let port = await startServer(place, { settings: {}, log: silent });
  const adminUrl = (database = DATABASE): string =>
    `${connectionTo(place, port, database)}&options=${encodeURIComponent('-c default_transaction_read_only=off')}`;

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
    `CREATE ROLE ${OWNER} LOGIN PASSWORD '${PASSWORD}'`,
    `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
  ]);
  return {
    port: () => port,
    url: (at = port) =>
      `postgresql://${OWNER}:${PASSWORD}@127.0.0.1:${at}/${DATABASE}?sslmode=disable`,
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
      port = await startServer(place, { settings: {}, log: silent });
    },
    async close() {
      await stopServer(place, silent);
      removeFolder(folder);
    },
  };
}
