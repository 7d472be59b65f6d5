import type {
  PostFacets,
  PostPage,
  PostPosition,
  PostSlice,
  PostView,
} from '../../../domain/posts/post-query.js';
import { adjustFacets } from '../../../domain/posts/post-facets.js';
import type { Post } from '../../../domain/posts/post.js';

/** What a change would do to the occurrences of a series. */
export interface PlannedOccurrences {
  /** Saved occurrences that the change would update or delete. */
  readonly replaced: readonly Post[];
  /** Occurrences as the change would update or create them. */
  readonly planned: readonly Post[];
}

type Window = PostSlice & { readonly kind: 'window' };

/** Compares in the order of occurrences: latest first, undated last. */
function compare(a: PostPosition, b: PostPosition): number {
  const [first, second] = [a.at?.getTime() ?? -Infinity, b.at?.getTime() ?? -Infinity];
  return first === second ? b.id - a.id : first > second ? -1 : 1;
}

const positionOf = ({ scheduledAt, databaseId }: PostView): PostPosition => ({
  at: scheduledAt ?? null,
  id: databaseId,
});

/** The window to read of the saved occurrences, so that enough remain without the replaced ones. */
export const widenWindow = (window: Window, { replaced }: PlannedOccurrences): Window => ({
  ...window,
  limit: window.limit + replaced.length,
});

/**
 * The page of occurrences that clients would see after the change.
 * @param saved the page of the saved occurrences, read with `widenWindow`
 */
export function toPlannedPage(
  saved: PostPage,
  { limit, after, before, fromEnd }: Window,
  { replaced, planned }: PlannedOccurrences,
): PostPage {
  const isInWindow = (post: PostView): boolean =>
    (!after || compare(positionOf(post), after) > 0) &&
    (!before || compare(positionOf(post), before) < 0);
  const replacedIds = new Set(replaced.map(({ id }) => id));
  const posts = [
    ...saved.posts.filter(({ id }) => !replacedIds.has(id)),
    ...planned.filter(isInWindow),
  ].sort((a, b) => compare(positionOf(a), positionOf(b)));
  const hasMore = posts.length > limit || (fromEnd ? saved.hasPreviousPage : saved.hasNextPage);
  const facets: PostFacets | undefined =
    saved.facets && adjustFacets(saved.facets, { removed: replaced, added: planned });
  return {
    posts: fromEnd ? posts.slice(-limit) : posts.slice(0, limit),
    hasNextPage: fromEnd ? before !== undefined : hasMore,
    hasPreviousPage: fromEnd ? hasMore : after !== undefined,
    ...(saved.totalCount !== undefined && {
      totalCount: saved.totalCount - replaced.length + planned.length,
    }),
    ...(facets && { facets }),
  };
}
