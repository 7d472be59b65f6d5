import type { Post } from '../../../src/domain/posts/post.js';
import type { PostStore } from '../../../src/services/posts/post-ports.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { recordStatements } from '../../fixtures/statements.js';
import { waitFor } from '../../fixtures/wait-for.js';
import {
  anotherProcess,
  countOtherConnections,
  deleteJointly,
  deletionEvents,
  deletionTimes,
  resultsOf,
  separateDeletions,
  sharedSizes,
} from './joint-deletions.js';

let services: TestServices;
let by: KeyedViewer;
beforeAll(async () => {
  services = await testServices();
});
afterAll(() => services.database.drop());
beforeEach(async () => {
  by = await services.aViewer();
});

async function somePosts(count: number): Promise<Post[]> {
  const account = await services.anAccount({ workspaceId: by.workspace.id });
  return Promise.all(Array.from({ length: count }, () => services.aPost({ by, account })));
}
/** Deletions of two posts each. */
async function somePairs(count: number) {
  const posts = await somePosts(2 * count);
  const pairs = Array.from({ length: count }, (_, n) => posts.slice(2 * n, 2 * n + 2));
  return { posts, deletions: pairs.map((pair) => ({ by, posts: pair })) };
}
const idsOf = (posts: readonly Post[]): string[] => posts.map(({ id }) => id);
const deletedNow = async (posts: readonly Post[]): Promise<boolean[]> =>
  (await deletionTimes(services, posts)).map((time) => time !== null);

test('a row that is locked elsewhere delays only the deletion that contains it', async () => {
  const { posts, deletions } = await somePairs(5);
  const stranger = await services.database.pool.connect();
  try {
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM post WHERE id = $1 FOR UPDATE', [posts[5]!.databaseId]);
    const isDone = deletions.map(() => false);
    const { result, statements } = await recordStatements(async () => {
      const all = deletions.map(async (deletion, n) => {
        const outcome = await services.remove(by, idsOf(deletion.posts));
        isDone[n] = true;
        return outcome;
      });
      await waitFor(() => isDone.filter(Boolean).length === 4);
      expect(isDone).toEqual([true, true, false, true, true]);
      expect(await deletedNow(posts)).toEqual(posts.map((_, n) => n !== 4 && n !== 5));
      await stranger.query('COMMIT');
      return Promise.all(all);
    });
    expect(sharedSizes(statements).length).toBeLessThan(5);
    expect(separateDeletions(statements)).toHaveLength(1);
    expect(result.map(({ kind }) => kind)).toEqual(deletions.map(() => 'done'));
  } finally {
    stranger.release();
  }
  expect(await deletedNow(posts)).toEqual(posts.map(() => true));
  expect(await deletionEvents(services, posts)).toEqual(posts.map(() => [1]));
});

test('a deletion whose post is changed by the transaction that locks it is decided again', async () => {
  const { posts, deletions } = await somePairs(3);
  const stranger = await services.database.pool.connect();
  try {
    await stranger.query('BEGIN');
    await stranger.query('UPDATE post SET version = 7 WHERE id = $1', [posts[0]!.databaseId]);
    const isDone = deletions.map(() => false);
    const all = deletions.map(async (deletion, n) => {
      const outcome = await services.remove(by, idsOf(deletion.posts));
      isDone[n] = true;
      return outcome;
    });
    await waitFor(() => isDone.filter(Boolean).length === 2);
    expect(isDone).toEqual([false, true, true]);
    await stranger.query('COMMIT');
    await Promise.all(all);
  } finally {
    stranger.release();
  }
  expect(await deletionEvents(services, posts)).toEqual([[7], [1], [1], [1], [1], [1]]);
});

test('a row that the database refuses fails alone', async () => {
  const { posts, deletions } = await somePairs(6);
  // After the refusal, the deletions of this process do not share statements for a minute.
  const { store, close } = await anotherProcess(services);
  await services.sql(
    `ALTER TABLE event ADD CONSTRAINT poisoned CHECK (doc_id <> '${posts[7]!.id}') NOT VALID`,
  );
  try {
    const { result, statements } = await recordStatements(() =>
      deleteJointly(
        services,
        deletions.map((deletion) => ({ ...deletion, store })),
      ),
    );
    expect(sharedSizes(statements)).toEqual([6]);
    expect(separateDeletions(statements)).toHaveLength(6);
    expect(result.map(resultsOf)).toEqual(
      deletions.map((_, n) =>
        n === 3
          ? [expect.stringContaining('violates check constraint "poisoned"')]
          : ['deleted', 'deleted'],
      ),
    );
  } finally {
    await services.sql('ALTER TABLE event DROP CONSTRAINT poisoned');
    await close();
  }
  expect(await deletedNow(posts)).toEqual(posts.map((_, n) => n !== 6 && n !== 7));
  expect(await deletionEvents(services, posts)).toEqual(
    posts.map((_, n) => (n === 6 || n === 7 ? [] : [1])),
  );
});

