import type { Viewer } from '../../../src/domain/access/viewer.js';
import type { PostFilter, PostListQuery, PostSlice } from '../../../src/domain/posts/post-query.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { recordStatements } from '../../fixtures/statements.js';
import { isListed, listed } from './memory-reader.js';
import {
  ALL,
  createPostListData,
  NEWEST,
  type PostListData,
  type ReadPage,
} from './post-list-data.js';

let database: PostListData['database'];
let store: PostListData['store'];
let posts: PostListData['posts'];
let viewers: PostListData['viewers'];
let accounts: PostListData['accounts'];
let labels: PostListData['labels'];
let series: PostListData['series'];

beforeAll(async () => {
  ({ database, store, posts, viewers, accounts, labels, series } = await createPostListData());
});
afterAll(() => database.drop());

const read: ReadPage = (viewer, query, selection = ALL) => store.list(viewer, query, selection);

test('private drafts of others are never returned, by any method', async () => {
  const [owner, editor] = viewers as [Viewer, Viewer];
  const hidden = posts.filter(
    (post) => post.storedState.startsWith('draft_private') && post.creatorId === editor.user.id,
  );
  expect(hidden.length).toBeGreaterThan(3);
  const slice: PostSlice = { kind: 'window', limit: 1000, fromEnd: false };
  for (const filter of [
    {},
    { states: ['draft_private'] },
    { memberId: editor.user.id },
    { query: 'köln' },
    { accountIds: accounts.map(({ id }) => id) },
    { labelIds: labels.map(({ id }) => id) },
  ] as PostFilter[]) {
    const page = await read(owner, {
      filter,
      order: NEWEST,
      slice,
    });
    expect(page.posts.filter((post) => hidden.some(({ id }) => id === post.id))).toEqual([]);
    expect(page.totalCount).toBe(posts.filter((post) => isListed(post, owner, filter)).length);
  }
  for (const post of hidden) {
    const [byNumber, byDocument] = [
      { kind: 'database', id: post.databaseId } as const,
      { kind: 'document', id: post.id } as const,
    ];
    expect([
      (await store.find(owner, byNumber, ALL.fields)).kind,
      (await store.find(owner, byDocument, ALL.fields)).kind,
    ]).toEqual(['unknown', 'inaccessible']);
    expect((await store.findAll(owner, [byNumber, byDocument])).map((found) => found.kind)).toEqual(
      ['unknown', 'inaccessible'],
    );
    expect(
      (await store.findAll(editor, [byNumber, byDocument])).map((found) => found.kind),
    ).toEqual(['found', 'found']);
  }
  expect(
    (
      await store.byDatabaseId(
        owner,
        hidden.map((post) => post.databaseId),
      )
    ).size,
  ).toBe(0);
  expect(
    (
      await store.byDocumentId(
        owner,
        hidden.map((post) => post.id),
      )
    ).size,
  ).toBe(0);
  expect(
    (
      await store.byDocumentId(
        editor,
        hidden.map((post) => post.id),
      )
    ).size,
  ).toBe(hidden.length);
});

test('a post of another workspace is inaccessible by its document ID, and unknown by its database ID', async () => {
  const foreign = posts.at(-1)!;
  const ids = [
    { kind: 'database', id: foreign.databaseId },
    { kind: 'document', id: foreign.id },
    { kind: 'document', id: 'f'.repeat(24) },
    null,
  ] as const;
  expect((await store.findAll(viewers[0]!, ids)).map((found) => found.kind)).toEqual([
    'unknown',
    'inaccessible',
    'unknown',
    'unknown',
  ]);
  expect((await store.byDocumentId(viewers[0]!, [foreign.id])).size).toBe(0);
});

test('with cached related rows, a list is one statement, with facets two, for any selection; a detail is one', async () => {
  const fields = new Set(Object.keys(series) as (keyof Post)[]);
  const query: PostListQuery = {
    filter: { states: ['scheduled', 'draft'], query: 'köln' },
    order: { field: 'scheduled_at', direction: 'asc' },
    slice: { kind: 'window', limit: 50, fromEnd: false },
  };
  await read(viewers[0]!, query, { fields, totalCount: true, facets: true, items: true });
  const countOf = async (work: () => Promise<unknown>): Promise<number> =>
    (await recordStatements(work)).statements.length;
  expect(
    await countOf(() =>
      read(viewers[0]!, query, { fields, totalCount: true, facets: true, items: true }),
    ),
  ).toBe(2);
  expect(
    await countOf(() =>
      read(viewers[0]!, query, { fields, totalCount: true, facets: false, items: true }),
    ),
  ).toBe(1);
  expect(
    await countOf(() =>
      read(viewers[0]!, query, { fields, totalCount: false, facets: true, items: false }),
    ),
  ).toBe(1);
  expect(
    await countOf(() => store.find(viewers[0]!, { kind: 'document', id: series.id }, fields)),
  ).toBe(1);
});

test('a total alone returns no posts', async () => {
  const page = await read(
    viewers[0]!,
    {
      filter: {},
      order: NEWEST,
      slice: { kind: 'window', limit: 10, fromEnd: false },
    },
    { ...ALL, items: false, facets: false },
  );
  expect(page).toEqual({
    posts: [],
    hasNextPage: false,
    hasPreviousPage: false,
    totalCount: listed(posts, viewers[0]!, {
      filter: {},
      order: NEWEST,
    }).length,
  });
});

test('exactly the selected fields are read, with the saved values', async () => {
  const { posts: found } = await read(
    viewers[0]!,
    {
      filter: { states: ['scheduled'] },
      order: NEWEST,
      slice: { kind: 'window', limit: 5, fromEnd: false },
    },
    { ...ALL, facets: false },
  );
  for (const post of found) {
    const saved = posts.find(({ id }) => id === post.id)!;
    expect(post.text).toBe(saved.text);
    expect('content' in post).toBe(false);
    expect(
      await store.find(
        viewers[0]!,
        { kind: 'document', id: post.id },
        new Set(Object.keys(saved) as (keyof Post)[]),
      ),
    ).toEqual({
      kind: 'found',
      post: expect.objectContaining({ ...saved, user: expect.anything() }),
    });
  }
});
