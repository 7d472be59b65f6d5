import type { Account, Post } from '../../../src/domain/posts/post.js';
import type { JobRun } from '../../../src/persistence/jobs/job-queue.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { recordStatements } from '../../fixtures/statements.js';
import { planOf } from '../posts/plans.js';
import { withUnlimitedClient } from '../../setup/unlimited-client.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const TABLES = [
  'post',
  'job',
  'publication',
  'publication_attempt',
  'cap_slot',
  'sandbox_delivery',
];
const publishing = withPublishing();
beforeAll(async () => {
  // Tables that were analyzed while they were small are planned again when they have grown.
  for (const table of TABLES)
    await publishing.sql(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
});
beforeEach(async () => {
  await publishing.sql("UPDATE job SET due_at = 'infinity' WHERE status = 'working'");
});
const by = forEachTest(() => publishing.aViewer());

/** Posts on accounts of their own, handed over and claimed. */
async function claimedPosts(count: number): Promise<{ posts: Post[]; runs: readonly JobRun[] }> {
  const posts: Post[] = [];
  for (let n = 0; n < count; n += 1)
    posts.push(await publishing.aDuePost({ by, account: await publishing.aSandboxAccount(by) }));
  await publishing.sweep();
  const claimed = await publishing.claim();
  const runs = posts.map(({ databaseId }) => claimed.find(({ postId }) => postId === databaseId)!);
  return { posts, runs };
}
const runAll = (runs: readonly JobRun[]) => Promise.all(runs.map(publishing.runJob));
const copies = async (post: Post): Promise<number> => (await publishing.deliveriesOf(post)).length;

/** A step of a publication, as its statement names it. */
const STEPS = {
  'opens attempts': 'opened AS (INSERT INTO publication_attempt',
  'arms attempts': 'armed AS (UPDATE post',
  'takes posts on the sandbox network': 'INSERT INTO sandbox_delivery',
  'records results': 'results AS (',
  'settles jobs': 'settled AS MATERIALIZED',
};

test('publications at the same time share their statements, and each post is published once', async () => {
  const { posts, runs } = await claimedPosts(8);
  const { statements } = await recordStatements(() => runAll(runs));
  for (const [step, text] of Object.entries(STEPS))
    expect([step, statements.filter((statement) => statement.text.includes(text)).length]).toEqual([
      step,
      1,
    ]);
  expect(statements.filter(({ text }) => text === 'BEGIN')).toEqual([]);
  for (const post of posts) {
    expect(await publishing.publicationOf(by, post)).toMatchObject({
      status: 'published',
      attempts: 1,
    });
    expect(await copies(post)).toBe(1);
    expect(
      await publishing.sql(
        "SELECT type, version, state_before, state_after FROM event WHERE doc_id = $1 AND type = 'post.published'",
        post.id,
      ),
    ).toEqual([{ type: 'post.published', version: 2, state_before: 1, state_after: 10 }]);
    expect(
      await publishing.sql(
        "SELECT FROM revision WHERE post_id = $1 AND type = 'post.published'",
        post.databaseId,
      ),
    ).toHaveLength(1);
  }
});

test('a post that was changed, and a job that was taken over, do not stop the others', async () => {
  const { posts, runs } = await claimedPosts(3);
  const read = await Promise.all(
    posts.map(async ({ databaseId }) => (await publishing.ledger.findSubject(databaseId))!.post),
  );
  await Promise.all(
    runs.map((run, n) =>
      publishing.ledger.start(run, read[n]!, { intervalMs: 1, maxConcurrent: 1 }),
    ),
  );
  await publishing.sql('UPDATE post SET version = version + 1 WHERE id = $1', posts[0]!.databaseId);
  await publishing.sql('UPDATE job SET attempts = attempts + 1 WHERE id = $1', runs[1]!.id);
  const armed = await Promise.all(
    runs.map((run, n) =>
      publishing.ledger.arm(run, read[n]!, {
        number: 1,
        guarantee: 'exact',
        handle: { key: `${n}` },
      }),
    ),
  );
  expect(armed).toEqual([null, null, expect.any(Date)]);
  const stored = await publishing.sql<{ armed: boolean }>(
    'SELECT armed_at IS NOT NULL AS armed FROM post WHERE id = ANY($1::bigint[]) ORDER BY id',
    posts.map(({ databaseId }) => databaseId),
  );
  expect(stored.map(({ armed: isArmed }) => isArmed)).toEqual([false, false, true]);
});

test('a post whose row is locked is published when the lock ends; the others do not wait for it', async () => {
  const { posts, runs } = await claimedPosts(3);
  const client = await publishing.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM post WHERE id = $1 FOR UPDATE', [posts[0]!.databaseId]);
    const [locked, ...others] = runs.map(publishing.runJob);
    await Promise.all(others);
    expect(await Promise.all(posts.map((post) => publishing.statusOf(by, post)))).toEqual([
      'queued',
      'published',
      'published',
    ]);
    await client.query('COMMIT');
    await locked;
  } finally {
    client.release();
  }
  expect(await Promise.all(posts.map(copies))).toEqual([1, 1, 1]);
  expect(await publishing.statusOf(by, posts[0]!)).toBe('published');
});

