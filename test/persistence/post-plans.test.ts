import type {
  PostFilter,
  PostListQuery,
  PostOrder,
  PostSelection,
  PostSlice,
} from '../../src/domain/posts/post-query.js';
import type { Post } from '../../src/domain/posts/post.js';
import { statementsOf, type Statement } from '../fixtures/statements.js';
import { aWorkshop } from '../fixtures/services.js';
import { aLargeWorkspace, FILLED, type LargeWorkspace } from './large-workspace.js';
import { planOf } from './plans.js';

let large: LargeWorkspace;
beforeAll(async () => {
  large = await aLargeWorkspace();
}, 120_000);
afterAll(() => large?.shop.database.drop());

const LARGE: ReadonlySet<string> = new Set(FILLED);
const WINDOW = 25;
const NEWEST: PostOrder = { field: 'scheduled_at', direction: 'desc' };
const FIELDS: ReadonlySet<keyof Post> = new Set<keyof Post>([
  'text',
  'account',
  'user',
  'labels',
  'media',
]);
const first: PostSlice = { kind: 'window', limit: WINDOW, fromEnd: false };
const deep: PostSlice = { ...first, after: { at: new Date('2026-02-20T00:00:00Z'), id: 72_000 } };
const COUNTED: PostSelection = { fields: FIELDS, totalCount: true, facets: false, items: true };
const UNCOUNTED = { ...COUNTED, totalCount: false };

/** What a statement's plan comes to. `rows`: the most that it may read, over all its steps each; `sorted`: that it may sort, a few where nothing is said. */
interface Expected {
  readonly indexes: readonly string[];
  readonly rows: number;
  readonly sorted?: number;
}
/** A window's worth: every post with its parts, from each of a few walks. */
const FEW = 300;

const expectPlans = async (work: () => Promise<unknown>, expected: Expected): Promise<void> =>
  expectPlansOf((await statementsOf(work)).statements, expected);

async function expectPlansOf(
  statements: readonly Statement[],
  { indexes, rows, sorted = 2 * FEW }: Expected,
): Promise<void> {
  const plans = await Promise.all(
    statements.map((statement) => planOf(large.shop.database.pool, statement)),
  );
  const nodes = plans.flat().filter(({ relation }) => relation === null || LARGE.has(relation));
  expect(nodes.filter(({ type }) => type === 'Seq Scan')).toEqual([]);
  expect(nodes.filter((node) => node.rows > rows)).toEqual([]);
  expect(nodes.filter((node) => node.type.includes('Sort') && node.rows > sorted)).toEqual([]);
  expect(nodes.map(({ index }) => index)).toEqual(expect.arrayContaining([...indexes]));
}

