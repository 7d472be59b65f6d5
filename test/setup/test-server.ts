import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEmbedded, type Embedded } from '../../src/embedded-postgres/embedded-postgres.js';
import { isRunning } from '../../src/embedded-postgres/lock-file.js';
import type { Log } from '../../src/persistence/log.js';

const FOLDER = 'posts-gateway-test-';
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

export const silent: Log = { info: () => undefined, warn: () => undefined };

/** A new folder that the server's user can reach; its name carries our pid, so that a later run can tell what was left. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `${FOLDER}${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes a data folder and what it keeps elsewhere. */
export function removeFolder(folder: string): void {
  const record = path.join(folder, 'location');
  if (existsSync(record))
    rmSync(readFileSync(record, 'utf8').trim(), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The embedded server of one test run: fast, and not meant to survive the machine. */
export const openTestServer = (dataDir: string): Promise<Embedded> =>
  openEmbedded({ dataDir, log: silent, settings: SETTINGS });

/** Ends the servers of runs that were killed, and removes their folders. */
export async function sweepKilledRuns(): Promise<void> {
  const left = readdirSync(os.tmpdir()).filter(
    (name) => name.startsWith(FOLDER) && !isRunning(parseInt(name.slice(FOLDER.length), 10)),
  );
  for (const folder of left.map((name) => path.join(os.tmpdir(), name))) {
    // A test may have its data one level down; a folder without a cluster, or of another user, has no server of ours to stop.
    for (const dataDir of [folder, ...readdirSync(folder).map((name) => path.join(folder, name))]) {
      if (!existsSync(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'))) continue;
      await openTestServer(dataDir)
        .then((server) => server.release())
        .catch(() => undefined);
    }
    try {
      removeFolder(folder);
    } catch {
      // another user's: theirs to sweep
    }
  }
}
