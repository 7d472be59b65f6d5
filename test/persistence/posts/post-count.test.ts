import fc from 'fast-check';
import pg from 'pg';
import { createDatabase } from '../../../src/persistence/database.js';
import type { PostFilter } from '../../../src/domain/posts/post-query.js';
import { STORED_STATES } from '../../../src/domain/posts/states.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { createPurgeStore } from '../../../src/persistence/jobs/purge-store.js';
import { ACTUAL_DETAILED_COUNTS, KEPT_DETAILED_COUNTS } from '../../fixtures/kept-counts.js';
import { withServices } from '../../fixtures/services.js';
import { WRITES, type Write } from './post-writes.js';

const WRITERS = 6;
const STEPS = 25;
const STORED_COUNTS =
  'SELECT workspace_id, stored_state, creator_id, sum(posts)::int AS posts FROM post_count GROUP BY 1, 2, 3 HAVING sum(posts) <> 0 ORDER BY 1, 2, 3';
const ACTUAL_COUNTS = `SELECT workspace_id, stored_state, CASE WHEN stored_state IN (${STORED_STATES.draft_private_dated.number}, ${STORED_STATES.draft_private_undated.number}) THEN creator_id ELSE '' END AS creator_id, count(*)::int AS posts
  FROM post WHERE deleted_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
let viewers: Viewer[];
const shop = withServices();
beforeAll(async () => {
  const [one, other] = [await shop.aViewer(), await shop.aViewer()];
  viewers = [
    one,
    other,
    await shop.aViewer({ workspaceId: one.workspace.id }),
    await shop.aViewer({ workspaceId: other.workspace.id }),
  ];
  for (const workspaceId of [one.workspace.id, other.workspace.id])
    for (const network of ['mastodon', 'facebook'] as const)
      await shop.anAccount({ workspaceId, network });
});
const expectCorrectCounts = async (pool: pg.Pool = shop.database.pool): Promise<void> => {
  const rows = async (text: string): Promise<unknown[]> => (await pool.query(text)).rows;
  expect(await rows(STORED_COUNTS)).toEqual(await rows(ACTUAL_COUNTS));
  expect(await rows(KEPT_DETAILED_COUNTS)).toEqual(await rows(ACTUAL_DETAILED_COUNTS));
};

/** Inserts are more frequent than deletions. */
const FREQUENT_INSERTS = Array<Write>(4).fill(WRITES['insert']!);
const RETRYABLE = new Set(['40001', '40P01']);
const step = fc.record({
  writes: fc.array(fc.constantFrom(...Object.values(WRITES), ...FREQUENT_INSERTS), {
    minLength: 1,
    maxLength: 3,
  }),
  who: fc.nat({ max: 3 }),
  many: fc.integer({ min: 1, max: 12 }),
  seed: fc.nat({ max: 1_000 }),
  isRolledBack: fc.boolean(),
  isPurge: fc.boolean(),
});

/** The transactions of one writer, in sequence; half of them are rolled back. */
async function write(
  steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
  pool: pg.Pool,
): Promise<void> {
  for (const { writes, who, isRolledBack, isPurge, ...rest } of steps) {
    const purged = isPurge
      ? createPurgeStore(createDatabase(pool)).deletedPosts(new Date(Date.now() + 60_000), 2)
      : Promise.resolve(0);
    await purged
      .then(() =>
        createDatabase(pool).transaction(async (sql) => {
          for (const writeOnce of writes) await writeOnce(sql, { ...rest, viewer: viewers[who]! });
          if (isRolledBack) await sql('ROLLBACK');
        }),
      )
      .catch((error: { code?: string }) => {
        if (!RETRYABLE.has(error.code ?? '')) throw error;
      });
  }
}

test('the counts match the posts after concurrent writes on several connections', async () => {
  const pools = Array.from(
    { length: WRITERS },
    () => new pg.Pool({ connectionString: shop.database.url, max: 1 }),
  );
  try {
    const stepsByWriter = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: WRITERS,
      seed: 4,
    });
    await Promise.all(pools.map((pool, index) => write(stepsByWriter[index]!, pool)));
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
  expect(
    (await shop.sql<{ n: number }>('SELECT count(*)::int AS n FROM post'))[0]!.n,
  ).toBeGreaterThan(50);
  expect(
    (await shop.sql<{ n: number }>('SELECT count(DISTINCT slot)::int AS n FROM post_count'))[0]!.n,
  ).toBeGreaterThan(1);
  await expectCorrectCounts();
});

test('the changes of the service are counted: created, moved, deleted, and dry runs', async () => {
  const [by] = viewers as [Viewer];
  const post = await shop.aPost({ by });
  const draft = await shop.aPost({ by, storedState: 'draft_private_undated' });
  await expectCorrectCounts();
  await shop.update(by, draft, { scheduledAt: new Date('2027-01-01T10:00:00Z') });
  await shop.remove(by, [post.id], { dryRun: true });
  await expectCorrectCounts();
  await shop.remove(by, [post.id]);
  await expectCorrectCounts();
});

test('a changed text writes no count', async () => {
  const [by] = viewers as [Viewer];
  const post = await shop.aPost({ by });
  const countRows = (): Promise<unknown[]> =>
    Promise.all(
      ['post_count', 'post_count_detail', 'post_count_change'].map((table) =>
        shop.sql(`SELECT ctid, xmin, * FROM ${table} ORDER BY 1`),
      ),
    );
  const before = await countRows();
  await shop.update(by, post, { text: 'Another' });
  expect(await countRows()).toEqual(before);
});

test('the total of a list by states is the number of its posts, without private drafts of others', async () => {
  const [by, , editor] = viewers as [Viewer, Viewer, Viewer];
  for (const storedState of [
    'failed',
    'published_posted',
    'draft_private_dated',
    'draft_private_undated',
  ] as const)
    await shop.aPost({ by: editor, storedState });
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

test('deleting a workspace deletes its counts, and truncating posts deletes all counts', async () => {
  const by = await shop.aViewer();
  await shop.aPost({ by, storedState: 'draft_undated' });
  await shop.sql('DELETE FROM workspace WHERE id = $1', by.workspace.id);
  for (const table of ['post_count', 'post_count_detail', 'post_count_change'])
    expect(
      await shop.sql(`SELECT * FROM ${table} WHERE workspace_id = $1`, by.workspace.id),
    ).toEqual([]);
  await expectCorrectCounts();
  await shop.sql('TRUNCATE post CASCADE');
  for (const table of ['post_count', 'post_count_detail', 'post_count_change'])
    expect(await shop.sql(`SELECT * FROM ${table}`)).toEqual([]);
});

test('posts loaded with triggers disabled are counted by recount_posts', async () => {
  const [by] = viewers as [Viewer];
  await shop.database.transaction(async (sql) => {
    await sql("SET LOCAL session_replication_role = 'replica'");
    await WRITES['insert']!(sql, { viewer: by, many: 10, seed: 0 });
  });
  expect(await shop.sql(STORED_COUNTS)).toEqual([]);
  await shop.sql('SELECT recount_posts()');
  await expectCorrectCounts();
  await shop.aPost({ by, storedState: 'draft_undated' });
  await expectCorrectCounts();
});
