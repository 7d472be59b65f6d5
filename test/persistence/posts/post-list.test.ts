import type { Viewer } from '../../../src/domain/access/viewer.js';
import fc from 'fast-check';
import {
  SORT_FIELDS,
  sortValueOf,
  type PostFilter,
  type PostListQuery,
  type PostPosition,
  type PostSlice,
} from '../../../src/domain/posts/post-query.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { facetsOf, listed } from './memory-reader.js';
import {
  ALL,
  createFilters,
  createPostListData,
  idsOf,
  NEWEST,
  orders,
  viewerIndexes,
  type PostListData,
  type ReadPage,
} from './post-list-data.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

let database: PostListData['database'];
let store: PostListData['store'];
let posts: PostListData['posts'];
let viewers: PostListData['viewers'];
let series: PostListData['series'];
const data = forAllTests(() => createPostListData());

beforeAll(async () => {
  ({ database, store, posts, viewers, series } = data);
});
afterAll(() => database.drop());

const read: ReadPage = (viewer, query, selection = ALL) => store.list(viewer, query, selection);
const filters = createFilters(() => data);

test('SQL and the reader in memory return the same posts, order, totals and facets', async () => {
  await fc.assert(
    fc.asyncProperty(viewerIndexes, filters, orders, async (viewerIndex, filter, order) => {
      const viewer = viewers[viewerIndex]!;
      const expected = listed(posts, viewer, { filter, order });
      const page = await read(viewer, {
        filter,
        order,
        slice: { kind: 'window', limit: 1000, fromEnd: false },
      });
      expect(idsOf(page.posts)).toEqual(idsOf(expected));
      expect(page.totalCount).toBe(expected.length);
      expect(page.facets).toEqual(facetsOf(expected));
      expect([page.hasNextPage, page.hasPreviousPage]).toEqual([false, false]);
    }),
    { numRuns: 300, seed: 1 },
  );
});

/** Reads all windows of a list in sequence, from either end. */
async function readAllWindows(
  viewer: Viewer,
  query: Pick<PostListQuery, 'filter' | 'order'>,
  { limit, fromEnd }: { limit: number; fromEnd: boolean },
): Promise<string[]> {
  const found: string[] = [];
  let position: PostPosition | undefined;
  for (;;) {
    const slice: PostSlice = {
      kind: 'window',
      limit,
      fromEnd,
      ...(position && (fromEnd ? { before: position } : { after: position })),
    };
    // No field is selected, because lists have the date that they are sorted by anyway.
    const page = await read(
      viewer,
      { ...query, slice },
      { ...ALL, fields: new Set(), facets: false },
    );
    if (fromEnd) found.unshift(...idsOf(page.posts));
    else found.push(...idsOf(page.posts));
    expect(fromEnd ? page.hasNextPage : page.hasPreviousPage).toBe(position !== undefined);
    if (!(fromEnd ? page.hasPreviousPage : page.hasNextPage)) return found;
    expect(page.posts).toHaveLength(limit);
    const edge = page.posts.at(fromEnd ? 0 : -1)!;
    expect(edge).toHaveProperty(SORT_FIELDS[query.order.field]);
    position = { at: sortValueOf(edge, query.order.field), id: edge.databaseId };
  }
}

test('windows of any size, from either end, cover the whole list without gaps or duplicates', async () => {
  await fc.assert(
    fc.asyncProperty(
      viewerIndexes,
      filters,
      orders,
      fc.integer({ min: 7, max: 40 }),
      fc.boolean(),
      async (viewerIndex, filter, order, limit, fromEnd) => {
        const viewer = viewers[viewerIndex]!;
        expect(await readAllWindows(viewer, { filter, order }, { limit, fromEnd })).toEqual(
          idsOf(listed(posts, viewer, { filter, order })),
        );
      },
    ),
    { numRuns: 80, seed: 2 },
  );
});