test('posts of one account start as its pace allows, those that were due first', async () => {
  const account: Account = await publishing.aSandboxAccount(by);
  const posts: Post[] = [];
  for (const minutesAgo of [1, 3, 2, 4])
    posts.push(await publishing.aDuePost({ by, account, minutesAgo }));
  await publishing.sweep();
  await publishing.sql(
    "UPDATE job SET due_at = p.scheduled_at FROM post p WHERE p.id = job.post_id AND p.account_id = $1 AND job.status = 'working'",
    account.id,
  );
  const claimed = await publishing.claim();
  const started = await Promise.all(
    posts.map(async ({ databaseId }) => {
      const run = claimed.find(({ postId }) => postId === databaseId)!;
      const { post } = (await publishing.ledger.findSubject(databaseId))!;
      return (await publishing.ledger.start(run, post, { intervalMs: 1, maxConcurrent: 2 })).kind;
    }),
  );
  expect(started).toEqual(['postponed', 'started', 'postponed', 'started']);
});

test('a post that the sandbox network refuses does not stop those that are sent with it', async () => {
  const account = await publishing.aSandboxAccount(by);
  const send = (accountId: string, handle: string) =>
    publishing.deliveries.take({
      accountId,
      postId: 'f'.repeat(24),
      handle,
      content: {},
      at: new Date(),
    });
  const [good, unknown, first, second] = await Promise.allSettled([
    send(account.id, 'a'),
    send('acc_unknown', 'b'),
    send(account.id, 'c'),
    send(account.id, 'c'),
  ]);
  expect(unknown.status).toBe('rejected');
  expect(good).toMatchObject({ status: 'fulfilled', value: expect.stringMatching(/^\d+$/) });
  expect(second).toEqual(first); // the same post
});

/** Scans of large tables that do not look for the rows of the publications. */
async function scansOfPublications(): Promise<unknown[]> {
  const { runs } = await claimedPosts(3);
  const { statements } = await recordStatements(() => runAll(runs));
  const ofPublications = statements.filter(
    ({ text }) => /^\s*(WITH|SELECT|UPDATE)/.test(text) && !/pg_(notify|stat)/.test(text),
  );
  expect(ofPublications.length).toBeGreaterThanOrEqual(Object.keys(STEPS).length);
  const scans: unknown[] = [];
  for (const statement of ofPublications)
    for (const { type, relation, index } of await planOf(publishing.database.pool, statement))
      if (index === 'post_queued_idx' || (type === 'Seq Scan' && TABLES.includes(relation ?? '')))
        scans.push({ type, relation, index, statement: statement.text });
  return scans;
}

test('the statements of a publication read large tables by index, also if they were small when the statements were planned', async () => {
  expect(await scansOfPublications()).toEqual([]);
  const ROWS = 20_000;
  const { id: accountId } = await publishing.aSandboxAccount(by);
  await withUnlimitedClient(publishing.database.url, async (sql) => {
    await sql.query("SET session_replication_role = 'replica'");
    await sql.query(
      `INSERT INTO post (id, doc_id, workspace_id, account_id, creator_id, stored_state, type, network, scheduled_at)
       SELECT 1000000 + n, lpad(to_hex(1000000 + n), 24, '0'), '${by.workspace.id}', '${accountId}', '${by.user.id}', 10, 'status', 'mastodon', date_trunc('second', now()) - n * interval '1 minute' FROM generate_series(1, ${ROWS}) n`,
    );
    for (const insert of [
      "INSERT INTO job (id, kind, status, finished_at, post_id) SELECT 'job_old' || id, 'publish', 'completed', now(), id FROM post WHERE id > 1000000",
      "INSERT INTO publication (post_id, due_at, handed_over_at, job_id) SELECT id, now(), now(), 'job_old' || id FROM post WHERE id > 1000000",
      'INSERT INTO publication_attempt (post_id, number, finished_at) SELECT id, 1, now() FROM post WHERE id > 1000000',
      "INSERT INTO cap_slot (account_id, post_kind, at, post_id) SELECT account_id, 'post', scheduled_at, id FROM post WHERE id > 1000000",
      "INSERT INTO sandbox_delivery (account_id, handle, is_exact, post_doc_id, content, listed_at) SELECT account_id, id::text, true, doc_id, '{}', now() FROM post WHERE id > 1000000",
    ])
      await sql.query(insert);
    for (const table of TABLES) await sql.query(`VACUUM ANALYZE ${table}`);
  });
  expect(await scansOfPublications()).toEqual([]);
});
