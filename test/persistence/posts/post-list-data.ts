import fc from 'fast-check';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { NETWORKS, type Network } from '../../../src/domain/networks/networks.js';
import { toAnalytics } from '../../../src/domain/numbers/numbers.js';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import type {
  PostFilter,
  PostListQuery,
  PostOrder,
  PostPage,
  PostSelection,
} from '../../../src/domain/posts/post-query.js';
import {
  POST_STATES,
  STORED_STATES,
  STATE_FILTERS,
  type StoredState,
} from '../../../src/domain/posts/states.js';
import { ORDER_FIELDS, POST_TYPES, enumKeys } from '../../../src/domain/enums.js';
import { createPostStore, type PostStore } from '../../../src/persistence/posts/post-store.js';
import { recordsIn, type Records } from '../../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import type { Label } from '../../../src/domain/posts/post-content.js';

const STORED_STATE_NAMES = enumKeys(STORED_STATES) as readonly StoredState[];
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
  'Frau Mueller aus 서울에서',
  'الكتاب הספר',
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
  'mor',
  '"mor"',
  '-mor koe',
  'Müller 서울',
  '"서울" كتاب',
  'ספר',
];
const NOW = Date.parse('2026-11-21T00:00:00Z');
const HOUR = 3_600_000;
const POSTS = 260;

/** Random posts of a workspace and one post of another workspace. */
export interface PostListData {
  readonly database: TestDatabase;
  readonly store: PostStore;
  /** The last post belongs to another workspace. */
  readonly posts: readonly Post[];
  /** Owner, editor and viewer of the workspace, and a user outside it. */
  readonly viewers: readonly Viewer[];
  readonly accounts: readonly Account[];
  readonly labels: readonly Label[];
  readonly series: Post;
}

export async function createPostListData(): Promise<PostListData> {
  const database = await testDatabase();
  const records = recordsIn(database);
  const owner = await records.aViewer();
  const workspaceId = owner.workspace.id;
  const editor = await records.aViewer({ workspaceId, name: 'Ed' });
  const nonMember = await records.aViewer();
  const viewer = await records.aViewer({ workspaceId, role: 'viewer' });
  const accounts = await Promise.all(
    NETWORK_NAMES.map((network) =>
      records.anAccount({ workspaceId, network, type: NETWORKS[network].accountTypes[0] }),
    ),
  );
  const labels = await Promise.all(
    ['a', 'b', 'Ä'].map((name) => records.aLabel({ workspaceId, name })),
  );
  const series = await records.aPost({
    by: owner,
    storedState: 'recurring',
    account: accounts[0]!,
    text: 'Series',
  });
  return {
    database,
    store: createPostStore(database),
    posts: [
      series,
      ...(await createRandomPosts(records, {
        creators: [owner, editor],
        accounts,
        labels,
        series,
      })),
      await records.aPost({ by: nonMember, text: TEXTS[0]!, scheduledAt: new Date(NOW) }),
    ],
    viewers: [owner, editor, viewer, nonMember],
    accounts,
    labels,
    series,
  };
}

const GROUPS = ['grp_a', 'grp_b'] as const;

interface PostParts extends Pick<PostListData, 'accounts' | 'labels' | 'series'> {
  readonly creators: readonly Viewer[];
}