test('a window between two positions contains the posts between them, and neither of the two', async () => {
  await fc.assert(
    fc.asyncProperty(
      filters,
      orders,
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      async (filter, order, index, otherIndex, fromEnd) => {
        const whole = listed(posts, viewers[0]!, { filter, order });
        fc.pre(whole.length > 2);
        const [first, last] = [index % whole.length, otherIndex % whole.length].sort(
          (a, b) => a - b,
        ) as [number, number];
        const positionOf = (post: Post): PostPosition => ({
          at: sortValueOf(post, order.field),
          id: post.databaseId,
        });
        const slice: PostSlice = {
          kind: 'window',
          limit: 1000,
          fromEnd,
          after: positionOf(whole[first]!),
          before: positionOf(whole[last]!),
        };
        expect(idsOf((await read(viewers[0]!, { filter, order, slice })).posts)).toEqual(
          idsOf(whole.slice(first + 1, last)),
        );
      },
    ),
    { numRuns: 60, seed: 3 },
  );
});

test('numbered pages cover the whole list; a page past the end is empty and has the total', async () => {
  await fc.assert(
    fc.asyncProperty(
      viewerIndexes,
      filters,
      orders,
      fc.integer({ min: 5, max: 50 }),
      async (viewerIndex, filter, order, perPage) => {
        const viewer = viewers[viewerIndex]!;
        const expected = idsOf(listed(posts, viewer, { filter, order }));
        const found: string[] = [];
        for (let page = 0; page <= Math.ceil(expected.length / perPage); page++) {
          const result = await read(
            viewer,
            { filter, order, slice: { kind: 'page', page, perPage } },
            { ...ALL, facets: false },
          );
          expect(result.totalCount).toBe(expected.length);
          found.push(...idsOf(result.posts));
        }
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 40, seed: 4 },
  );
  const order = NEWEST;
  for (const viewer of viewers) {
    // includes private drafts and far pages
    const expected = idsOf(listed(posts, viewer, { filter: {}, order }));
    for (const page of Array(30).keys()) {
      expect(
        idsOf(
          (await read(viewer, { filter: {}, order, slice: { kind: 'page', page, perPage: 10 } }))
            .posts,
        ),
      ).toEqual(expected.slice(page * 10, page * 10 + 10));
    }
  }
  const far = await read(viewers[0]!, {
    filter: {},
    order: NEWEST,
    slice: { kind: 'page', page: 2_147_483_647, perPage: 10 },
  });
  expect([far.posts, far.totalCount]).toEqual([
    [],
    listed(posts, viewers[0]!, { filter: {}, order: NEWEST }).length,
  ]);
});

test('by default the newest posts are first, ties by ID descending, undated last', async () => {
  const slice: PostSlice = { kind: 'window', limit: 1000, fromEnd: false };
  const { posts: found } = await read(viewers[0]!, {
    filter: {},
    order: NEWEST,
    slice,
  });
  const firstUndated = found.findIndex((post) => post.scheduledAt === null);
  expect(found.slice(firstUndated).every((post) => post.scheduledAt === null)).toBe(true);
  found.slice(1, firstUndated).forEach((post, index) => {
    const before = found[index]!;
    const gap = before.scheduledAt!.getTime() - post.scheduledAt!.getTime();
    expect(gap > 0 || (gap === 0 && before.databaseId > post.databaseId)).toBe(true);
  });
});

test('occurrences of several series are returned as one window each', async () => {
  const [other, childless] = posts.filter(
    (post) => post.storedState === 'recurring' && post.id !== series.id,
  );
  const filter: PostFilter = { states: ['scheduled'] };
  for (const order of [
    { field: 'scheduled_at', direction: 'asc' },
    { field: 'created_at', direction: 'desc' },
  ] as const) {
    const children = listed(posts, viewers[1]!, {
      filter: { ...filter, parentId: series.databaseId },
      order,
    });
    expect(children.length).toBeGreaterThan(5);
    const pages = await store.occurrences(
      viewers[1]!,
      [other!.databaseId, series.databaseId, childless!.databaseId],
      { filter, order, slice: { kind: 'window', limit: 3, fromEnd: false } },
      { ...ALL, facets: false },
    );
    expect(idsOf(pages.get(series.databaseId)!.posts)).toEqual(idsOf(children.slice(0, 3)));
    expect(pages.get(series.databaseId)).toMatchObject({
      hasNextPage: true,
      hasPreviousPage: false,
      totalCount: children.length,
    });
    expect(pages.get(other!.databaseId)).toEqual({
      posts: [],
      hasNextPage: false,
      hasPreviousPage: false,
      totalCount: 0,
    });
  }
});
