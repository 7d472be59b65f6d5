import fc from 'fast-check';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import type { Account, Label, Post } from '../../src/domain/posts/post.js';
import type {
  PostFilter,
  PostListQuery,
  PostOrder,
  PostPage,
  PostPosition,
  PostSelection,
  PostSlice,
} from '../../src/domain/posts/post-query.js';
import { CELLS, STATE_FILTERS, type Cell } from '../../src/domain/posts/states.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { POST_TYPES, wordsOf } from '../../src/domain/vocabulary.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import type { PostStore } from '../../src/services/ports.js';
import { recordsIn } from '../fixtures/records.js';
import { statementsOf } from '../fixtures/statements.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { facetsOf, isListed, listed } from './memory-reader.js';

const CELL_NAMES = wordsOf(CELLS) as readonly Cell[];
const NETWORK_NAMES: readonly Network[] = ['mastodon', 'facebook', 'wordpress'];
const TEXTS = [
  'Guten Morgen, Köln!',
  'good MORNING köln',
  '海关税收政策',
  'ประเทศไทย',
  'добрый день',
  'https://example.com/sale #Rabatt',
  '',
  'Sale — now 🎉',
];
const QUERIES = [
  'morgen',
  'koln',
  '关税',
  'ไทย',
  'день',
  '#rabatt',
  '"good morning"',
  '-köln',
  'sale -rabatt',
  '!!!',
  'nothing-has-this',
  '🎉',
];
const NOW = Date.parse('2026-11-21T00:00:00Z');
const HOUR = 3_600_000;
const POSTS = 260;

let database: TestDatabase;
let store: PostStore;
let posts: Post[] = [];
let viewers: Viewer[];
let accounts: Account[];
let labels: Label[];
let series: Post;

beforeAll(async () => {
  database = await testDatabase();
  store = createPostStore(database.pool);
  const records = recordsIn(database);
  const owner = await records.aViewer();
  const workspaceId = owner.workspace.id;
  const editor = await records.aViewer({ workspaceId, name: 'Ed' });
  const stranger = await records.aViewer();
  viewers = [owner, editor, await records.aViewer({ workspaceId, role: 'viewer' }), stranger];
  accounts = await Promise.all(
    NETWORK_NAMES.map((network) =>
      records.anAccount({ workspaceId, network, type: NETWORKS[network].accountTypes[0] }),
    ),
  );
  labels = await Promise.all(['a', 'b', 'Ä'].map((name) => records.aLabel({ workspaceId, name })));
  series = await records.aPost({
    by: owner,
    cell: 'recurring',
    account: accounts[0]!,
    text: 'Series',
  });
  const random = fc.sample(
    fc.record({
      cell: fc.constantFrom(...CELL_NAMES),
      type: fc.constantFrom(...wordsOf(POST_TYPES)),
      text: fc.constantFrom(...TEXTS),
      title: fc.constantFrom(null, 'Köln', 'Sale'),
      account: fc.constantFrom(...accounts),
      hasAccount: fc.boolean(),
      creator: fc.constantFrom(owner, editor),
      hour: fc.integer({ min: -6, max: 6 }),
      madeAt: fc.integer({ min: 0, max: 5 }),
      labels: fc.subarray(labels),
      isChild: fc.boolean(),
    }),
    { numRuns: POSTS, seed: 14 },
  );
  posts = [series];
  for (const { cell, account, hasAccount, creator, hour, madeAt, isChild, ...rest } of random) {
    const isDraft = cell.startsWith('draft');
    posts.push(
      await records.aPost({
        ...rest,
        by: creator,
        cell,
        account: isDraft && !hasAccount ? null : account,
        createdAt: new Date(NOW + madeAt * HOUR),
        ...(cell.endsWith('undated') ? {} : { scheduledAt: new Date(NOW + hour * HOUR) }),
        ...(isChild && cell.startsWith('scheduled') ? { parentId: series.databaseId } : {}),
      }),
    );
  }
  posts.push(await records.aPost({ by: stranger, text: TEXTS[0]!, scheduledAt: new Date(NOW) }));
});
afterAll(() => database.drop());

