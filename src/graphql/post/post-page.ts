import type { PostFacets, PostOrder, PostPage } from '../../domain/posts/post-query.js';
import { toConnection } from '../connection/connection.js';
import { placeOfPost, postOrder } from '../connection/list-orders.js';

/** The order of a list where none is asked for (D14). */
export const DEFAULT_ORDER = {
  field: 'scheduled_at',
  direction: 'desc',
} as const satisfies PostOrder;

export const NO_POSTS: PostPage = {
  posts: [],
  hasNextPage: false,
  hasPreviousPage: false,
  totalCount: 0,
  facets: { exact: true, states: [], networks: [], types: [], labels: [] },
};

const facetsView = (facets: PostFacets) => ({
  ...facets,
  labels: facets.labels.map(({ labelId, name, color, count }) => ({
    label: { id: labelId, name, color },
    count,
  })),
});

/** A page of posts as PostConnection. */
export const toPostConnection = (
  { posts, facets, totalCount, ...page }: PostPage,
  order: PostOrder,
) => ({
  ...toConnection({ ...page, items: posts }, postOrder(order), placeOfPost(order)),
  totalCount,
  facets: facets && facetsView(facets),
});
