import { mkdtemp, rm } from 'node:fs/promises';
import { mediaFilesOn } from '../fixtures/media-library.js';
import os from 'node:os';
import path from 'node:path';
import type { DemoFile } from '../../src/demo/demo-file.js';
import { createDemo } from '../../src/demo/demo.js';
import { createAdminStore } from '../../src/persistence/admin/admin-store.js';
import { NO_GRANTS_VERSIONS } from '../../src/redis/grants-versions.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import { systemClock } from '../../src/services/clock.js';
import type { Ids } from '../../src/services/ids.js';
import { demoViewers } from '../fixtures/demo-viewers.js';
import { installEventGuard, removeEventGuard } from '../fixtures/event-guard.js';
import { dataInconsistencies } from '../fixtures/data-inconsistencies.js';
import type { ValuePools } from '../fixtures/random/values.js';
import { testDatabase } from '../setup/database.js';
import { addWebhooks } from './fuzz-webhooks.js';
import { readValuePools } from './value-pools.js';

/**
 * A separate database with the two demo workspaces, which have posts and keys of every kind. IDs
 * are the same in every run. Changes without an event fail (D70): whatever the schema and the routes
 * offer is tried, also what is added later.
 */
export interface FuzzDatabase {
  readonly url: string;
  readonly demo: DemoFile;
  /** IDs, words and other values that reach existing records, by location. */
  readonly pools: ValuePools;
  /** Contradictions between rows. */
  findInconsistencies(): Promise<string[]>;
  /** Resets the data to its initial state. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** IDs that a reset does not create again: it keeps both workspaces. */
const WORKSPACE_COUNT = 2;

export async function openFuzzDatabase(): Promise<FuzzDatabase> {
  const db = await testDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'fuzz-'));
  let count = 0;
  const next = (digits: number): string => (count += 1).toString(16).padStart(digits, '0');
  const ids: Ids = {
    document: () => `f${next(23)}`,
    prefixed: (prefix) => `${prefix}_${next(16)}`,
  };
  const dependencies = {
    admin: createAdminStore(db, NO_GRANTS_VERSIONS),
    posts: createPostStore(db),
    sandbox: createSandboxStore(db),
    media: mediaFilesOn(db, systemClock),
    mediaBaseUrl: 'https://gateway.example.com',
    ids,
    clock: systemClock,
    dataDir,
  };
  const demoSetup = createDemo({ ...dependencies, withDemoLock: (work) => work() });
  const demo = await demoSetup.ensure({ graphqlUrl: '', restUrl: '' });
  await addWebhooks(db.pool, demo);
  await installEventGuard(db.pool);

  const readColumn = async (sql: string): Promise<string[]> =>
    (
      await db.pool.query<{ id: string }>(`SELECT id::text FROM (${sql}) found(id) ORDER BY 1`)
    ).rows.map(({ id }) => id);
  return {
    url: db.url,
    demo,
    pools: await readValuePools(readColumn),
    findInconsistencies: async () => dataInconsistencies(db, await demoViewers(db, demo)),
    async restore() {
      count = WORKSPACE_COUNT;
      await db.pool.query("SELECT setval(pg_get_serial_sequence('post', 'id'), 1, false)");
      await removeEventGuard(db.pool);
      await demoSetup.reset();
      await addWebhooks(db.pool, demo);
      await installEventGuard(db.pool);
    },
    async close() {
      await db.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
