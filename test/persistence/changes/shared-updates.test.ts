import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Post } from '../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import { openDatabase } from '../../../src/persistence/database.js';
import { createPostStore } from '../../../src/persistence/posts/post-store.js';
import { createPosts } from '../../../src/services/posts/posts.js';
import { updatedPost, withServices } from '../../fixtures/services.js';
import { recordStatements, type Statement } from '../../fixtures/statements.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const services = withServices();
const by = forEachTest(() => services.aViewer());

const somePosts = (count: number): Promise<Post[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => services.aPost({ by, text: `text ${n}` })));
const updateAll = (posts: readonly Post[], patchOf: (n: number) => PostPatch) =>
  Promise.allSettled(posts.map((post, n) => services.update(by, post, patchOf(n))));
const versions = (posts: readonly Post[]): Promise<number[]> =>
  Promise.all(posts.map(async ({ id }) => (await services.storedPost(by, id)).version));
const sharedUpdates = (statements: readonly Statement[]): Statement[] =>
  statements.filter(({ text }) => /SKIP LOCKED[^]*target AS \(UPDATE post p/.test(text));

/** What is stored of a post and its changes, without what differs between two posts. */
async function storedOf({ databaseId }: Post): Promise<unknown> {
  const [row] = await services.sql<{ stored: unknown }>(
    `SELECT to_jsonb(p) - '{id,doc_id,account_id,created_at}'::text[] || (to_jsonb(b) - 'post_id') || jsonb_build_object(
       'search', to_jsonb(s) - '{post_id}'::text[],
       'history', (SELECT jsonb_agg(to_jsonb(r) - '{id,post_id}'::text[] ORDER BY version) FROM revision r WHERE r.post_id = p.id),
       'events', (SELECT jsonb_agg(to_jsonb(e) - '{transaction_id,sequence,post_id,doc_id,account_id}'::text[] ORDER BY e.version) FROM event e WHERE e.post_id = p.id AND e.version > 1)) AS stored
       FROM post p JOIN post_body b ON b.post_id = p.id JOIN post_search s ON s.post_id = p.id WHERE p.id = $1`,
    databaseId,
  );
  return row!.stored;
}

const patches = fc.oneof(
  { weight: 3, arbitrary: fc.record({ text: fc.string({ unit: 'grapheme', minLength: 1 }) }) },
  fc.record({ tags: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 4 }) }),
  fc.record({ title: fc.option(fc.string({ minLength: 1, maxLength: 40 })) }),
  fc.record({ notes: fc.option(fc.string({ minLength: 1 })) }),
  fc.record({
    link: fc.option(
      fc.record({ url: fc.constantFrom('https://example.com/a', 'https://b.example') }),
    ),
  }),
) as fc.Arbitrary<PostPatch>;

test('stores the same as updates one by one', async () => {
  let shared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(patches, { minLength: 2, maxLength: 12 }), async (list) => {
      const [together, oneByOne] = [await somePosts(list.length), await somePosts(list.length)];
      const { result, statements } = await recordStatements(() =>
        updateAll(together, (n) => list[n]!),
      );
      shared += Number(sharedUpdates(statements).length < list.length);
      for (const [n, post] of oneByOne.entries()) {
        const [expected] = await updateAll([post], () => list[n]!);
        expect(result[n]!.status).toBe(expected!.status);
        if (result[n]!.status === 'fulfilled' && expected!.status === 'fulfilled')
          expect(result[n]!.value.kind).toBe(expected!.value.kind);
        const [stored, other] = [await storedOf(together[n]!), await storedOf(post)];
        if (!isDeepStrictEqual(stored, other)) expect(stored).toEqual(other);
      }
    }),
    { numRuns: 25, seed: 31 },
  );
  expect(shared).toBeGreaterThan(10);
});

