import type { ImportRecord } from '../../../src/domain/imports/imported-post.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { PostFilter } from '../../../src/domain/posts/post-query.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { readWordpressExport } from '../../../src/importers/wordpress/wordpress-export.js';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import { createWorkspaceRecordStore } from '../../../src/persistence/workspaces/workspace-record-store.js';
import { createJobWriter } from '../../../src/persistence/jobs/job-store.js';
import { createPostStore } from '../../../src/persistence/posts/post-store.js';
import {
  importPosts,
  type ImportDependencies,
} from '../../../src/services/imports/import-posts.js';
import { createIds } from '../../../src/services/ids.js';
import { systemClock } from '../../../src/services/clock.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';

export const NOW = new Date('2026-03-04T05:06:07.890Z');
export const ids = createIds(systemClock);
export let db: TestDatabase;
export let dependencies: ImportDependencies;
/** Created anew for each test. */
export let target: { workspaceId: string; accountId: string; ownerId: string };

/** Opens a database for the tests of a file, and a new workspace for each of them. */
export function setUpImports(): void {
  beforeAll(async () => {
    db = await testDatabase();
    dependencies = {
      store: createPostStore(db),
      workspaceRecords: createWorkspaceRecordStore(db),
      jobs: createJobWriter(db),
      ids,
      clock: { now: () => NOW },
    };
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    const admin = createAdminStore(db, NO_GRANTS_VERSIONS);
    const [workspaceId, accountId, ownerId] = [
      ids.prefixed('wks'),
      ids.prefixed('acc'),
      ids.prefixed('usr'),
    ];
    await admin.addUser({
      id: ownerId,
      name: 'Ada',
      email: `${ownerId}@example.com`,
      plan: 'business',
    });
    await admin.addWorkspace(
      { id: workspaceId, name: 'Atelier', picture: null, timeZone: 'UTC', requiresApproval: true },
      ownerId,
    );
    await admin.addAccount(workspaceId, {
      id: accountId,
      name: 'Blog',
      network: 'wordpress',
      type: 'blog',
      socialId: accountId,
      picture: null,
      needsReauth: false,
      sandbox: false,
    });
    target = { workspaceId, accountId, ownerId };
  });
}

export async function* asStream(xml: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(xml);
}
export const recordsOf = (xml: string): AsyncGenerator<ImportRecord> =>
  readWordpressExport(() => asStream(xml), { now: NOW });
export const importXml = (xml: string, more: Partial<Parameters<typeof importPosts>[1]> = {}) =>
  importPosts(
    dependencies,
    { ...target, network: 'wordpress', totalBytes: Buffer.byteLength(xml), ...more },
    recordsOf(xml),
  );

export const viewer = (): Viewer =>
  ({
    user: { id: target.ownerId, name: 'Ada', picture: null },
    role: 'owner',
    workspace: { id: target.workspaceId },
  }) as Viewer;
export const listPosts = (filter: PostFilter) =>
  createPostStore(db).list(
    viewer(),
    {
      filter,
      order: { field: 'scheduled_at', direction: 'desc' },
      slice: { kind: 'window', limit: 200, fromEnd: false },
    },
    {
      fields: new Set(['title', 'analytics'] as const),
      totalCount: true,
      facets: false,
      items: true,
    },
  );
export const listTitles = async (filter: PostFilter): Promise<unknown[]> =>
  (await listPosts(filter)).posts.map(({ title }) => title);
export async function readPosts(): Promise<Post[]> {
  const rows = await db.prisma.post.findMany({
    where: { workspaceId: target.workspaceId, deletedAt: null },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  const found = await createPostStore(db).byDatabaseId(
    viewer(),
    rows.map(({ id }) => Number(id)),
  );
  return rows.map(({ id }) => found.get(Number(id))!);
}
/** All rows of the workspace's posts, to assert that nothing changed. */
export const dumpRows = async (): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      [
        db.pool.query('SELECT * FROM post WHERE workspace_id = $1 ORDER BY id', [
          target.workspaceId,
        ]),
        db.pool.query(
          'SELECT b.* FROM post_body b JOIN post p ON p.id = b.post_id WHERE workspace_id = $1 ORDER BY p.id',
          [target.workspaceId],
        ),
        db.pool.query('SELECT * FROM media WHERE workspace_id = $1 ORDER BY id', [
          target.workspaceId,
        ]),
      ].map(async (query) => (await query).rows),
    ),
  );
