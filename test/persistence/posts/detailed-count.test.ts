import fc from 'fast-check';
import pg from 'pg';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import type { PostType } from '../../../src/domain/enums.js';
import type { Account } from '../../../src/domain/posts/post.js';
import type { PostFilter } from '../../../src/domain/posts/post-query.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import { ACTUAL_DETAILED_COUNTS, KEPT_DETAILED_COUNTS } from '../../fixtures/kept-counts.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { recordStatements } from '../../fixtures/statements.js';

const STATES: readonly StoredState[] = [
  'scheduled',
  'published_posted',
  'draft_undated',
  'draft_private_undated',
  'failed',
];
const TYPES: readonly PostType[] = ['status', 'link', 'photo'];

let shop: TestServices;
let owner: Viewer;
let editor: Viewer;
let accounts: Account[];
let foreign: Account;
beforeAll(async () => {
  shop = await testServices();
  owner = await shop.aViewer();
  editor = await shop.aViewer({ workspaceId: owner.workspace.id });
  accounts = await Promise.all(
    (['mastodon', 'mastodon', 'facebook', 'bluesky'] as const).map((network) =>
      shop.anAccount({ workspaceId: owner.workspace.id, network }),
    ),
  );
  const stranger = await shop.aViewer();
  foreign = await shop.anAccount({ workspaceId: stranger.workspace.id });
  await shop.aPost({ by: stranger, account: foreign });
  for (let n = 0; n < 60; n += 1) {
    const account = accounts[n % 5] ?? null;
    const storedState = STATES[(n % 7) % 5]!;
    await shop.aPost({
      by: n % 3 === 0 ? editor : owner,
      storedState: account ? storedState : 'draft_undated',
      type: TYPES[n % 3]!,
      ...(account ? { account } : {}),
    });
  }
});
afterAll(() => shop.database.drop());

const listOf = async (viewer: Viewer, filter: PostFilter) =>
  shop.store.list(
    viewer,
    {
      filter,
      order: { field: 'created_at', direction: 'asc' },
      slice: { kind: 'window', limit: 500, fromEnd: false },
    },
    { fields: new Set(), totalCount: true, facets: false, items: true },
  );
const fold = (): Promise<unknown> =>
  shop.sql('SELECT fold_post_counts(array_agg(id)) FROM workspace');
const hasCorrectCounts = async (): Promise<void> =>
  expect(await shop.sql(KEPT_DETAILED_COUNTS)).toEqual(await shop.sql(ACTUAL_DETAILED_COUNTS));

const someOf = <T>(values: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...values]);
const filters = (): fc.Arbitrary<PostFilter> =>
  fc.record({
    states: someOf(['scheduled', 'published', 'draft', 'draft_private', 'failed', 'all'] as const),
    types: someOf([...TYPES, 'poll'] as const),
    networks: someOf(['mastodon', 'facebook', 'telegram'] as const),
    accountIds: someOf([...accounts, foreign].map(({ id }) => id)),
  });

test('the total of each filter is the number of its posts, before and after changes are folded', async () => {
  const totalsAreRight = () =>
    fc.assert(
      fc.asyncProperty(filters(), fc.boolean(), async (filter, isOwner) => {
        const page = await listOf(isOwner ? owner : editor, filter);
        expect(page.totalCount).toBe(page.posts.length);
      }),
      { numRuns: 150, seed: 20 },
    );
  await totalsAreRight();
  await fold();
  expect(await shop.sql('SELECT FROM post_count_change')).toEqual([]);
  await hasCorrectCounts();
  await totalsAreRight();
});

test.each<[string, PostFilter, boolean]>([
  ['an account', { accountIds: ['acc_1'] }, true],
  ['a network and a type', { networks: ['mastodon'], types: ['status'] }, true],
  ['a type and a state', { types: ['status'], states: ['draft'] }, true],
  ['a network since a date', { networks: ['mastodon'], from: new Date(0) }, false],
  ['a type and a member', { types: ['status'], memberId: 'usr_1' }, false],
  ['a network and an excluded word', { networks: ['mastodon'], query: '-word' }, false],
])('a total of %s reads kept counts: %#', async (_name, filter, isKept) => {
  const { statements } = await recordStatements(() =>
    shop.store.list(
      owner,
      {
        filter,
        order: { field: 'scheduled_at', direction: 'desc' },
        slice: { kind: 'window', limit: 1, fromEnd: false },
      },
      { fields: new Set(), totalCount: true, facets: false, items: false },
    ),
  );
  const { text } = statements[0]!;
  expect(text.includes('post_count_detail')).toBe(isKept);
  expect(text.includes('FROM post p')).toBe(!isKept);
});

test('while a transaction folds the changes of a workspace, others add changes without waiting', async () => {
  const folding = new pg.Client({ connectionString: shop.database.url });
  await folding.connect();
  try {
    await fold();
    const post = await shop.aPost({ by: owner, account: accounts[0]! });
    await folding.query('BEGIN');
    await folding.query('SELECT fold_post_counts(array_agg(id)) FROM workspace');
    await shop.remove(owner, [post.id]);
    await shop.aPost({ by: owner, account: accounts[0]! });
    await fold(); // another transaction folds: the changes are left to a later one
    expect(await shop.sql('SELECT FROM post_count_change')).toHaveLength(3);
    await hasCorrectCounts();
    await folding.query('COMMIT');
    expect(await shop.sql('SELECT FROM post_count_change')).toHaveLength(2);
    await hasCorrectCounts();
    await fold();
    expect(await shop.sql('SELECT FROM post_count_change')).toEqual([]);
    await hasCorrectCounts();
  } finally {
    await folding.end();
  }
});

test('a statement that changes 4,000 counts adds them to the detailed counts', async () => {
  const { workspace, user } = await shop.aViewer();
  await shop.sql(
    "INSERT INTO account (id, workspace_id, network, type, name, social_id) SELECT 'acc_many' || n, $1, 'mastodon', 'page', 'Many', n FROM generate_series(1, 4000) n",
    workspace.id,
  );
  await shop.sql(
    "INSERT INTO post (doc_id, workspace_id, account_id, network, creator_id, stored_state, type) SELECT substr(md5(id), 1, 24), workspace_id, id, network, $2, 21, 'status' FROM account WHERE workspace_id = $1",
    workspace.id,
    user.id,
  );
  const rowsOf = (table: string) =>
    shop.sql(`SELECT FROM ${table} WHERE workspace_id = $1`, workspace.id);
  expect(await rowsOf('post_count_detail')).toHaveLength(4_001);
  expect(await rowsOf('post_count_change')).toEqual([]);
  await hasCorrectCounts();
});
