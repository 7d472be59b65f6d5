import type {
  PostFilter,
  PostListQuery,
  PostOrder,
  PostSelection,
  PostSlice,
} from '../../../src/domain/posts/post-query.js';
import type { Post } from '../../../src/domain/posts/post.js';

export const WINDOW = 25;
export const NEWEST: PostOrder = { field: 'scheduled_at', direction: 'desc' };
export const FIELDS: ReadonlySet<keyof Post> = new Set<keyof Post>([
  'text',
  'account',
  'user',
  'labels',
  'media',
]);
export const FIRST: PostSlice = { kind: 'window', limit: WINDOW, fromEnd: false };
export const DEEP: PostSlice = {
  ...FIRST,
  after: { at: new Date('2026-02-20T00:00:00Z'), id: 72_000 },
};
export const COUNTED: PostSelection = {
  fields: FIELDS,
  totalCount: true,
  facets: false,
  items: true,
};
export const UNCOUNTED = { ...COUNTED, totalCount: false };
const BY_ENGAGEMENT: PostOrder = { field: 'engagement', direction: 'desc' };
const WITH_ANALYTICS: PostSelection = {
  ...UNCOUNTED,
  fields: new Set<keyof Post>([...FIELDS, 'analytics']),
};

/**
 * Expected properties of a plan. `rows`: maximum rows read by any node over all loops; `sorted`:
 * maximum rows sorted by any node, by default a few.
 */
export interface ExpectedPlan {
  readonly indexes: readonly string[];
  readonly rows: number;
  readonly sorted?: number;
}
/** Rows of one window: every post with its relations, from each of a few index scans. */
export const FEW = 300;

type PlanCase = [string, PostFilter, Partial<PostListQuery>, PostSelection, ExpectedPlan];

/**
 * Lists that must read only the rows of one window. The label of the last case is set by the test.
 */
export const LIST_PLANS: PlanCase[] = [
  [
    'all, with the total',
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
    { slice: DEEP },
    COUNTED,
    { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
  ],
  [
    'all, the last ones',
    {},
    { slice: { ...FIRST, fromEnd: true } },
    COUNTED,
    { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
  ],
  [
    'all, oldest FIRST',
    {},
    { order: { field: 'scheduled_at', direction: 'asc' } },
    COUNTED,
    { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
  ],
  [
    'all, oldest FIRST, within the undated posts',
    {},
    {
      order: { field: 'scheduled_at', direction: 'asc' },
      slice: { ...FIRST, after: { at: null, id: 150_000 } },
    },
    COUNTED,
    { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
  ],
  [
    'all, oldest FIRST, the last ones before an undated post',
    {},
    {
      order: { field: 'scheduled_at', direction: 'asc' },
      slice: { ...FIRST, fromEnd: true, before: { at: null, id: 50_000 } },
    },
    COUNTED,
    { indexes: ['post_sort_idx', 'post_creator_idx'], rows: FEW },
  ],
  [
    'all, by creation time',
    {},
    { order: { field: 'created_at', direction: 'desc' } },
    COUNTED,
    { indexes: ['post_created_idx'], rows: FEW },
  ],
  [
    'by engagement',
    {},
    { order: BY_ENGAGEMENT },
    WITH_ANALYTICS,
    { indexes: ['post_analytics_engagement_idx', 'post_pkey'], rows: FEW },
  ],
  [
    'by engagement, of one state and network, at a far cursor',
    { states: ['published'], networks: ['mastodon'], minEngagement: 10 },
    { order: BY_ENGAGEMENT, slice: { ...FIRST, after: { at: 400, id: 72_000 } } },
    WITH_ANALYTICS,
    { indexes: ['post_analytics_engagement_idx', 'post_pkey'], rows: FEW },
  ],
  [
    'the least engagement',
    {},
    { order: { ...BY_ENGAGEMENT, direction: 'asc' } },
    WITH_ANALYTICS,
    { indexes: ['post_analytics_engagement_idx', 'post_pkey'], rows: FEW },
  ],
  [
    'the newest with some engagement',
    { minEngagement: 10, states: ['published'] },
    {},
    WITH_ANALYTICS,
    { indexes: ['post_stored_state_idx', 'post_analytics_pkey'], rows: FEW },
  ],
  [
    'all, with analytics',
    {},
    {},
    WITH_ANALYTICS,
    { indexes: ['post_sort_idx', 'post_creator_idx', 'post_analytics_pkey'], rows: FEW },
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
    { indexes: ['post_stored_state_idx', 'post_count_pkey'], rows: FEW },
  ],
  [
    'one state, at a far cursor',
    { states: ['scheduled'] },
    { slice: DEEP },
    COUNTED,
    { indexes: ['post_stored_state_idx'], rows: FEW },
  ],
  [
    'several states',
    { states: ['published', 'draft', 'failed'] },
    {},
    COUNTED,
    { indexes: ['post_stored_state_idx', 'post_creator_idx', 'post_count_pkey'], rows: FEW },
  ],
  [
    'a state without a post',
    { states: ['recycling'] },
    {},
    COUNTED,
    { indexes: ['post_stored_state_idx', 'post_count_pkey'], rows: FEW },
  ],
  [
    'the viewer’s private drafts',
    { states: ['draft_private'] },
    {},
    COUNTED,
    { indexes: ['post_creator_idx', 'post_count_pkey'], rows: FEW },
  ],
  [
    'a period',
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
    'a type and a network, with the total',
    { types: ['status'], networks: ['mastodon'] },
    {},
    COUNTED,
    { indexes: ['post_sort_idx', 'post_count_detail_pkey'], rows: FEW },
  ],
  [
    'an excluded term',
    { query: '-rare7x' },
    {},
    UNCOUNTED,
    { indexes: ['post_sort_idx', 'post_search_pkey'], rows: FEW },
  ],
  [
    'a term of one post in a thousand',
    { query: 'rare7x' },
    {},
    COUNTED,
    { indexes: ['post_search_lexemes_idx', 'post_pkey'], rows: FEW },
  ],
  [
    'a term of one post in a thousand, in one state',
    { query: 'rare7x', states: ['scheduled'] },
    {},
    COUNTED,
    { indexes: ['post_search_lexemes_idx', 'post_pkey'], rows: FEW },
  ],
  [
    'the beginning of words of 1,100 posts',
    { query: 'rare77 -rare773' },
    {},
    COUNTED,
    { indexes: ['post_search_lexemes_idx', 'post_pkey'], rows: 1_100 },
  ],
  [
    'a group of 25 posts',
    { groupIds: ['grp_100'] },
    {},
    COUNTED,
    { indexes: ['post_group_idx', 'post_pkey'], rows: FEW },
  ],
  [
    'posts that are being published',
    { publication: ['queued', 'preparing', 'sending', 'processing'] },
    {},
    COUNTED,
    { indexes: ['post_queued_idx'], rows: FEW },
  ],
  [
    'a label of 333 posts',
    {},
    {},
    COUNTED,
    { indexes: ['post_label_pkey', 'post_pkey'], rows: 2 * FEW },
  ],
];