const parts = fc.record({
  states: fc.array(fc.constantFrom(...wordsOf(STATE_FILTERS)), { maxLength: 3 }),
  types: fc.array(fc.constantFrom(...wordsOf(POST_TYPES)), { maxLength: 6 }),
  networks: fc.array(fc.constantFrom(...NETWORK_NAMES), { maxLength: 2 }),
  account: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  member: fc.nat({ max: 3 }),
  label: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
  from: fc.integer({ min: -7, max: 7 }),
  to: fc.integer({ min: -7, max: 7 }),
  query: fc.constantFrom(...QUERIES),
  inSeries: fc.boolean(),
});
type Part = typeof parts extends fc.Arbitrary<infer P> ? keyof P : never;
const PARTS: Part[] = [
  'states',
  'types',
  'networks',
  'account',
  'member',
  'label',
  'from',
  'to',
  'query',
  'inSeries',
];
// Few parts at a time: with all of them hardly a post would be listed.
const filters: fc.Arbitrary<PostFilter> = fc
  .tuple(parts, fc.subarray(PARTS, { maxLength: 3 }))
  .map(
    ([all, kept]) =>
      Object.fromEntries(kept.map((part) => [part, all[part]])) as Partial<typeof all>,
  )
  .map(({ account, member, label, from, to, inSeries, ...rest }) => ({
    ...rest,
    ...(account && { accountIds: account.map((at) => accounts[at]?.id ?? 'acc_unknown') }),
    ...(member !== undefined && { memberId: viewers[member]?.user.id ?? 'usr_unknown' }),
    ...(label && { labelIds: label.map((at) => labels[at]?.id ?? 'lbl_unknown') }),
    ...(from !== undefined && { from: new Date(NOW + from * HOUR) }),
    ...(to !== undefined && { to: new Date(NOW + to * HOUR) }),
    ...(inSeries === true && { parentId: series.databaseId }),
  }));
const orders: fc.Arbitrary<PostOrder> = fc.record({
  field: fc.constantFrom('scheduled_at' as const, 'created_at' as const),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
});
const viewing = fc.nat({ max: 3 });

const ALL: PostSelection = {
  fields: new Set(['text']),
  totalCount: true,
  facets: true,
  items: true,
};
const read = (viewer: Viewer, query: PostListQuery, selection = ALL): Promise<PostPage> =>
  store.list(viewer, query, selection);
const idsOf = (list: readonly { id: string }[]): string[] => list.map((post) => post.id);

