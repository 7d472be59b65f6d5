import type { PostFilter, PostSelection, PostSlice } from '../../../src/domain/posts/post-query.js';
import { recordStatements, type Statement } from '../../fixtures/statements.js';
import { readerContentOf } from '../../../src/domain/posts/reader-content.js';
import { aPost } from '../../fixtures/posts.js';
import { testServices } from '../../fixtures/services.js';
import { aLargeWorkspace, FILLED, type LargeWorkspace } from './large-workspace.js';
import {
  COUNTED,
  FEW,
  FIELDS,
  FIRST,
  LIST_PLANS,
  NEWEST,
  UNCOUNTED,
  WINDOW,
  type ExpectedPlan,
} from './list-plan-cases.js';
import { planOf } from './plans.js';

let large: LargeWorkspace;
beforeAll(async () => {
  large = await aLargeWorkspace();
});
afterAll(() => large?.shop.database.drop());

const LARGE: ReadonlySet<string> = new Set(FILLED);
const expectPlans = async (work: () => Promise<unknown>, expected: ExpectedPlan): Promise<void> =>
  expectPlansOf((await recordStatements(work)).statements, expected);

async function expectPlansOf(
  statements: readonly Statement[],
  { indexes, rows, sorted = 2 * FEW }: ExpectedPlan,
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

describe('with its generic plan, a list of 100,000 posts reads only the rows of a window:', () => {
  it.each(LIST_PLANS)('%s', async (name, filter, more, selection, expected) => {
    const listFilter = name.startsWith('a label') ? { labelIds: [large.label.id] } : filter;
    await expectPlans(
      () =>
        large.shop.store.list(
          large.owner,
          { filter: listFilter, order: NEWEST, slice: FIRST, ...more },
          selection,
        ),
      expected,
    );
  });

  it('an account, and a member', async () => {
    const list = (filter: PostFilter) => () =>
      large.shop.store.list(large.owner, { filter, order: NEWEST, slice: FIRST }, UNCOUNTED);
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

describe('other queries read no more rows than they need:', () => {
  const list = (filter: PostFilter, slice: PostSlice, selection: PostSelection) => () =>
    large.shop.store.list(large.owner, { filter, order: NEWEST, slice }, selection);

  it('a term of 5,000 posts, each by its key', () =>
    expectPlans(list({ query: 'common7' }, FIRST, COUNTED), {
      indexes: ['post_search_lexemes_idx', 'post_pkey'],
      rows: 5_000,
    }));

  it('page 1,000 of v1 reads the index entries before it, and sorts only the private drafts', () =>
    expectPlans(list({}, { kind: 'page', page: 1_000, perPage: 10 }, COUNTED), {
      indexes: ['post_sort_idx', 'post_count_pkey'],
      rows: 2 * 10_010,
      sorted: 3_400,
    }));

  it.each<[string, () => PostFilter]>([
    ['an account', () => ({ accountIds: [large.account.id] })],
    ['a network', () => ({ networks: ['mastodon'] })],
    ['a type', () => ({ types: ['status'] })],
    [
      'an account, a type and a state',
      () => ({ accountIds: [large.account.id], types: ['status'], states: ['scheduled'] }),
    ],
  ])('the total of %s reads the stored counts', (_name, filter) =>
    expectPlans(list(filter(), FIRST, { ...COUNTED, items: false }), {
      indexes: ['post_count_detail_pkey'],
      rows: 100,
    }),
  );

  it('the total of an account since a date reads its index entries', () =>
    expectPlans(
      list({ accountIds: [large.account.id], from: new Date(0) }, FIRST, {
        ...COUNTED,
        items: false,
      }),
      { indexes: ['post_account_idx'], rows: 20_000 },
    ));

  it('the total of posts with much engagement reads these posts only', () =>
    expectPlans(list({ minEngagement: 980 }, FIRST, { ...COUNTED, items: false }), {
      indexes: ['post_analytics_engagement_idx', 'post_pkey'],
      rows: 2_000,
    }));

  it('a total alone reads the stored counts', () =>
    expectPlans(list({}, FIRST, { ...COUNTED, items: false }), {
      indexes: ['post_count_pkey'],
      rows: 100,
    }));
});

test('before the tables are analyzed, posts of a search term are read by key too', async () => {
  const shop = await testServices();
  const owner = await shop.aViewer();
  for (let n = 0; n < 200; n += 1)
    await shop.aPost({
      by: owner,
      storedState: n % 5 === 0 ? 'published_posted' : 'scheduled',
      text: `Word ${n}`,
    });
  const { statements } = await recordStatements(() =>
    shop.store.list(
      owner,
      { filter: { query: 'word', states: ['published'] }, order: NEWEST, slice: FIRST },
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
  await expectPlans(() => shop.store.find(owner, { kind: 'database', id: 2_000 }, FIELDS), {
    indexes: ['post_pkey', 'post_body_pkey'],
    rows: 1,
  });
});

test('the occurrences of a series read one window of its posts', () =>
  expectPlans(
    () =>
      large.shop.store.occurrences(
        large.owner,
        [2],
        { filter: {}, order: NEWEST, slice: FIRST },
        UNCOUNTED,
      ),
    { indexes: ['post_parent_idx'], rows: FEW },
  ));

test('the total of occurrences is counted once, not for each returned row', () =>
  // 5,000 occurrences
  expectPlans(
    () =>
      large.shop.store.occurrences(
        large.owner,
        [2],
        { filter: {}, order: NEWEST, slice: FIRST },
        COUNTED,
      ),
    { indexes: ['post_parent_idx'], rows: 5_000 + FEW },
  ));

/** Without the notification of event streams, which several changes share. */
async function recordChange(work: () => Promise<unknown>): Promise<Statement[]> {
  const { statements } = await recordStatements(work);
  return statements.filter(({ text }) => !text.startsWith('SELECT pg_notify'));
}

test('the search for duplicates of new posts reads the posts of their accounts on those days', async () => {
  const { shop, account } = large;
  const candidates = Array.from({ length: WINDOW }, (_, n) => ({
    postId: 'f'.repeat(24),
    accountId: account.id,
    at: new Date(Date.UTC(2026, 1, 1 + n)),
    content: readerContentOf(aPost({ text: `Number ${n}` })),
  }));
  await expectPlans(() => shop.store.findDuplicates(candidates), {
    indexes: ['post_account_idx', 'post_body_pkey'],
    rows: WINDOW * 288, // of each account, 144 posts a day
  });
});

describe('a change', () => {
  const idOf = (n: number): string => n.toString(16).padStart(24, '0');

  it('of a text is one statement besides the one that reads the post, and both use keys', async () => {
    const { shop, owner } = large;
    await shop.update(
      owner,
      { id: idOf(40_002) },
      { text: 'The first change fills the cache of related rows' },
    );
    const statements = await recordChange(() =>
      shop.update(owner, { id: idOf(40_002) }, { text: 'Another text' }),
    );
    expect(statements).toHaveLength(2);
    await expectPlansOf(statements, {
      indexes: ['post_doc_id_key', 'post_pkey', 'post_body_pkey', 'post_search_pkey'],
      rows: 2,
    });
  });

  it('that deletes 25 posts is one statement besides the one that reads them, and both use keys', async () => {
    const { shop, owner } = large;
    // no series among them
    const ids = Array.from({ length: WINDOW }, (_, n) => idOf(50_000 + 20 * n));
    const statements = await recordChange(() => shop.remove(owner, ids));
    expect(statements).toHaveLength(2);
    await expectPlansOf(statements, {
      indexes: ['post_doc_id_key', 'post_pkey', 'cap_slot_post_id_idx'],
      rows: WINDOW,
    });
  });
});
