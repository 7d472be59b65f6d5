import { DUE_POSTS } from '../../../src/persistence/publishing/due-conditions.js';
import {
  dueSeriesStatement,
  handOverStatement,
  MAY_BE_DUE,
} from '../../../src/persistence/publishing/due-posts.js';
import type { Statement } from '../../../src/persistence/sql.js';
import { testPublishing, type TestPublishing } from '../../fixtures/publishing.js';
import { recordStatements } from '../../fixtures/statements.js';
import { withUnlimitedClient } from '../../setup/unlimited-client.js';
import { planOf, type PlanNode } from '../posts/plans.js';

const POSTS = 200_000;
const [MAX, DUE] = [100, 300];

let fixture: TestPublishing;
beforeAll(async () => {
  fixture = await testPublishing();
  const by = await fixture.aViewer();
  const account = await fixture.aSandboxAccount(by);
  await withUnlimitedClient(fixture.database.url, async (sql) => {
    await sql.query('ALTER TABLE post DISABLE TRIGGER USER'); // counts are not read here
    await sql.query(
      `INSERT INTO post (id, doc_id, workspace_id, account_id, creator_id, stored_state, type, network, scheduled_at)
       SELECT n, lpad(to_hex(n), 24, '0'), '${by.workspace.id}', '${account.id}', '${by.user.id}', CASE n % 4 WHEN 0 THEN 10 ELSE 1 END, 'status', 'mastodon',
              date_trunc('second', now()) + CASE n % 4 WHEN 0 THEN -1 ELSE 1 END * n * interval '1 minute' FROM generate_series(1, ${POSTS}) n`,
    );
    await sql.query('ALTER TABLE post ENABLE TRIGGER USER');
  });
});
afterAll(() => fixture?.database.drop());

async function rowsReadBy(statement: Statement, byIndex = 'post_due_idx'): Promise<number> {
  const nodes = await planOf(fixture.database.pool, statement);
  const posts = nodes.filter(({ relation }: PlanNode) => relation === 'post');
  expect(posts.filter(({ type }) => type === 'Seq Scan' || type.startsWith('Bitmap'))).toEqual([]);
  return Math.max(...posts.filter(({ index }) => index === byIndex).map(({ rows }) => rows));
}

/** What a sweep asks before it does anything else. */
const FIRST_TIME: Statement = { text: MAY_BE_DUE, values: [] };
const rowsReadBySweep = (): Promise<number> => rowsReadBy(handOverStatement(MAX));
/** The first due post, as metrics read it. */
const FIRST_DUE: Statement = { text: DUE_POSTS, values: [1] };

it.each(['before', 'after'])(
  'a sweep over scheduled posts reads one index entry if none is due, %s the table is analyzed',
  async (when) => {
    if (when === 'after') await fixture.sql('VACUUM ANALYZE post');
    expect(await rowsReadBySweep()).toBe(0);
    expect(await rowsReadBy(FIRST_TIME)).toBe(1);
    const { statements } = await recordStatements(() => fixture.sweep(MAX));
    const sent = statements.map(({ text }) => text).filter((text) => !text.includes('pg_stat'));
    expect(sent).toEqual([MAY_BE_DUE]);
    expect(await rowsReadBy(FIRST_DUE)).toBe(0);
  },
);

it('a sweep reads as many posts as it hands over', async () => {
  await fixture.sql(
    "UPDATE post SET scheduled_at = date_trunc('second', now()) WHERE stored_state = 1 AND id <= $1",
    DUE,
  );
  expect(await rowsReadBySweep()).toBeLessThanOrEqual(MAX);
  expect(await rowsReadBy(FIRST_DUE)).toBe(1);
  expect(await fixture.sweep(MAX)).toBe(MAX);
});

it('a look for series that need occurrences reads only those, before and after the table is analyzed', async () => {
  const SERIES = 20_000;
  await fixture.sql(
    `INSERT INTO post (id, doc_id, workspace_id, account_id, creator_id, stored_state, type, network, scheduled_at)
     SELECT id + $1, lpad(to_hex(id + $1), 24, '0'), workspace_id, account_id, creator_id, 50, type, network, date_trunc('second', now()) + id * interval '1 hour'
       FROM post WHERE id <= $2`,
    POSTS,
    SERIES,
  );
  const rowsRead = (): Promise<number> =>
    rowsReadBy(dueSeriesStatement(new Date(), MAX), 'post_series_idx');
  expect(await rowsRead()).toBe(0);
  await fixture.sql('VACUUM ANALYZE post');
  expect(await rowsRead()).toBe(0);
  await fixture.sql(
    "UPDATE post SET extend_at = now() - interval '1 minute' WHERE stored_state = 50 AND id <= $1",
    POSTS + 7,
  );
  expect(await rowsRead()).toBe(7);
});