describe('by the plan that it has for all values, a list of 100,000 posts reads a window’s worth of rows:', () => {
  it.each<[string, PostFilter, Partial<PostListQuery>, PostSelection, Expected]>([
    [
      'all, with their number',
      {},
      {},
      COUNTED,
      {
        indexes: ['post_sort_idx', 'post_creator_idx', 'post_count_pkey', 'post_body_pkey'],
        rows: FEW,
      },
    ],
    [
      'all, at a far cursor',
      {},
      { slice: deep },
      COUNTED,
      { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
    ],
    [
      'all, the last ones',
      {},
      { slice: { ...first, fromEnd: true } },
      COUNTED,
      { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
    ],
    [
      'all, oldest first',
      {},
      { order: { field: 'scheduled_at', direction: 'asc' } },
      COUNTED,
      { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
    ],
    [
      'all, oldest first, among those without a date',
      {},
      {
        order: { field: 'scheduled_at', direction: 'asc' },
        slice: { ...first, after: { at: null, id: 150_000 } },
      },
      COUNTED,
      { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
    ],
    [
      'all, oldest first, the last ones before one without a date',
      {},
      {
        order: { field: 'scheduled_at', direction: 'asc' },
        slice: { ...first, fromEnd: true, before: { at: null, id: 50_000 } },
      },
      COUNTED,
      { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
    ],
    [
      'all, by when they were made',
      {},
      { order: { field: 'created_at', direction: 'desc' } },
      COUNTED,
      { indexes: ['post_created_idx'], rows: FEW },
    ],
    [
      'all, in v1',
      {},
      { slice: { kind: 'page', page: 0, perPage: 10 } },
      COUNTED,
      { indexes: ['post_sort_idx', 'post_count_pkey'], rows: FEW },
    ],
    [
      'one state',
      { states: ['scheduled'] },
      {},
      COUNTED,
      { indexes: ['post_cell_idx', 'post_count_pkey'], rows: FEW },
    ],
    [
      'one state, at a far cursor',
      { states: ['scheduled'] },
      { slice: deep },
      COUNTED,
      { indexes: ['post_cell_idx'], rows: FEW },
    ],
    [
      'several states',
      { states: ['published', 'draft', 'failed'] },
      {},
      COUNTED,
      { indexes: ['post_cell_idx', 'post_creator_idx', 'post_count_pkey'], rows: FEW },
    ],
    [
      'a state without a post',
      { states: ['recycling'] },
      {},
      COUNTED,
      { indexes: ['post_cell_idx', 'post_count_pkey'], rows: FEW },
    ],
    [
      'the viewer’s private drafts',
      { states: ['draft_private'] },
      {},
      COUNTED,
      { indexes: ['post_creator_idx', 'post_count_pkey'], rows: FEW },
    ],
    [
      'a stretch of time',
      { from: new Date('2026-02-01T00:00:00Z'), to: new Date('2026-03-01T00:00:00Z') },
      {},
      UNCOUNTED,
      { indexes: ['post_sort_idx'], rows: FEW },
    ],
    [
      'a type and a network',
      { types: ['status'], networks: ['mastodon'] },
      {},
      UNCOUNTED,
      { indexes: ['post_sort_idx'], rows: FEW },
    ],
    [
      'without a word',
      { query: '-rare7' },
      {},
      UNCOUNTED,
      { indexes: ['post_sort_idx', 'post_search_pkey'], rows: FEW },
    ],
    [
      'a word of one post in a thousand',
      { query: 'rare7' },
      {},
      COUNTED,
      { indexes: ['post_search_tokens_idx', 'post_pkey'], rows: FEW },
    ],
    [
      'a word of one post in a thousand, in one state',
      { query: 'rare7', states: ['scheduled'] },
      {},
      COUNTED,
      { indexes: ['post_search_tokens_idx', 'post_pkey'], rows: FEW },
    ],
    [
      'a label of 333 posts',
      {},
      {},
      COUNTED,
      { indexes: ['post_label_pkey', 'post_pkey'], rows: 2 * FEW },
    ],
  ])('%s', async (name, filter, more, selection, expected) => {
    const asked = name.startsWith('a label') ? { labelIds: [large.label.id] } : filter;
    await expectPlans(
      () =>
        large.shop.store.list(
          large.owner,
          { filter: asked, order: NEWEST, slice: first, ...more },
          selection,
        ),
      expected,
    );
  });

  it('those of an account, and those of a member', async () => {
    const list = (filter: PostFilter) => () =>
      large.shop.store.list(large.owner, { filter, order: NEWEST, slice: first }, UNCOUNTED);
    await expectPlans(list({ accountIds: [large.account.id] }), {
      indexes: ['post_account_idx'],
      rows: FEW,
    });
    await expectPlans(list({ memberId: large.editor.user.id }), {
      indexes: ['post_creator_idx'],
      rows: 2 * FEW,
    });
  });
});

describe('what has to read more reads no more than that:', () => {
  const list = (filter: PostFilter, slice: PostSlice, selection: PostSelection) => () =>
    large.shop.store.list(large.owner, { filter, order: NEWEST, slice }, selection);

  it('a word of 5,000 posts, each by its key', () =>
    expectPlans(list({ query: 'common7' }, first, COUNTED), {
      indexes: ['post_search_tokens_idx', 'post_pkey'],
      rows: 5_000,
    }));

  it('page 1,000 of v1, the entries before it, of which it sorts the private drafts alone', () =>
    expectPlans(list({}, { kind: 'page', page: 1_000, perPage: 10 }, COUNTED), {
      indexes: ['post_sort_idx', 'post_count_pkey'],
      rows: 2 * 10_010,
      sorted: 3_400,
    }));

  it('the number of an account’s posts, its entries', () =>
    expectPlans(list({ accountIds: [large.account.id] }, first, { ...COUNTED, items: false }), {
      indexes: ['post_account_idx'],
      rows: 20_000,
    }));

  it('a number alone, the counts', () =>
    expectPlans(list({}, first, { ...COUNTED, items: false }), {
      indexes: ['post_count_pkey'],
      rows: 100,
    }));
});

test('before PostgreSQL has looked at the tables, what a word leads to is read by key all the same', async () => {
  const shop = await aWorkshop();
  const owner = await shop.aViewer();
  for (let n = 0; n < 200; n += 1)
    await shop.aPost({
      by: owner,
      cell: n % 5 === 0 ? 'published_posted' : 'scheduled',
      text: `Word ${n}`,
    });
  const { statements } = await statementsOf(() =>
    shop.store.list(
      owner,
      { filter: { query: 'word', states: ['published'] }, order: NEWEST, slice: first },
      COUNTED,
    ),
  );
  const nodes = await planOf(shop.database.pool, statements[0]!);
  await shop.database.drop();
  expect(nodes.filter(({ relation }) => relation === 'post').map(({ index }) => index)).toEqual([
    'post_pkey',
    'post_pkey',
  ]);
});

test('a detail, and 25 posts by their ids, are read by key', async () => {
  const { shop, owner } = large;
  const ids = Array.from({ length: WINDOW }, (_, n) =>
    (2_000 + 2 * n).toString(16).padStart(24, '0'),
  );
  await expectPlans(() => shop.store.find(owner, { kind: 'document', id: ids[0]! }, FIELDS), {
    indexes: ['post_doc_id_key', 'post_body_pkey'],
    rows: 1,
  });
  await expectPlans(
    () =>
      shop.store.findAll(
        owner,
        ids.map((id) => ({ kind: 'document', id })),
      ),
    { indexes: ['post_doc_id_key', 'post_body_pkey'], rows: WINDOW },
  );
  await expectPlans(() => shop.store.find(owner, { kind: 'relational', id: 2_000 }, FIELDS), {
    indexes: ['post_pkey', 'post_body_pkey'],
    rows: 1,
  });
});

test('the occurrences of a series are a window of its own posts', () =>
  expectPlans(
    () =>
      large.shop.store.occurrences(
        large.owner,
        [2],
        { filter: {}, order: NEWEST, slice: first },
        UNCOUNTED,
      ),
    { indexes: ['post_parent_idx'], rows: FEW },
  ));

test('the number of occurrences is counted once, not for each that is shown', () =>
  // 5,000 children
  expectPlans(
    () =>
      large.shop.store.occurrences(
        large.owner,
        [2],
        { filter: {}, order: NEWEST, slice: first },
        COUNTED,
      ),
    { indexes: ['post_parent_idx'], rows: 5_000 + FEW },
  ));

describe('a change', () => {
  const idOf = (n: number): string => n.toString(16).padStart(24, '0');

  it('of a text is one statement beside the one that reads the post, and both go by key', async () => {
    const { shop, owner } = large;
    await shop.update(
      owner,
      { id: idOf(40_002) },
      { text: 'A first change has labels and accounts remembered' },
    );
    const { statements } = await statementsOf(() =>
      shop.update(owner, { id: idOf(40_002) }, { text: 'Another text' }),
    );
    expect(statements).toHaveLength(2);
    await expectPlansOf(statements, {
      indexes: ['post_doc_id_key', 'post_pkey', 'post_body_pkey', 'post_search_pkey'],
      rows: 2,
    });
  });

  it('of 25 posts that go is one statement beside the one that reads them, and both go by key', async () => {
    const { shop, owner } = large;
    const ids = Array.from({ length: WINDOW }, (_, n) => idOf(50_000 + 20 * n)); // no series among them
    const { statements } = await statementsOf(() => shop.remove(owner, ids));
    expect(statements).toHaveLength(2);
    await expectPlansOf(statements, {
      indexes: ['post_doc_id_key', 'post_pkey', 'cap_slot_post_id_idx'],
      rows: WINDOW,
    });
  });
});