test('of 40 updates at the same time, 32 share a statement', async () => {
  const posts = await somePosts(40);
  const { statements } = await recordStatements(() => updateAll(posts, (n) => ({ text: `${n}` })));
  const sizes = sharedUpdates(statements).map(
    ({ values }) => (JSON.parse(values[0] as string) as unknown[]).length,
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(32);
  expect(sizes.length).toBeLessThan(10);
  expect(await versions(posts)).toEqual(posts.map(() => 2));
});

test('a row that is locked elsewhere delays no other update', async () => {
  const posts = await somePosts(5);
  const stranger = await services.database.pool.connect();
  try {
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM post WHERE id = $1 FOR UPDATE', [posts[2]!.databaseId]);
    const isDone = posts.map(() => false);
    const updates = posts.map(async (post, n) => {
      updatedPost(await services.update(by, post, { text: `${n}` }));
      isDone[n] = true;
    });
    await waitFor(() => isDone.filter(Boolean).length === 4);
    expect(isDone).toEqual([true, true, false, true, true]);
    await stranger.query('COMMIT');
    await Promise.all(updates);
  } finally {
    stranger.release();
  }
  expect(await versions(posts)).toEqual([2, 2, 2, 2, 2]);
});

test('a row that the database refuses fails alone', async () => {
  const posts = await somePosts(6);
  await services.sql(
    `ALTER TABLE post_search ADD CONSTRAINT poisoned CHECK (normal NOT LIKE '%poison%')`,
  );
  try {
    const outcomes = await updateAll(posts, (n) => ({ title: n === 3 ? 'poison' : `title ${n}` }));
    expect(outcomes.map(({ status }) => status)).toEqual(
      posts.map((_, n) => (n === 3 ? 'rejected' : 'fulfilled')),
    );
  } finally {
    await services.sql('ALTER TABLE post_search DROP CONSTRAINT poisoned');
  }
  expect(await versions(posts)).toEqual([2, 2, 2, 1, 2, 2]);
});

test('two processes that update the same posts in opposite order both succeed', async () => {
  const posts = await somePosts(20);
  const database = await openDatabase({
    connectionString: services.database.url,
    poolSize: 10,
    log: { info() {}, warn() {} },
  });
  try {
    const store = createPostStore(database);
    const other = createPosts({ ...services.dependencies, store });
    const outcomes = await Promise.all([
      ...posts.map((post, n) => services.update(by, post, { text: `first ${n}` })),
      ...posts.toReversed().map((post, n) =>
        other.update(by, {
          id: post.id,
          patch: { text: `second ${n}` },
          duplicates: 'refuse',
          dryRun: false,
        }),
      ),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'updated'));
  } finally {
    await database.close();
  }
  expect(await versions(posts)).toEqual(posts.map(() => 3));
});

test('updates whose connection is lost are neither repeated nor reported as saved', async () => {
  const posts = await somePosts(4);
  const stranger = await services.database.pool.connect();
  try {
    // The statement has updated the posts when it waits for this lock.
    await stranger.query('BEGIN; LOCK TABLE revision IN SHARE MODE');
    const updates = updateAll(posts, (n) => ({ text: `${n}` }));
    const waiting = "datname = current_database() AND wait_event_type = 'Lock'";
    await waitFor(async () => {
      // not in the transaction, which keeps the list of connections that it has read first
      const ended = await services.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waiting}`,
      );
      return ended.length > 0;
    });
    const outcomes = await updates;
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
      posts.map(() =>
        expect.objectContaining({
          code: 'UNAVAILABLE',
          message: expect.stringContaining('did not confirm'),
        }),
      ),
    );
    await stranger.query('COMMIT');
  } finally {
    stranger.release();
  }
  expect(await versions(posts)).toEqual([1, 1, 1, 1]);
});

test('updates with idempotency keys share statements, which record their outcomes', async () => {
  const posts = await somePosts(12);
  const updateKeyed = () =>
    Promise.all(
      posts.map((post, n) =>
        services.update(by, post, { text: `keyed ${n}` }, { idempotencyKey: `key ${n}` }),
      ),
    );
  const { result: first, statements } = await recordStatements(updateKeyed);
  const started = statements.filter(({ text }) => text.includes('INSERT INTO idempotency'));
  expect(sharedUpdates(statements).length).toBeLessThan(6);
  expect(started.length).toBeLessThan(6);
  expect(statements.filter(({ text }) => /^(BEGIN|COMMIT)/.test(text))).toEqual([]);
  expect(await updateKeyed()).toEqual(first.map((outcome) => ({ ...outcome, replayed: true })));
  expect(await versions(posts)).toEqual(posts.map(() => 2));
});

test('of requests with the same key at the same time, one makes the change', async () => {
  const [post, other] = (await somePosts(2)) as [Post, Post];
  const outcomes = await Promise.all(
    [post, post, post, other].map((target) =>
      services.update(by, target, { text: 'once' }, { idempotencyKey: 'the same' }),
    ),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'updated'));
  expect(
    outcomes.filter((outcome) => outcome.kind === 'updated' && !outcome.replayed),
  ).toHaveLength(2);
  expect(await versions([post, other])).toEqual([2, 2]);
});

test('a record that another request holds does not delay the start of others', async () => {
  const posts = await somePosts(3);
  const key = (n: number) => ({ idempotencyKey: `held ${n}` });
  await services.update(by, posts[0]!, { text: 'before' }, key(0));
  const stranger = await services.database.pool.connect();
  try {
    await stranger.query('BEGIN');
    await stranger.query("UPDATE idempotency SET token = 'x' WHERE key = $1", ['held 0']);
    const isDone = posts.map(() => false);
    const updates = posts.map(async (post, n) => {
      await services.update(by, post, { text: n === 0 ? 'before' : `${n}` }, key(n));
      isDone[n] = true;
    });
    await waitFor(() => isDone.filter(Boolean).length === 2);
    expect(isDone).toEqual([false, true, true]);
    await stranger.query('ROLLBACK');
    await Promise.all(updates);
  } finally {
    stranger.release();
  }
});
