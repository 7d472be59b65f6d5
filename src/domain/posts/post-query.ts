import type { Network } from '../networks/networks.js';
import type { PostState, StateFilter } from './states.js';
import type { OrderDirection, OrderField, PostType } from '../vocabulary.js';
import type { Post } from './post.js';

/** What a list is narrowed to; an absent or empty part narrows nothing, unknown and foreign ids match nothing (D15). */
export interface PostFilter {
  states?: readonly StateFilter[];
  types?: readonly PostType[];
  networks?: readonly Network[];
  accountIds?: readonly string[];
  memberId?: string;
  labelIds?: readonly string[];
  /** Inclusive, on `scheduledAt` (D15). */
  from?: Date;
  to?: Date;
  /** D16. */
  query?: string;
  /** Children of this series only. */
  parentId?: number;
}

export interface PostOrder {
  field: OrderField;
  direction: OrderDirection;
}

/** A place in a list: the sort value (null where undated) and the relational id that breaks ties. */
export interface PostPosition {
  at: Date | null;
  id: number;
}

/** What part of a list is asked for: a keyset window (GraphQL) or a numbered page (v1, D14). */
export type PostSlice =
  | {
      readonly kind: 'window';
      readonly limit: number;
      readonly after?: PostPosition;
      readonly before?: PostPosition;
      readonly fromEnd: boolean;
    }
  | { readonly kind: 'page'; readonly page: number; readonly perPage: number };

export interface PostListQuery {
  filter: PostFilter;
  order: PostOrder;
  slice: PostSlice;
}

/**
 * What the caller selected: nothing else is read. `fields` are properties of Post, ids and the narrow columns come
 * always; a Post read with fewer fields has the others undefined, so only what was asked for may be touched.
 */
export interface PostSelection {
  fields: ReadonlySet<keyof Post>;
  totalCount: boolean;
  facets: boolean;
  items: boolean;
}

/** A post as far as it was selected; what was not is absent and is fetched on demand. */
export type PostView = Pick<Post, NarrowField> & Partial<Omit<Post, NarrowField>>;
/** A post that certain properties were selected of. */
export type PostWith<F extends keyof Post = never> = Pick<Post, NarrowField | F>;

/** The columns every read brings: whose the post is, who sees it, and where it stands. */
export const NARROW_FIELDS = [
  'id',
  'databaseId',
  'workspaceId',
  'cell',
  'accountId',
  'creatorId',
  'scheduledAt',
  'createdAt',
] as const satisfies readonly (keyof Post)[];
export type NarrowField = (typeof NARROW_FIELDS)[number];

export interface PostFacets {
  /** False where more than 100,000 posts match and only those were counted. */
  exact: boolean;
  states: { state: PostState; count: number }[];
  networks: { network: Network; count: number }[];
  types: { type: PostType; count: number }[];
  labels: { labelId: string; name: string; color: string; count: number }[];
}

export interface PostPage {
  posts: readonly PostView[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Present when selected. */
  totalCount?: number;
  facets?: PostFacets;
}
