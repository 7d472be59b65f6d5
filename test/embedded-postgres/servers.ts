import path from 'node:path';
import pg from 'pg';
import type { EmbeddedServer } from '../../src/embedded-postgres/embedded-postgres.js';
import { openTestServer, removeFolder, temporaryFolder } from '../setup/test-server.js';
import { killOtherProcesses } from './other-process.js';

const folders: string[] = [];
const opened: EmbeddedServer[] = [];

/** A folder that `closeServers` removes; with `name`, the path of a missing folder inside it. */
export function newFolder(name?: string): string {
  folders.push(temporaryFolder());
  if (name !== undefined) folders.push(path.join(folders.at(-1)!, name));
  return folders.at(-1)!;
}

export async function openServer(dataDir: string): Promise<EmbeddedServer> {
  const server = await openTestServer(dataDir);
  opened.push(server);
  return server;
}

/** Releases servers that a failed test left open, and removes all folders. */
export async function closeServers(): Promise<void> {
  killOtherProcesses();
  for (const server of opened) await server.release();
  for (const folder of folders.toReversed()) removeFolder(folder);
}

export async function query<Row extends pg.QueryResultRow>(
  connectionString: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

export const isRunning = (connectionString: string): Promise<boolean> =>
  query(connectionString, 'SELECT 1').then(
    () => true,
    () => false,
  );

/** The error message of an attempt to open a server, or `opened`. */
export const errorOf = (opening: Promise<EmbeddedServer>): Promise<string> =>
  opening.then(
    async (server) => {
      await server.release();
      return 'opened';
    },
    (error: Error) => error.message,
  );
