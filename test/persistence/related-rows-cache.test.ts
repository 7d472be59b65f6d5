import pg from 'pg';
import type { Post } from '../../src/domain/posts/post.js';
import type { PostId } from '../../src/domain/posts/post-id.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { createReferenceRows } from '../../src/persistence/posts/related-rows-cache.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { statementsOf } from '../fixtures/statements.js';
import { aWorkshop, type Workshop } from '../fixtures/services.js';

let shop: Workshop;
let viewer: KeyedViewer;
let post: Post;
/** Processes of their own, each with its own memory. */
let processes: { pool: pg.Pool; read(): Promise<Post> }[];

beforeAll(async () => {
  shop = await aWorkshop();
  viewer = await shop.aViewer({ role: 'owner' });
  const account = await shop.anAccount({ workspaceId: viewer.workspace.id });
  const labels = [
    await shop.aLabel({ workspaceId: viewer.workspace.id, name: 'one' }),
    await shop.aLabel({ workspaceId: viewer.workspace.id, name: 'two' }),
  ];
  post = await shop.aPost({ by: viewer, account, labels });
  const id: PostId = { kind: 'document', id: post.id };
  processes = [1, 2].map(() => {
    const pool = new pg.Pool({ connectionString: shop.database.url, max: 4 });
    const store = createPostStore(pool);
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
    'an account’s standing',
    'UPDATE account SET needs_reauth = true WHERE id = $1',
    ({ account }) => account?.needsReauth,
    true,
  ],
  [
    'a label’s name, with its place',
    "UPDATE label SET name = 'zwei', name_key = 'zwei' WHERE id = $2",
    ({ labels }) => labels.map(({ name }) => name),
    ['two', 'zwei'],
  ],
  [
    'a label that is gone',
    'DELETE FROM label WHERE id = $2',
    ({ labels }) => labels.map(({ name }) => name),
    ['two'],
  ],
  [
    'a person’s name',
    "UPDATE app_user SET name = 'Anna' WHERE id = $3",
    ({ user }) => user.name,
    'Anna',
  ],
])('no process goes on with %s once it was changed', async (_what, change, look, expected) => {
  await Promise.all(processes.map(({ read }) => read())); // it is remembered
  await shop.sql(
    `WITH given AS (SELECT $1::text, $2::text, $3::text) ${change}`,
    post.accountId,
    post.labels[0]!.id,
    post.creatorId,
  );
  for (const { read } of processes) expect(look(await read())).toEqual(expected);
});

it('shows what is new without a new epoch', async () => {
  const epoch = await shop.sql('SELECT reference_epoch FROM workspace');
  const label = await shop.aLabel({ workspaceId: viewer.workspace.id, name: 'three' });
  const other = await shop.aPost({ by: viewer, account: post.account, labels: [label] });
  expect((await shop.stored(viewer, other.id)).labels).toEqual([label]);
  expect(await shop.sql('SELECT reference_epoch FROM workspace')).toEqual(epoch);
});

it('is never behind an acknowledged change, however reads and changes fall together', async () => {
  await shop.sql("UPDATE account SET name = '0' WHERE id = $1", post.accountId);
  let acknowledged = 0;
  let isOver = false;
  const behind: string[] = [];
  const reading = processes.map(async ({ read }) => {
    while (!isOver) {
      const least = acknowledged;
      const shown = Number((await read()).account!.name);
      if (!(shown >= least)) behind.push(`${shown} after ${least}`);
    }
  });
  for (let round = 1; round <= 300; round++) {
    await shop.sql('UPDATE account SET name = $2 WHERE id = $1', post.accountId, String(round));
    acknowledged = round;
  }
  isOver = true;
  await Promise.all(reading);
  expect(behind).toEqual([]);
  for (const { read } of processes) expect((await read()).account!.name).toBe('300');
});

it('forgets the workspaces read longest ago when it holds too much', async () => {
  const { pool } = shop.database;
  const references = createReferenceRows(pool, 2);
  const strangers = await Promise.all([1, 2, 3].map(() => shop.aViewer()));
  const ask = async ({ workspace, user }: KeyedViewer): Promise<number> => {
    const epoch = await epochOf(workspace.id);
    return (
      await statementsOf(() =>
        references.of(workspace.id, epoch, { accounts: [], users: [user.id], labels: [] }),
      )
    ).statements.length;
  };
  const epochOf = async (id: string): Promise<string> =>
    (
      await pool.query<{ epoch: string }>(
        'SELECT w.reference_epoch::text || e.epoch::text AS epoch FROM workspace w, user_epoch e WHERE w.id = $1',
        [id],
      )
    ).rows[0]!.epoch;
  const [a, b, c] = strangers as [KeyedViewer, KeyedViewer, KeyedViewer];
  expect([
    await ask(a),
    await ask(a),
    await ask(b),
    await ask(a),
    await ask(c),
    await ask(b),
    await ask(a),
  ]).toEqual([1, 0, 1, 0, 1, 0, 1]);
});
