import pg from 'pg';
import { createDatabase } from '../../../src/persistence/database.js';
import type { Post, PostId } from '../../../src/domain/posts/post.js';
import { createPostStore } from '../../../src/persistence/posts/post-store.js';
import { createRelatedRowsCache } from '../../../src/persistence/posts/related-rows-cache.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { recordStatements } from '../../fixtures/statements.js';
import { testServices } from '../../fixtures/services.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

let post: Post;
/** Readers with separate caches, like separate processes. */
let processes: { pool: pg.Pool; read(): Promise<Post> }[];
const shop = forAllTests(() => testServices());
const viewer = forAllTests(() => shop.aViewer({ role: 'owner' }));

beforeAll(async () => {
  const account = await shop.anAccount({ workspaceId: viewer.workspace.id });
  const labels = [
    await shop.aLabel({ workspaceId: viewer.workspace.id, name: 'one' }),
    await shop.aLabel({ workspaceId: viewer.workspace.id, name: 'two' }),
  ];
  post = await shop.aPost({ by: viewer, account, labels });
  const id: PostId = { kind: 'document', id: post.id };
  processes = [1, 2].map(() => {
    const pool = new pg.Pool({ connectionString: shop.database.url, max: 4 });
    const store = createPostStore(createDatabase(pool));
    return {
      pool,
      read: async () => ((await store.findAll(viewer, [id]))[0] as { post: Post }).post,
    };
  });
});
afterAll(async () => {
  await Promise.all(processes.map(({ pool }) => pool.end()));
  await shop.database.drop();
});

it.each<[string, string, (post: Post) => unknown, unknown]>([
  [
    'an account’s name',
    "UPDATE account SET name = 'Renamed' WHERE id = $1",
    ({ account }) => account?.name,
    'Renamed',
  ],
  [
    'an account’s status',
    'UPDATE account SET needs_reauth = true WHERE id = $1',
    ({ account }) => account?.needsReauth,
    true,
  ],
  [
    'a label’s name, and its position',
    "UPDATE label SET name = 'zwei', name_key = 'zwei' WHERE id = $2",
    ({ labels }) => labels.map(({ name }) => name),
    ['two', 'zwei'],
  ],
  [
    'a deleted label',
    'DELETE FROM label WHERE id = $2',
    ({ labels }) => labels.map(({ name }) => name),
    ['two'],
  ],
  [
    'a user’s name',
    "UPDATE app_user SET name = 'Anna' WHERE id = $3",
    ({ user }) => user.name,
    'Anna',
  ],
])('no process uses cached rows after a change: %s', async (_what, change, shownIn, expected) => {
  await Promise.all(processes.map(({ read }) => read())); // fills the caches
  await shop.sql(
    `WITH given AS (SELECT $1::text, $2::text, $3::text) ${change}`,
    post.accountId,
    post.labels[0]!.id,
    post.creatorId,
  );
  for (const { read } of processes) expect(shownIn(await read())).toEqual(expected);
});

it('shows new rows without a new version', async () => {
  const version = await shop.sql('SELECT related_version FROM workspace');
  const label = await shop.aLabel({ workspaceId: viewer.workspace.id, name: 'three' });
  const other = await shop.aPost({ by: viewer, account: post.account, labels: [label] });
  expect((await shop.storedPost(viewer, other.id)).labels).toEqual([label]);
  expect(await shop.sql('SELECT related_version FROM workspace')).toEqual(version);
});

it('is never older than an acknowledged change, with concurrent reads and changes', async () => {
  await shop.sql("UPDATE account SET name = '0' WHERE id = $1", post.accountId);
  let acknowledged = 0;
  let isDone = false;
  const staleReads: string[] = [];
  const reading = processes.map(async ({ read }) => {
    while (!isDone) {
      const minimum = acknowledged;
      const shown = Number((await read()).account!.name);
      if (!(shown >= minimum)) staleReads.push(`${shown} after ${minimum}`);
    }
  });
  for (let round = 1; round <= 300; round++) {
    await shop.sql('UPDATE account SET name = $2 WHERE id = $1', post.accountId, String(round));
    acknowledged = round;
  }
  isDone = true;
  await Promise.all(reading);
  expect(staleReads).toEqual([]);
  for (const { read } of processes) expect((await read()).account!.name).toBe('300');
});

it('evicts the least recently read workspaces above its limit', async () => {
  const { pool } = shop.database;
  const cache = createRelatedRowsCache(shop.database.read, 2);
  const viewers = await Promise.all([1, 2, 3].map(() => shop.aViewer()));
  const countReads = async ({ workspace, user }: KeyedViewer): Promise<number> => {
    const version = await versionOf(workspace.id);
    return (
      await recordStatements(() =>
        cache.read(workspace.id, version, { accounts: [], users: [user.id], labels: [] }),
      )
    ).statements.length;
  };
  const versionOf = async (id: string): Promise<string> =>
    (
      await pool.query<{ version: string }>(
        'SELECT w.related_version::text || e.version::text AS version FROM workspace w, user_version e WHERE w.id = $1',
        [id],
      )
    ).rows[0]!.version;
  const [a, b, c] = viewers as [KeyedViewer, KeyedViewer, KeyedViewer];
  expect([
    await countReads(a),
    await countReads(a),
    await countReads(b),
    await countReads(a),
    await countReads(c),
    await countReads(b),
    await countReads(a),
  ]).toEqual([1, 0, 1, 0, 1, 0, 1]);
});
