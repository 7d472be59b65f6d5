import { recordStatements } from '../../fixtures/statements.js';
import { testWorker, type TestWorker } from '../../fixtures/test-worker.js';
import { withUnlimitedClient } from '../../setup/unlimited-client.js';
import { planOf, type PlanNode } from '../posts/plans.js';
import { unlimitedClaim } from '../../fixtures/unlimited-claim.js';

const [MAX, FEW] = [4, 40];

let fixture: TestWorker;
let postId: number;
beforeAll(async () => {
  fixture = await testWorker();
  const { by, post } = await fixture.aPublishedPost();
  postId = (await fixture.aPost({ by, account: post.account })).databaseId;
  await fixture.sql('ALTER TABLE job SET (autovacuum_enabled = false)'); // the tests analyze it
  const insert = (prefix: string, count: number, columns: string): Promise<void> =>
    withUnlimitedClient(fixture.database.url, (sql) =>
      sql.query(
        `INSERT INTO job (id, kind, status, due_at, finished_at, post_id) SELECT '${prefix}' || n, ${columns} FROM generate_series(1, ${count}) n`,
      ),
    );
  await insert(
    'job_done',
    100_000,
    `(ARRAY['network_edit', 'notification', 'purge'])[n % 3 + 1]::job_kind, 'completed'::job_status, now() - n * interval '1 second', now(), ${postId}`,
  );
  await insert(
    'job_later',
    50_000,
    "(ARRAY['network_edit', 'notification'])[n % 2 + 1]::job_kind, 'working'::job_status, now() + n * interval '1 minute', NULL, NULL::bigint",
  );
  // an outage of the webhook, and a client that edits one post in a loop
  await insert(
    'job_due',
    10_000,
    "'notification'::job_kind, 'working'::job_status, now() - n * interval '1 second', NULL, NULL::bigint",
  );
  await insert(
    'job_edit',
    1_000,
    `'network_edit'::job_kind, 'working'::job_status, now() - n * interval '1 second', NULL, ${postId}`,
  );
  await fixture.sql('SELECT'); // opens a connection, whose set-up is not part of a claim
});
afterAll(() => fixture.database.drop());

async function planOfClaim(): Promise<PlanNode[]> {
  const { statements } = await recordStatements(() => fixture.queue.claim(unlimitedClaim(MAX)));
  expect(statements).toHaveLength(1);
  await fixture.sql('UPDATE job SET attempts = 0, leased_until = NULL WHERE attempts > 0');
  return planOf(fixture.database.pool, statements[0]!);
}

it.each(['before', 'after'])(
  'a claim reads only due jobs, %s the table is analyzed',
  async (when) => {
    if (when === 'after') await fixture.sql('ANALYZE job');
    const jobs = (await planOfClaim()).filter(({ relation }) => relation === 'job');
    expect(jobs.filter(({ type }) => type === 'Seq Scan' || type.startsWith('Bitmap'))).toEqual([]);
    expect(new Set(jobs.map(({ index }) => index))).toEqual(
      new Set([null, 'job_claim_idx', 'job_edit_order_idx', 'job_pkey']), // null: the update
    );
    const rowsOf = (name: string): number =>
      Math.max(...jobs.filter(({ index }) => index === name).map(({ rows }) => rows));
    // all due edits of the post, of which only the first can run, and as many notifications as fit
    expect(rowsOf('job_claim_idx')).toBeLessThanOrEqual(1_000 + FEW);
    expect(rowsOf('job_edit_order_idx')).toBeLessThanOrEqual(2 * 1_000 + FEW);
    expect(rowsOf('job_pkey')).toBeLessThanOrEqual(FEW);
  },
);

it('a claim of an idle queue reads nothing', async () => {
  await fixture.sql("UPDATE job SET due_at = now() + interval '1 day' WHERE status = 'working'");
  await fixture.sql('VACUUM ANALYZE job');
  const jobs = (await planOfClaim()).filter(({ relation }) => relation === 'job');
  expect(jobs.reduce((sum, { rows }) => sum + rows, 0)).toBe(0);
});
