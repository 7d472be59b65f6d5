import type { Network } from '../networks/networks.js';
import type { PublicationStatus } from '../publishing/publication-record.js';
import type { PostState, StateFilter } from './states.js';
import type { OrderDirection, OrderField, PostType } from '../enums.js';
import type { Post } from './post.js';

/**
 * Filters of a list. An absent or empty filter matches everything; unknown IDs and those of other
 * workspaces match nothing (D15).
 */
export interface PostFilter {
  states?: readonly StateFilter[];
  /** States as posts have them, which facets count: `scheduled` without `scheduled_approved`. */
  exactStates?: readonly PostState[];
  types?: readonly PostType[];
  networks?: readonly Network[];
  accountIds?: readonly string[];
  memberId?: string;
  labelIds?: readonly string[];
  /** Posts that one of these calls created. */
  groupIds?: readonly string[];
  publication?: readonly PublicationStatus[];
  /** Inclusive, on `scheduledAt` (D15). */
  from?: Date;
  to?: Date;
  /** Search query (D16). */
  query?: string;
  /** Posts whose engagement is known, and at least this number (D91). */
  minEngagement?: number;
  /** Database ID of a series: only its children. */
  parentId?: number;
}

/**
 * For each sort order, the property that it sorts by. Every read of a list includes it, because
 * cursors contain it.
 */
export const SORT_FIELDS = {
  scheduled_at: 'scheduledAt',
  created_at: 'createdAt',
  engagement: 'analytics',
} as const satisfies Record<OrderField, keyof Post>;

/** What a list is sorted by: a time, or the engagement. Null for undated posts. */
export type SortValue = Date | number | null;

/** The value by which a list of this order sorts a post. */
export const sortValueOf = (
  post: Partial<Pick<Post, (typeof SORT_FIELDS)[OrderField]>>,
  field: OrderField,
): SortValue =>
  (field === 'engagement' ? post.analytics?.engagement : post[SORT_FIELDS[field]]) ?? null;

/** Sort order of a list. */
export interface PostOrder {
  field: OrderField;
  direction: OrderDirection;
}

/** A position in a list: the sort value and the database ID that breaks ties. */
export interface PostPosition<At extends SortValue = SortValue> {
  at: At;
  id: number;
}

/** The requested part of a list: a keyset window (GraphQL) or a numbered page (REST v1, D14). */
export type PostSlice =
  | {
      readonly kind: 'window';
      readonly limit: number;
      readonly after?: PostPosition;
      readonly before?: PostPosition;
      readonly fromEnd: boolean;
    }
  | { readonly kind: 'page'; readonly page: number; readonly perPage: number };

/** A list of posts: filter, order and the requested part. */
export interface PostListQuery {
  filter: PostFilter;
  order: PostOrder;
  slice: PostSlice;
}

/** The query with what its order implies: a list by engagement has the posts whose engagement is known. */
export const withImpliedFilter = (query: PostListQuery): PostListQuery =>
  query.order.field === 'engagement'
    ? { ...query, filter: { minEngagement: 0, ...query.filter } }
    : query;

/**
 * The parts of a list that the client selected; nothing else is read. `fields` are properties of
 * Post; ALWAYS_READ_FIELDS and the property that the list is sorted by are read as well. Properties that
 * were not selected are undefined.
 */
export interface PostSelection {
  fields: ReadonlySet<keyof Post>;
  totalCount: boolean;
  facets: boolean;
  items: boolean;
}

/** A post with the selected fields; others are absent and fetched on demand. */
export type PostView = Pick<Post, AlwaysReadField> & Partial<Omit<Post, AlwaysReadField>>;
/** A post with certain selected fields. */
export type PostWith<F extends keyof Post = never> = Pick<Post, AlwaysReadField | F>;

/**
 * The fields that every read includes, selected or not: visibility (workspace, state, creator),
 * cursors (database ID) and the loaders of related rows (account) depend on them.
 */
export const ALWAYS_READ_FIELDS = [
  'id',
  'databaseId',
  'workspaceId',
  'storedState',
  'accountId',
  'creatorId',
] as const satisfies readonly (keyof Post)[];
type AlwaysReadField = (typeof ALWAYS_READ_FIELDS)[number];

/** Numbers of matching posts by state, network, type and label. */
export interface PostFacets {
  /** False if more than 100,000 posts match, of which only the first 100,000 are counted. */
  exact: boolean;
  states: { state: PostState; count: number }[];
  networks: { network: Network; count: number }[];
  types: { type: PostType; count: number }[];
  labels: { labelId: string; name: string; color: string; count: number }[];
}

/** The requested part of a list. */
export interface PostPage {
  posts: readonly PostView[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Present when selected. */
  totalCount?: number;
  facets?: PostFacets;
}

/** Page of a list without posts. */
export const EMPTY_PAGE: PostPage = {
  posts: [],
  hasNextPage: false,
  hasPreviousPage: false,
  totalCount: 0,
  facets: { exact: true, states: [], networks: [], types: [], labels: [] },
};

/**
 * `inaccessible`: the document ID exists, but in another workspace or as another user's private
 * draft (D13, D18).
 */
export type PostLookup<T> =
  | { readonly kind: 'found'; readonly post: T }
  | { readonly kind: 'inaccessible' }
  | { readonly kind: 'unknown' };