async function createRandomPosts(
  records: Records,
  { creators, accounts, labels, series }: PostParts,
): Promise<Post[]> {
  const samples = fc.sample(
    fc.record({
      storedState: fc.constantFrom(...STORED_STATE_NAMES),
      type: fc.constantFrom(...enumKeys(POST_TYPES)),
      text: fc.constantFrom(...TEXTS),
      title: fc.constantFrom(null, 'Köln', 'Sale'),
      question: fc.constantFrom(null, null, 'Morgen in Köln?'),
      account: fc.constantFrom(...accounts),
      hasAccount: fc.boolean(),
      creator: fc.constantFrom(...creators),
      hour: fc.integer({ min: -6, max: 6 }),
      createdHour: fc.integer({ min: 0, max: 5 }),
      labels: fc.subarray([...labels]),
      isChild: fc.boolean(),
      groupId: fc.constantFrom(null, ...GROUPS),
      likes: fc.constantFrom(null, undefined, 0, 1, 5, 5, 70),
    }),
    { numRuns: POSTS, seed: 14 },
  );
  const posts: Post[] = [];
  for (const sample of samples) {
    const {
      storedState,
      account,
      hasAccount,
      creator,
      hour,
      createdHour,
      isChild,
      likes,
      ...rest
    } = sample;
    const isDraft = storedState.startsWith('draft');
    posts.push(
      await records.aPost({
        ...rest,
        by: creator,
        storedState,
        account: isDraft && !hasAccount ? null : account,
        createdAt: new Date(NOW + createdHour * HOUR),
        // Neither a post without numbers nor one whose network counts nothing of it has engagement.
        analytics: likes === undefined ? null : toAnalytics({ likes }, new Date(NOW)),
        ...(storedState.endsWith('undated') ? {} : { scheduledAt: new Date(NOW + hour * HOUR) }),
        ...(isChild && storedState.startsWith('scheduled') ? { parentId: series.databaseId } : {}),
      }),
    );
  }
  return posts;
}

const filterFields = fc.record({
  states: fc.array(fc.constantFrom(...enumKeys(STATE_FILTERS)), { maxLength: 3 }),
  exactStates: fc.array(fc.constantFrom(...enumKeys(POST_STATES)), { maxLength: 3 }),
  types: fc.array(fc.constantFrom(...enumKeys(POST_TYPES)), { maxLength: 6 }),
  networks: fc.array(fc.constantFrom(...NETWORK_NAMES), { maxLength: 2 }),
  account: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  member: fc.nat({ max: 3 }),
  label: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
  from: fc.integer({ min: -7, max: 7 }),
  to: fc.integer({ min: -7, max: 7 }),
  query: fc.constantFrom(...QUERIES),
  inSeries: fc.boolean(),
  groupIds: fc.subarray<string>([...GROUPS, 'grp_unknown']),
  minEngagement: fc.constantFrom(0, 1, 5, 71),
});
type FilterField = typeof filterFields extends fc.Arbitrary<infer P> ? keyof P : never;
const FIELD_NAMES: FilterField[] = [
  'states',
  'exactStates',
  'types',
  'networks',
  'account',
  'member',
  'label',
  'from',
  'to',
  'query',
  'inSeries',
  'groupIds',
  'minEngagement',
];
/**
 * Filters with at most three fields: with more of them, few posts would match. `data` is read when
 * a filter is generated.
 */
export const createFilters = (data: () => PostListData): fc.Arbitrary<PostFilter> =>
  fc
    .tuple(filterFields, fc.subarray(FIELD_NAMES, { maxLength: 3 }))
    .map(
      ([all, names]) =>
        Object.fromEntries(names.map((name) => [name, all[name]])) as Partial<typeof all>,
    )
    .map(({ account, member, label, from, to, inSeries, ...rest }) => ({
      ...rest,
      ...(account && { accountIds: account.map((at) => data().accounts[at]?.id ?? 'acc_unknown') }),
      ...(member !== undefined && { memberId: data().viewers[member]?.user.id ?? 'usr_unknown' }),
      ...(label && { labelIds: label.map((at) => data().labels[at]?.id ?? 'lbl_unknown') }),
      ...(from !== undefined && { from: new Date(NOW + from * HOUR) }),
      ...(to !== undefined && { to: new Date(NOW + to * HOUR) }),
      ...(inSeries === true && { parentId: data().series.databaseId }),
    }));
export const orders: fc.Arbitrary<PostOrder> = fc.record({
  field: fc.constantFrom(...enumKeys(ORDER_FIELDS)),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
});
/** Index of a viewer. */
export const viewerIndexes = fc.nat({ max: 3 });

export const ALL: PostSelection = {
  fields: new Set(['text']),
  totalCount: true,
  facets: true,
  items: true,
};
export const NEWEST: PostOrder = { field: 'scheduled_at', direction: 'desc' };
export type ReadPage = (
  viewer: Viewer,
  query: PostListQuery,
  selection?: PostSelection,
) => Promise<PostPage>;
export const idsOf = (list: readonly { id: string }[]): string[] => list.map((post) => post.id);
