import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  openEmbeddedServer,
  type EmbeddedServer,
} from '../../src/embedded-postgres/embedded-postgres.js';
import { isProcessRunning } from '../../src/embedded-postgres/lock-file.js';
import type { Log } from '../../src/domain/log.js';

const FOLDER = 'posts-gateway-test-';
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

export const silentLog: Log = { info: () => undefined, warn: () => undefined };

/**
 * Creates a folder that the server's user can access. Its name contains the pid, so that a later
 * run can remove leftovers.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `${FOLDER}${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes a data folder, and the files that it keeps elsewhere. */
export function removeFolder(folder: string): void {
  const record = path.join(folder, 'location');
  if (existsSync(record))
    rmSync(readFileSync(record, 'utf8').trim(), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The embedded server of a test run: fast, without durability. */
export const openTestServer = (dataDir: string): Promise<EmbeddedServer> =>
  openEmbeddedServer({ dataDir, log: silentLog, settings: SETTINGS });

/** None if another run has removed the folder meanwhile. */
const foldersIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];

/** Stops the servers of killed test runs, and removes their folders. */
export async function sweepKilledRuns(): Promise<void> {
  const leftovers = readdirSync(os.tmpdir()).filter(
    (name) => name.startsWith(FOLDER) && !isProcessRunning(parseInt(name.slice(FOLDER.length), 10)),
  );
  for (const folder of leftovers.map((name) => path.join(os.tmpdir(), name))) {
    // The data may be one level deeper. Folders without a cluster, or of another user, have no
    // server to stop.
    for (const dataDir of [folder, ...foldersIn(folder)]) {
      if (!existsSync(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'))) continue;
      await openTestServer(dataDir)
        .then((server) => server.release())
        .catch(() => undefined);
    }
    try {
      removeFolder(folder);
    } catch {
      // belongs to another user
    }
  }
}
