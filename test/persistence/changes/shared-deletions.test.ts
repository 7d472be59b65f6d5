import pg from 'pg';
import type { Post } from '../../../src/domain/posts/post.js';
import { eventsOfWorkspace } from '../../fixtures/event-rows.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { recordStatements } from '../../fixtures/statements.js';
import {
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

async function somePosts(count: number, viewer = by): Promise<Post[]> {
  const account = await services.anAccount({ workspaceId: viewer.workspace.id });
  return Promise.all(Array.from({ length: count }, () => services.aPost({ by: viewer, account })));
}
/** Pairs of posts. */
const somePairs = (count: number): Promise<[Post, Post][]> =>
  Promise.all(Array.from({ length: count }, async () => (await somePosts(2)) as [Post, Post]));
const now = (): Date => services.clock.now();

test('a lone deletion is one statement, without a transaction', async () => {
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
    expect(sharedSizes(statements)).toEqual([1]);
  }
  expect(await deletionTimes(services, posts)).toEqual([now(), now(), now()]);
});

test('at most 8 deletions share a statement', async () => {
  const posts = await somePosts(40);
  const { result, statements } = await recordStatements(() =>
    deleteJointly(
      services,
      posts.map((post) => ({ by, posts: [post] })),
    ),
  );
  expect(result.map(resultsOf)).toEqual(posts.map(() => ['deleted']));
  expect(sharedSizes(statements)).toEqual([8, 8, 8, 8, 8]);
  expect(separateDeletions(statements)).toEqual([]);
  expect(await deletionEvents(services, posts)).toEqual(posts.map(() => [1]));
});

test('two statements of deletions run at the same time', async () => {
  const posts = await somePosts(16);
  const { query } = pg.Client.prototype;
  let running = 0;
  let most = 0;
  function counted(this: pg.Client, statement: { text?: string }, ...args: unknown[]): unknown {
    const done = args.pop() as (...result: unknown[]) => void; // the pool passes a callback
    const isDeletion = Boolean(statement.text?.includes('SET deleted_at'));
    running += Number(isDeletion);
    most = Math.max(most, running);
    const end = (...result: unknown[]): void => {
      running -= Number(isDeletion);
      done(...result);
    };
    return Reflect.apply(query, this, [statement, ...args, isDeletion ? end : done]);
  }
  const spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(counted as () => void);
  try {
    const requests = posts.map((post) => ({ by, posts: [post] }));
    expect((await deleteJointly(services, requests)).map(resultsOf)).toEqual(
      posts.map(() => ['deleted']),
    );
  } finally {
    spy.mockRestore();
  }
  expect(most).toBe(2);
  expect(running).toBe(0);
});

test('if more than 8 deletions wait, each workspace has the same share of the next statement', async () => {
  const other = await services.aViewer();
  const [many, few] = [await somePosts(20), await somePosts(2, other)];
  const { statements } = await recordStatements(() =>
    deleteJointly(services, [
      ...many.map((post) => ({ by, posts: [post] })),
      ...few.map((post) => ({ by: other, posts: [post] })),
    ]),
  );
  expect(sharedSizes(statements)).toEqual([8, 8, 6]);
  const first = statements.find(({ text }) => text.includes('SET deleted_at'))!;
  expect(first.values[0]).toEqual(expect.arrayContaining(few.map(({ databaseId }) => databaseId)));
});

test('requests of several users share a statement, and each has its own time and its own events', async () => {
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
  const { result, statements } = await recordStatements(() => deleteJointly(services, requests));
  expect(result.flatMap(resultsOf)).toEqual(Array(5).fill('deleted'));
  expect(sharedSizes(statements)).toEqual([3]);
  expect(separateDeletions(statements)).toEqual([]);
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
  const pairs = await somePairs(4);
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
  expect(sharedSizes(statements)[0]).toBe(4);
  // The changed ones, in vain: the unchanged deletion is saved by the shared statement.
  const again = separateDeletions(statements).map(({ values }) => values[0]);
  expect(again).toHaveLength(3);
  expect(again.flat()).toEqual(expect.not.arrayContaining([unchanged[0].databaseId]));
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
    const { result, statements } = await recordStatements(() =>
      deleteJointly(services, [
        { by, posts: [common, first], policy },
        { by, posts: [common, second], policy },
        { by, posts: [other] },
      ]),
    );
    const [one, two, third] = result.map(resultsOf);
    expect([one, two].toSorted()).toEqual([results, ['deleted', 'deleted']]);
    expect(third).toEqual(['deleted']);
    expect(sharedSizes(statements)[0]).toBe(2);
    expect(await deletionEvents(services, [common, other])).toEqual([[1], [1]]);
    const events = await deletionEvents(services, [first, second]);
    expect(events.map(({ length }) => length).toSorted()).toEqual(eventCounts);
    const times = await deletionTimes(services, [first, second]);
    expect(times.map((time) => Number(time !== null))).toEqual(events.map(({ length }) => length));
  },
);