/** The connections that wait for a lock. Within a transaction, the first answer would be kept. */
const WAITING =
  "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/** Runs `work` with the stores of two processes, which have no deadlock. */
async function withTwoProcesses(work: (first: PostStore, second: PostStore) => Promise<void>) {
  const processes = [await anotherProcess(services), await anotherProcess(services)] as const;
  try {
    await work(processes[0].store, processes[1].store);
    expect(await countOtherConnections(services)).toBeGreaterThan(2);
  } finally {
    await Promise.all(processes.map(({ close }) => close()));
  }
  // Connections report deadlocks when they are closed at the latest.
  await waitFor(async () => (await countOtherConnections(services)) === 0);
  expect(
    await services.sql(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    ),
  ).toEqual([{ deadlocks: 0 }]);
}

test('two processes that delete overlapping posts in opposite order delete each once', async () => {
  const posts = await somePosts(24);
  const deletionsOf = (list: readonly Post[], store: PostStore) =>
    list.map((_, n) => ({ by, posts: list.slice(n, n + 3), store }));
  await withTwoProcesses(async (first, second) => {
    const outcomes = await deleteJointly(services, [
      ...deletionsOf(posts, first),
      ...deletionsOf(posts.toReversed(), second),
    ]);
    const results = outcomes.flatMap(resultsOf);
    expect(results.filter((result) => result === 'deleted')).toHaveLength(posts.length);
    expect(new Set(results)).toEqual(new Set(['deleted', 'POST_NOT_FOUND']));
  });
  expect(await deletionEvents(services, posts)).toEqual(posts.map(() => [1]));
});

test('deletions of two processes that wait for a locked row cannot wait for each other', async () => {
  const triples = await Promise.all(Array.from({ length: 4 }, () => somePosts(3)));
  const stranger = await services.database.pool.connect();
  try {
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM post WHERE id = ANY($1) FOR UPDATE', [
      triples.map(([, middle]) => middle!.databaseId),
    ]);
    await withTwoProcesses(async (first, second) => {
      const all = deleteJointly(services, [
        ...triples.map((posts) => ({ by, posts, store: first })),
        ...triples.map((posts) => ({ by, posts: posts.toReversed(), store: second })),
      ]);
      await waitFor(async () => {
        const rows = await services.sql(`SELECT ${WAITING}`);
        return rows.length === 2 * triples.length;
      });
      await stranger.query('COMMIT');
      const results = (await all).flatMap(resultsOf).toSorted();
      expect(results).toEqual([
        ...triples.flat().map(() => 'POST_NOT_FOUND'),
        ...triples.flat().map(() => 'deleted'),
      ]);
    });
  } finally {
    stranger.release();
  }
  expect(await deletionEvents(services, triples.flat())).toEqual(triples.flat().map(() => [1]));
});

test('deletions whose connection is lost are neither repeated nor reported as saved', async () => {
  const { posts, deletions } = await somePairs(4);
  const [earlier] = (await somePosts(1)) as [Post];
  await services.remove(by, [earlier.id]);
  const [event] = await services.sql<{ partition: string }>(
    "SELECT tableoid::regclass::text AS partition FROM event WHERE type = 'post.deleted' AND post_id = $1",
    earlier.databaseId,
  );
  const stranger = await services.database.pool.connect();
  try {
    // The statement has deleted the posts when it waits for this lock, to write their events.
    await stranger.query(`BEGIN; LOCK TABLE ${event!.partition} IN SHARE MODE`);
    const { result, statements } = await recordStatements(async () => {
      const all = deleteJointly(services, deletions);
      await waitFor(async () => {
        const rows = await services.sql(`SELECT pg_terminate_backend(pid) ${WAITING}`);
        return rows.length > 0;
      });
      return all;
    });
    expect(result.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
      deletions.map(() =>
        expect.objectContaining({
          code: 'UNAVAILABLE',
          message: expect.stringContaining('did not confirm'),
        }),
      ),
    );
    expect(sharedSizes(statements)).toEqual([4]);
    expect(separateDeletions(statements)).toEqual([]);
    await stranger.query('COMMIT');
  } finally {
    stranger.release();
  }
  expect(await deletedNow(posts)).toEqual(posts.map(() => false));
  expect(await deletionEvents(services, posts)).toEqual(posts.map(() => []));
});
