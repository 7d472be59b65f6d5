import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { DemoFile } from '../../src/demo/demo-file.js';
import { createDemo } from '../../src/demo/demo.js';
import { createAdminStore } from '../../src/persistence/admin/admin-store.js';
import { NO_EPOCHS } from '../../src/redis/grants-versions.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import type { Ids } from '../../src/services/ports.js';
import { systemClock } from '../../src/services/random-ids.js';
import { demoViewers } from '../fixtures/demo-viewers.js';
import { inconsistencies } from '../fixtures/inconsistencies.js';
import type { Pools } from '../fixtures/random/values.js';
import { testDatabase } from '../setup/database.js';
import { poolsOf } from './pools.js';

/** The demo's two workspaces with every kind of post and key, on a database of their own; what is made has the same ids every time. */
export interface World {
  readonly databaseUrl: string;
  readonly demo: DemoFile;
  /** Ids, words and other values that reach what is there, by place. */
  readonly pools: Pools;
  /** What is contradictory in it by now. */
  contradictions(): Promise<string[]>;
  /** Makes everything as it was at first. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Both keep theirs. */
const OF_WORKSPACES = 2;

export async function aWorld(): Promise<World> {
  const db = await testDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'fuzz-'));
  let count = 0;
  const next = (digits: number): string => (count += 1).toString(16).padStart(digits, '0');
  const ids: Ids = {
    document: () => `f${next(23)}`,
    prefixed: (prefix) => `${prefix}_${next(16)}`,
  };
  const parts = {
    admin: createAdminStore(db.prisma, NO_EPOCHS),
    posts: createPostStore(db.pool),
    sandbox: createSandboxStore(db.pool),
    ids,
    clock: systemClock,
    dataDir,
  };
  const demoOf = createDemo({ ...parts, alone: (work) => work() });
  const demo = await demoOf.ensure({ graphqlUrl: '', restUrl: '' });

  const all = async (sql: string): Promise<string[]> =>
    (
      await db.pool.query<{ id: string }>(`SELECT id::text FROM (${sql}) found(id) ORDER BY 1`)
    ).rows.map(({ id }) => id);
  return {
    databaseUrl: db.url,
    demo,
    pools: await poolsOf(all),
    contradictions: async () => inconsistencies(db.pool, await demoViewers(db.pool, demo)),
    async restore() {
      count = OF_WORKSPACES;
      await db.pool.query("SELECT setval(pg_get_serial_sequence('post', 'id'), 1, false)");
      await demoOf.reset();
    },
    async close() {
      await db.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
