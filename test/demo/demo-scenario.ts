import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config/config.js';
import { openDemo } from '../../src/composition/demo.js';
import type { DemoKeyName } from '../../src/demo/demo-users.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { createKeyStore } from '../../src/persistence/access/key-store.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { NO_GRANTS_VERSIONS } from '../../src/redis/grants-versions.js';
import { keyHash } from '../../src/services/access/key-hash.js';
import { testDatabase } from '../setup/database.js';

export const ADDRESSES = {
  graphqlUrl: 'http://127.0.0.1:4000/graphql',
  restUrl: 'http://127.0.0.1:4000/v1',
};

type PostFilter = Parameters<ReturnType<typeof createPostStore>['list']>[1]['filter'];

/** A database with the demo, and what its keys can read. */
export async function demoScenario() {
  const db = await testDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'demo-'));
  const openDemoIn = (dir: string) =>
    openDemo(
      { database: { ...db, isNew: false }, grantsVersions: NO_GRANTS_VERSIONS },
      { ...readConfig({}), dataDir: dir },
    );
  const demo = await openDemoIn(dataDir).ensure(ADDRESSES);

  const grant = (name: DemoKeyName, workspaceId = demo.workspaceId) =>
    createKeyStore(db).findGrant(keyHash(demo.keys[name]), workspaceId, new Date());
  const viewer = async (name: DemoKeyName, workspaceId = demo.workspaceId): Promise<Viewer> => ({
    ...(await grant(name, workspaceId))!.viewer!,
    api: 'graphql',
  });
  const list = (by: Viewer, filter: PostFilter, limit = 500) =>
    createPostStore(db).list(
      by,
      {
        filter,
        order: { field: 'scheduled_at', direction: 'desc' },
        slice: { kind: 'window', limit, fromEnd: false },
      },
      { fields: new Set(['text', 'user']), totalCount: true, facets: false, items: true },
    );

  return {
    db,
    dataDir,
    demo,
    openDemo: () => openDemoIn(dataDir),
    openDemoIn,
    grant,
    viewer,
    list,
    async close() {
      await db.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
