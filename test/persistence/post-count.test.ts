import fc from 'fast-check';
import pg from 'pg';
import type { PostFilter } from '../../src/domain/posts/post-query.js';
import { CELLS, type Cell } from '../../src/domain/posts/states.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import {
  applyMigrations,
  applyThese,
  MIGRATIONS_DIR,
  readMigrations,
} from '../../src/persistence/migrations.js';
import { createPurgeStore } from '../../src/persistence/jobs/purge-store.js';
import { inTransaction, type SqlRunner } from '../../src/persistence/sql.js';
import { aWorkshop, type Workshop } from '../fixtures/services.js';
import { emptyDatabase } from '../setup/database.js';
import { silent } from '../setup/test-server.js';

const MIGRATION = '20261121150000_post_counts';
const WRITERS = 6;
const STEPS = 25;
const KEPT =
  'SELECT workspace_id, cell, creator_id, sum(posts)::int AS posts FROM post_count GROUP BY 1, 2, 3 HAVING sum(posts) <> 0 ORDER BY 1, 2, 3';
const COUNTED = `SELECT workspace_id, cell, CASE WHEN cell IN (${CELLS.draft_private_dated.number}, ${CELLS.draft_private_undated.number}) THEN creator_id ELSE '' END AS creator_id, count(*)::int AS posts
  FROM post WHERE deleted_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
// Drafts need no account and, these, no date: a post may move between any two.
const DRAFTS: readonly Cell[] = ['draft_undated', 'draft_public_undated', 'draft_private_undated'];
const DRAFT_CELLS = `'{${DRAFTS.map((cell) => CELLS[cell].number).join(',')}}'::smallint[]`;

let shop: Workshop;
let viewers: Viewer[];
beforeAll(async () => {
  shop = await aWorkshop();
  const [one, other] = [await shop.aViewer(), await shop.aViewer()];
  viewers = [
    one,
    other,
    await shop.aViewer({ workspaceId: one.workspace.id }),
    await shop.aViewer({ workspaceId: other.workspace.id }),
  ];
});
afterAll(() => shop.database.drop());

const expectTrueCounts = async (pool: pg.Pool = shop.database.pool): Promise<void> =>
  expect((await pool.query(KEPT)).rows).toEqual((await pool.query(COUNTED)).rows);

type Write = (
  sql: SqlRunner,
  random: { viewer: Viewer; many: number; seed: number },
) => Promise<unknown>;
const query = (sql: SqlRunner, text: string, ...values: unknown[]): Promise<unknown> =>
  sql.query({ text, values });
const someOf = (many: number, condition: string): string =>
  `id = ANY(ARRAY(SELECT id FROM post WHERE ${condition} ORDER BY md5(id::text || $1) LIMIT ${many}))`;

/** Everything that can happen to a post's row. */
const WRITES: Readonly<Record<string, Write>> = {
  insert: (sql, { viewer, many, seed }) =>
    query(
      sql,
      `INSERT INTO post (doc_id, workspace_id, creator_id, cell, type, deleted_at) SELECT substr(md5(random()::text), 1, 24), $1, $2, (${DRAFT_CELLS})[1 + (n + $3::int) % 3], 'status', CASE WHEN n % 5 = 4 THEN now() END FROM generate_series(1, ${many}) n`,
      viewer.workspace.id,
      viewer.user.id,
      seed,
    ),
  move: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET cell = (${DRAFT_CELLS})[1 + (id + $1::int) % 3] WHERE ${someOf(many, 'true')}`,
      seed,
    ),
  remove: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET deleted_at = now() WHERE ${someOf(many, 'deleted_at IS NULL')}`,
      seed,
    ),
  bringBack: (sql, { many, seed }) =>
    query(
      sql,
      `UPDATE post SET deleted_at = NULL WHERE ${someOf(many, 'deleted_at IS NOT NULL')}`,
      seed,
    ),
  erase: (sql, { many, seed }) =>
    query(sql, `DELETE FROM post WHERE ${someOf(many, 'true')}`, seed),
  handOver: (sql, { viewer, many, seed }) =>
    query(
      sql,
      `UPDATE post SET creator_id = $2 WHERE ${someOf(many, 'true')}`,
      seed,
      viewer.user.id,
    ),
  carryOver: (sql, { viewer, many, seed }) =>
    query(
      sql,
      `UPDATE post SET workspace_id = $2 WHERE ${someOf(many, 'account_id IS NULL')}`,
      seed,
      viewer.workspace.id,
    ),
  edit: (sql, { many, seed }) =>
    query(sql, `UPDATE post SET version = version + 1 WHERE ${someOf(many, 'true')}`, seed),
};
/** More come than go. */
const OFTEN = Array<Write>(4).fill(WRITES['insert']!);
const RETRYABLE = new Set(['40001', '40P01']);
const step = fc.record({
  writes: fc.array(fc.constantFrom(...Object.values(WRITES), ...OFTEN), {
    minLength: 1,
    maxLength: 3,
  }),
  who: fc.nat({ max: 3 }),
  many: fc.integer({ min: 1, max: 12 }),
  seed: fc.nat({ max: 1_000 }),
  isTakenBack: fc.boolean(),
  isPurge: fc.boolean(),
});

/** One writer's transactions, one after another; half of them are taken back. */
async function write(
  steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
  pool: pg.Pool,
): Promise<void> {
  for (const { writes, who, isTakenBack, isPurge, ...rest } of steps) {
    const purged = isPurge
      ? createPurgeStore(pool).deletedPosts(new Date(Date.now() + 60_000), 2)
      : Promise.resolve(0);
    await purged
      .then(() =>
        inTransaction(pool, async (sql) => {
          for (const one of writes) await one(sql, { ...rest, viewer: viewers[who]! });
          if (isTakenBack) await sql.query('ROLLBACK');
        }),
      )
      .catch((error: { code?: string }) => {
        if (!RETRYABLE.has(error.code ?? '')) throw error;
      });
  }
}

test('whatever several connections write at once, the counts are those of the posts', async () => {
  const pools = Array.from(
    { length: WRITERS },
    () => new pg.Pool({ connectionString: shop.database.url, max: 1 }),
  );
  try {
    const lots = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: WRITERS,
      seed: 4,
    });
    await Promise.all(pools.map((pool, index) => write(lots[index]!, pool)));
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
  expect(
    (await shop.sql<{ n: number }>('SELECT count(*)::int AS n FROM post'))[0]!.n,
  ).toBeGreaterThan(50);
  expect(
    (await shop.sql<{ n: number }>('SELECT count(DISTINCT slot)::int AS n FROM post_count'))[0]!.n,
  ).toBeGreaterThan(1);
  await expectTrueCounts();
}, 60_000);

test('the product’s own changes are counted: made, moved, deleted, tried and taken back', async () => {
  const [by] = viewers as [Viewer];
  const post = await shop.aPost({ by });
  const draft = await shop.aPost({ by, cell: 'draft_private_undated' });
  await expectTrueCounts();
  await shop.update(by, draft, { scheduledAt: new Date('2027-01-01T10:00:00Z') });
  await shop.remove(by, [post.id], { dryRun: true });
  await expectTrueCounts();
  await shop.remove(by, [post.id]);
  await expectTrueCounts();
});

test('a text that changes touches no count', async () => {
  const [by] = viewers as [Viewer];
  const post = await shop.aPost({ by });
  const before = await shop.sql('SELECT ctid, xmin, * FROM post_count ORDER BY 1');
  await shop.update(by, post, { text: 'Another' });
  expect(await shop.sql('SELECT ctid, xmin, * FROM post_count ORDER BY 1')).toEqual(before);
});

test('a list of states shows as many as the posts that it has, private drafts of others apart', async () => {
  const [by, , editor] = viewers as [Viewer, Viewer, Viewer];
  for (const cell of [
    'failed',
    'published_posted',
    'draft_private_dated',
    'draft_private_undated',
  ] as const)
    await shop.aPost({ by: editor, cell });
  for (const viewer of [by, editor]) {
    for (const states of [
      [],
      ['all'],
      ['draft_private'],
      ['draft'],
      ['failed', 'draft_private'],
      ['recycling'],
    ] as PostFilter['states'][]) {
      const order = { field: 'created_at', direction: 'asc' } as const;
      const page = await shop.store.list(
        viewer,
        {
          filter: { states, query: '', labelIds: [] },
          order,
          slice: { kind: 'window', limit: 5_000, fromEnd: false },
        },
        { fields: new Set(), totalCount: true, facets: false, items: true },
      );
      expect(page.totalCount).toBe(page.posts.length);
    }
  }
});

test('with a workspace go its counts, and with all posts all of them', async () => {
  const by = await shop.aViewer();
  await shop.aPost({ by, cell: 'draft_undated' });
  await shop.sql('DELETE FROM workspace WHERE id = $1', by.workspace.id);
  expect(
    await shop.sql('SELECT * FROM post_count WHERE workspace_id = $1', by.workspace.id),
  ).toEqual([]);
  await expectTrueCounts();
  await shop.sql('TRUNCATE post CASCADE');
  expect(await shop.sql('SELECT * FROM post_count')).toEqual([]);
});

test('what was loaded past the triggers is counted anew', async () => {
  const [by] = viewers as [Viewer];
  await inTransaction(shop.database.pool, async (sql) => {
    await sql.query("SET LOCAL session_replication_role = 'replica'");
    await WRITES['insert']!(sql, { viewer: by, many: 10, seed: 0 });
  });
  expect(await shop.sql(KEPT)).toEqual([]);
  await shop.sql('SELECT recount_posts()');
  await expectTrueCounts();
  await shop.aPost({ by, cell: 'draft_undated' });
  await expectTrueCounts();
});

test('posts of an earlier release are counted when it is brought up to date', async () => {
  const empty = await emptyDatabase();
  const pool = new pg.Pool({ connectionString: empty.url });
  try {
    await applyThese(pool, readMigrations(MIGRATIONS_DIR).slice(0, 1), silent);
    await pool.query(`INSERT INTO app_user (id, name, email) VALUES ('usr_1', 'Ada', 'ada@example.com'), ('usr_2', 'Bob', 'bob@example.com');
      INSERT INTO workspace (id, name, time_zone) VALUES ('wks_1', 'Kiosk', 'Europe/Berlin'), ('wks_2', 'Other', 'Europe/Berlin');
      INSERT INTO post (doc_id, workspace_id, creator_id, cell, type, deleted_at)
        SELECT lpad(to_hex(n), 24, '0'), 'wks_' || 1 + n % 2, 'usr_' || 1 + n / 6 % 2, (${DRAFT_CELLS})[1 + n % 3], 'status', CASE WHEN n % 7 = 0 THEN now() END FROM generate_series(1, 500) n`);
    expect(await applyMigrations(pool, MIGRATIONS_DIR, silent)).toContain(MIGRATION);
    await expectTrueCounts(pool);
    expect((await pool.query(KEPT)).rows.length).toBeGreaterThan(6);
  } finally {
    await pool.end();
    await empty.drop();
  }
});
