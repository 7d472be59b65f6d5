import type { PostFacets, PostOrder, PostPage } from '../../domain/posts/post-query.js';
import { toConnection } from '../connection/connection.js';
import { postCursorKey, postOrder } from '../connection/list-orders.js';

/** Default order of a list (D14). */
export const DEFAULT_ORDER = {
  field: 'scheduled_at',
  direction: 'desc',
} as const satisfies PostOrder;

const presentFacets = (facets: PostFacets) => ({
  ...facets,
  labels: facets.labels.map(({ labelId, name, color, count }) => ({
    label: { id: labelId, name, color },
    count,
  })),
});

/** Converts a page of posts to a PostConnection. */
export const toPostConnection = (
  { posts, facets, totalCount, ...page }: PostPage,
  order: PostOrder,
) => ({
  ...toConnection({ ...page, items: posts }, postOrder(order), postCursorKey(order)),
  totalCount,
  facets: facets && presentFacets(facets),
});
