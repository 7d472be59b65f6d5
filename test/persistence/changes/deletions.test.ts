import type { Account, Post } from '../../../src/domain/posts/post.js';
import type { PostStore } from '../../../src/persistence/posts/post-store.js';
import { eventsOfWorkspace } from '../../fixtures/event-rows.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { withServices } from '../../fixtures/services.js';
import { recordStatements } from '../../fixtures/statements.js';
import { waitFor } from '../../fixtures/wait-for.js';
import {
  anotherProcess,
  countOtherConnections,
  deleteJointly,
  deletionEvents,
  deletionsIn,
  deletionTimes,
  resultsOf,
} from './deletions.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const services = withServices();
const by = forEachTest(() => services.aViewer());

async function somePosts(count: number, viewer = by): Promise<Post[]> {
  const account = await services.anAccount({ workspaceId: viewer.workspace.id });
  return Promise.all(Array.from({ length: count }, () => services.aPost({ by: viewer, account })));
}
/** Deletions of two posts each. */
async function somePairs(count: number) {
  const posts = await somePosts(2 * count);
  const pairs = Array.from({ length: count }, (_, n) => posts.slice(2 * n, 2 * n + 2));
  return { posts, deletions: pairs.map((pair) => ({ by, posts: pair })) };
}
const now = (): Date => services.clock.now();
const idsOf = (posts: readonly Post[]): string[] => posts.map(({ id }) => id);
const deletedNow = async (posts: readonly Post[]): Promise<boolean[]> =>
  (await deletionTimes(services, posts)).map((time) => time !== null);

test('a deletion is one statement, without a transaction', async () => {
  const posts = await somePosts(3);
  for (const some of [posts.slice(0, 1), posts.slice(1)]) {
    const { result, statements } = await recordStatements(() =>
      services.remove(
        by,
        some.map(({ id }) => id),
      ),
    );
    expect(result).toMatchObject({ results: some.map(({ id }) => ({ id, deleted: true })) });
    const writes = statements.filter(({ text }) => /UPDATE|INSERT|BEGIN|COMMIT/.test(text));
    expect(writes).toHaveLength(1);
    expect(deletionsIn(statements)).toHaveLength(1);
  }
  expect(await deletionTimes(services, posts)).toEqual([now(), now(), now()]);
});

test('each deletion has its own time and its own events', async () => {
  const colleague = await services.aViewer({ workspaceId: by.workspace.id, postActions: true });
  const outsider = await services.aViewer();
  const times = [1, 2, 3].map((hour) => new Date(now().getTime() + hour * 3_600_000));
  const requests = [
    { by, posts: await somePosts(2), at: times[0]! },
    { by: { ...colleague, api: 'rest' as const }, posts: await somePosts(1), at: times[1]! },
    {
      by: { ...outsider, api: 'import' as const },
      posts: await somePosts(2, outsider),
      at: times[2]!,
    },
  ];
  const result = await deleteJointly(services, requests);
  expect(result.flatMap(resultsOf)).toEqual(Array(5).fill('deleted'));
  const events = (
    await Promise.all(
      [by, outsider].map(({ workspace }) =>
        eventsOfWorkspace(services.database.pool, workspace.id),
      ),
    )
  )
    .flat()
    .filter(({ type }) => type === 'post.deleted');
  const expected = requests.map(({ by: { user, key, api }, posts, at }) =>
    posts.map((post) => ({
      type: 'post.deleted',
      documentId: post.id,
      accountId: post.accountId,
      recordId: null,
      version: 1,
      changed: [],
      before: 'scheduled',
      after: null,
      visibleTo: null,
      userId: user.id,
      keyId: key.id,
      api,
      at,
    })),
  );
  expect(events).toHaveLength(5);
  expect(requests.map(({ by: { key } }) => events.filter(({ keyId }) => keyId === key.id))).toEqual(
    expected,
  );
  for (const { posts, at } of requests)
    expect(await deletionTimes(services, posts)).toEqual(posts.map(() => at));
});

test('a deletion with a post that changed since it was read is decided again; the others are saved', async () => {
  const { deletions } = await somePairs(4);
  const pairs = deletions.map(({ posts }) => posts);
  const [edited, queued, partlyQueued, unchanged] = pairs as [
    [Post, Post],
    [Post, Post],
    [Post, Post],
    [Post, Post],
  ];
  const beforeSave = async () => {
    await services.update(by, edited[0], { text: 'New' });
    await services.sql(
      'UPDATE post SET queued_at = $2 WHERE id = ANY($1)',
      [queued[0].databaseId, partlyQueued[0].databaseId],
      now(),
    );
  };
  const { result, statements } = await recordStatements(() =>
    deleteJointly(
      services,
      [
        { by, posts: edited },
        { by, posts: queued, policy: 'all_or_nothing' },
        { by, posts: partlyQueued },
        { by, posts: unchanged },
      ],
      beforeSave,
    ),
  );
  expect(result.map(resultsOf)).toEqual([
    ['deleted', 'deleted'],
    ['RULE_VIOLATION', 'RULE_VIOLATION'],
    ['RULE_VIOLATION', 'deleted'],
    ['deleted', 'deleted'],
  ]);
  const attempts = deletionsIn(statements).map(({ values }) => values[0]);
  expect(
    attempts.filter((ids) => (ids as number[]).includes(unchanged[0].databaseId)),
  ).toHaveLength(1);
  expect(attempts.filter((ids) => (ids as number[]).includes(edited[0].databaseId))).toHaveLength(
    2,
  );
  const timesOf = (pair: readonly Post[]) => deletionTimes(services, pair);
  expect(await Promise.all(pairs.map(timesOf))).toEqual([
    [now(), now()],
    [null, null],
    [null, now()],
    [now(), now()],
  ]);
  const eventsOf = (pair: readonly Post[]) => deletionEvents(services, pair);
  expect(await Promise.all(pairs.map(eventsOf))).toEqual([
    [[2], [1]],
    [[], []],
    [[], [1]],
    [[1], [1]],
  ]);
});