test('the reader in SQL and the one in memory give the same posts in the same order, the same totals and the same facets', async () => {
  await fc.assert(
    fc.asyncProperty(viewing, filters, orders, async (who, filter, order) => {
      const viewer = viewers[who]!;
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

/** Every window of a list, one after another, from either end. */
async function walk(
  viewer: Viewer,
  query: Pick<PostListQuery, 'filter' | 'order'>,
  limit: number,
  fromEnd: boolean,
): Promise<string[]> {
  const found: string[] = [];
  let place: PostPosition | undefined;
  for (;;) {
    const slice: PostSlice = {
      kind: 'window',
      limit,
      fromEnd,
      ...(place && (fromEnd ? { before: place } : { after: place })),
    };
    const page = await read(viewer, { ...query, slice }, { ...ALL, facets: false });
    if (fromEnd) found.unshift(...idsOf(page.posts));
    else found.push(...idsOf(page.posts));
    expect(fromEnd ? page.hasNextPage : page.hasPreviousPage).toBe(place !== undefined);
    if (!(fromEnd ? page.hasPreviousPage : page.hasNextPage)) return found;
    expect(page.posts).toHaveLength(limit);
    const edge = page.posts.at(fromEnd ? 0 : -1)!;
    place = {
      at: query.order.field === 'created_at' ? edge.createdAt : edge.scheduledAt,
      id: edge.databaseId,
    };
  }
}

test('windows of any size, from either end, make the whole list without a gap or a repeat', async () => {
  await fc.assert(
    fc.asyncProperty(
      viewing,
      filters,
      orders,
      fc.integer({ min: 7, max: 40 }),
      fc.boolean(),
      async (who, filter, order, limit, fromEnd) => {
        const viewer = viewers[who]!;
        expect(await walk(viewer, { filter, order }, limit, fromEnd)).toEqual(
          idsOf(listed(posts, viewer, { filter, order })),
        );
      },
    ),
    { numRuns: 80, seed: 2 },
  );
});

test('a window between two places has what lies between them, and neither of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      filters,
      orders,
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      async (filter, order, one, other, fromEnd) => {
        const whole = listed(posts, viewers[0]!, { filter, order });
        fc.pre(whole.length > 2);
        const [first, last] = [one % whole.length, other % whole.length].sort((a, b) => a - b) as [
          number,
          number,
        ];
        const place = (post: Post): PostPosition => ({
          at: order.field === 'created_at' ? post.createdAt : post.scheduledAt,
          id: post.databaseId,
        });
        const slice: PostSlice = {
          kind: 'window',
          limit: 1000,
          fromEnd,
          after: place(whole[first]!),
          before: place(whole[last]!),
        };
        expect(idsOf((await read(viewers[0]!, { filter, order, slice })).posts)).toEqual(
          idsOf(whole.slice(first + 1, last)),
        );
      },
    ),
    { numRuns: 60, seed: 3 },
  );
});

test('numbered pages make the whole list; a page past the end is empty and still knows the total', async () => {
  await fc.assert(
    fc.asyncProperty(
      viewing,
      filters,
      orders,
      fc.integer({ min: 5, max: 50 }),
      async (who, filter, order, perPage) => {
        const viewer = viewers[who]!;
        const expected = idsOf(listed(posts, viewer, { filter, order }));
        const found: string[] = [];
        for (let page = 0; page <= Math.ceil(expected.length / perPage); page++) {
          const one = await read(
            viewer,
            { filter, order, slice: { kind: 'page', page, perPage } },
            { ...ALL, facets: false },
          );
          expect(one.totalCount).toBe(expected.length);
          found.push(...idsOf(one.posts));
        }
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 40, seed: 4 },
  );
  const order: PostOrder = { field: 'scheduled_at', direction: 'desc' };
  for (const viewer of viewers) {
    // private drafts among them, and far pages
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
    order: { field: 'scheduled_at', direction: 'desc' },
    slice: { kind: 'page', page: 2_147_483_647, perPage: 10 },
  });
  expect([far.posts, far.totalCount]).toEqual([
    [],
    listed(posts, viewers[0]!, { filter: {}, order: { field: 'scheduled_at', direction: 'desc' } })
      .length,
  ]);
});

test('without orderBy the newest come first, ties by id descending, undated last', async () => {
  const slice: PostSlice = { kind: 'window', limit: 1000, fromEnd: false };
  const { posts: found } = await read(viewers[0]!, {
    filter: {},
    order: { field: 'scheduled_at', direction: 'desc' },
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

test('occurrences of several series are one window each', async () => {
  const [other, childless] = posts.filter(
    (post) => post.cell === 'recurring' && post.id !== series.id,
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

test('others’ private drafts are nowhere, by whatever way they are asked for', async () => {
  const [owner, editor] = viewers as [Viewer, Viewer];
  const hidden = posts.filter(
    (post) => post.cell.startsWith('draft_private') && post.creatorId === editor.user.id,
  );
  expect(hidden.length).toBeGreaterThan(3);
  const slice: PostSlice = { kind: 'window', limit: 1000, fromEnd: false };
  for (const filter of [
    {},
    { states: ['draft_private'] },
    { memberId: editor.user.id },
    { query: 'köln' },
    { accountIds: accounts.map((one) => one.id) },
    { labelIds: labels.map((one) => one.id) },
  ] as PostFilter[]) {
    const page = await read(owner, {
      filter,
      order: { field: 'scheduled_at', direction: 'desc' },
      slice,
    });
    expect(page.posts.filter((post) => hidden.some((one) => one.id === post.id))).toEqual([]);
    expect(page.totalCount).toBe(posts.filter((post) => isListed(post, owner, filter)).length);
  }
  for (const post of hidden) {
    const [byNumber, byDocument] = [
      { kind: 'relational', id: post.databaseId } as const,
      { kind: 'document', id: post.id } as const,
    ];
    expect([
      (await store.find(owner, byNumber, ALL.fields)).kind,
      (await store.find(owner, byDocument, ALL.fields)).kind,
    ]).toEqual(['unknown', 'elsewhere']);
    expect((await store.findAll(owner, [byNumber, byDocument])).map((found) => found.kind)).toEqual(
      ['unknown', 'elsewhere'],
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

test('a post of another workspace: its document id exists elsewhere, its relational id is unknown', async () => {
  const foreign = posts.at(-1)!;
  const ids = [
    { kind: 'relational', id: foreign.databaseId },
    { kind: 'document', id: foreign.id },
    { kind: 'document', id: 'f'.repeat(24) },
    null,
  ] as const;
  expect((await store.findAll(viewers[0]!, ids)).map((found) => found.kind)).toEqual([
    'unknown',
    'elsewhere',
    'unknown',
    'unknown',
  ]);
  expect((await store.byDocumentId(viewers[0]!, [foreign.id])).size).toBe(0);
});

test('a list is one statement, with facets two, whatever is selected, once what its posts lead to is known; a detail is one', async () => {
  const fields = new Set(Object.keys(series) as (keyof Post)[]);
  const query: PostListQuery = {
    filter: { states: ['scheduled', 'draft'], query: 'köln' },
    order: { field: 'scheduled_at', direction: 'asc' },
    slice: { kind: 'window', limit: 50, fromEnd: false },
  };
  await read(viewers[0]!, query, { fields, totalCount: true, facets: true, items: true });
  const countOf = async (work: () => Promise<unknown>): Promise<number> =>
    (await statementsOf(work)).statements.length;
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

test('a total alone brings no posts', async () => {
  const page = await read(
    viewers[0]!,
    {
      filter: {},
      order: { field: 'scheduled_at', direction: 'desc' },
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
      order: { field: 'scheduled_at', direction: 'desc' },
    }).length,
  });
});

test('what is selected is read, and what is read is what was saved', async () => {
  const { posts: found } = await read(
    viewers[0]!,
    {
      filter: { states: ['scheduled'] },
      order: { field: 'scheduled_at', direction: 'desc' },
      slice: { kind: 'window', limit: 5, fromEnd: false },
    },
    { ...ALL, facets: false },
  );
  for (const post of found) {
    const saved = posts.find((one) => one.id === post.id)!;
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