test.each([
  ['skip_refused', ['POST_NOT_FOUND', 'deleted'], [1, 1]],
  ['all_or_nothing', ['POST_NOT_FOUND', 'RULE_VIOLATION'], [0, 1]],
] as const)(
  'one of two deletions deletes their common post, the other does not find it (%s)',
  async (policy, results, eventCounts) => {
    const [common, first, second, other] = (await somePosts(4)) as [Post, Post, Post, Post];
    const result = await deleteJointly(services, [
      { by, posts: [common, first], policy },
      { by, posts: [common, second], policy },
      { by, posts: [other] },
    ]);
    const [one, two, third] = result.map(resultsOf);
    expect([one, two].toSorted()).toEqual([results, ['deleted', 'deleted']]);
    expect(third).toEqual(['deleted']);
    expect(await deletionEvents(services, [common, other])).toEqual([[1], [1]]);
    const events = await deletionEvents(services, [first, second]);
    expect(events.map(({ length }) => length).toSorted()).toEqual(eventCounts);
    const times = await deletionTimes(services, [first, second]);
    expect(times.map((time) => Number(time !== null))).toEqual(events.map(({ length }) => length));
  },
);

test('a row that is locked elsewhere delays only the deletion that contains it', async () => {
  const { posts, deletions } = await somePairs(5);
  const stranger = await services.database.pool.connect();
  try {
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM post WHERE id = $1 FOR UPDATE', [posts[5]!.databaseId]);
    const isDone = deletions.map(() => false);
    const result = await (async () => {
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
    })();
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
  const { posts, deletions } = await somePairs(2);
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
        const rows = await services.sql(`SELECT ${WAITING}`);
        return rows.length === deletions.length;
      });
      await services.sql(`SELECT pg_terminate_backend(pid) ${WAITING}`);
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
    expect(deletionsIn(statements)).toHaveLength(deletions.length);
    await stranger.query('COMMIT');
  } finally {
    stranger.release();
  }
  expect(await deletedNow(posts)).toEqual(posts.map(() => false));
  expect(await deletionEvents(services, posts)).toEqual(posts.map(() => []));
});

/** A series with an occurrence that was published, and one that is planned. */
async function aSeries(by: KeyedViewer, account: Account) {
  const series = await services.aPost({
    by,
    account,
    storedState: 'recurring',
    recurring: { repeat: 'daily', startDate: '2026-11-22' },
  });
  const parentId = series.databaseId;
  const published = await services.aPost({
    by,
    account,
    storedState: 'published_posted',
    parentId,
  });
  return { series, published, planned: await services.aPost({ by, account, parentId }) };
}
const states = (posts: readonly Post[]) =>
  Promise.all(
    posts.map(async ({ databaseId }) => {
      const [row] = await services.sql<{ version: number; parent: string; at: Date }>(
        'SELECT version, parent_id AS parent, deleted_at AS at FROM post WHERE id = $1',
        databaseId,
      );
      return row;
    }),
  );

test('a series is deleted with its planned occurrences, and the others become independent', async () => {
  const account = await services.anAccount({ workspaceId: by.workspace.id });
  const { series, published, planned } = await aSeries(by, account);
  const [plain] = (await somePosts(1)) as [Post];
  const [result] = await deleteJointly(services, [{ by, posts: [plain, series] }]);
  expect(resultsOf(result!)).toEqual(['deleted', 'deleted']);

  const at = services.clock.now();
  expect(await states([plain, series, published, planned])).toEqual([
    { version: 1, parent: null, at },
    { version: 1, parent: null, at },
    { version: 1, parent: null, at: null },
    { version: 1, parent: String(series.databaseId), at },
  ]);
  const events = await eventsOfWorkspace(services.database.pool, by.workspace.id);
  expect(
    events
      .filter((event) => event.at.getTime() === at.getTime())
      .filter(({ type }) => type === 'post.deleted' || type === 'post.updated')
      .map(({ type, documentId, userId, changed }) => [type, documentId, userId, changed]),
  ).toEqual([
    ['post.updated', published.id, by.user.id, ['parent']],
    ...[plain, series, planned].map(({ id }) => ['post.deleted', id, by.user.id, []]),
  ]);
});
