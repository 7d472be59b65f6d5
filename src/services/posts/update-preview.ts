import type { Viewer } from '../../domain/access/viewer.js';
import type { Change } from '../../domain/changes/change.js';
import { adjustFacets } from '../../domain/posts/post-facets.js';
import {
  EMPTY_PAGE,
  type PostFacets,
  type PostListQuery,
  type PostPage,
  type PostPosition,
  type PostSelection,
  type PostSlice,
  type PostView,
} from '../../domain/posts/post-query.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import type { ChildChanges } from './series/plan-series.js';

/** What the posts would be after an update that was only tried (D28). */
export interface UpdatePreview {
  /** The post after the update. */
  readonly post: Post;
  /** Database ID of the series whose occurrences the update would change. */
  readonly seriesId: number;
  /** A window of the occurrences of this series after the update. */
  occurrences(query: PostListQuery, selection: PostSelection): Promise<PostPage>;
}

interface TriedUpdate {
  readonly after: Post;
  readonly change: Change;
  /** Of the series, if the post is one. */
  readonly children: ChildChanges;
}

/**
 * Creates the preview of an update: the post and the occurrences as the real call would return
 * them, without the IDs that the dry run generated.
 */
export function createUpdatePreview(
  { store, viewer }: { store: Pick<PostStore, 'occurrences'>; viewer: Viewer },
  before: Post,
  { after, change, children }: TriedUpdate,
): UpdatePreview {
  const toUnsaved = unsavedIdsOf(change);
  const isOccurrence = before.parentId !== null;
  const updated = isOccurrence ? [{ before, after }] : children.updated;
  const planned: PlannedOccurrences = {
    replaced: [...updated.map((update) => update.before), ...children.deleted],
    planned: [...updated.map((update) => update.after), ...children.created].map(toUnsaved),
  };
  const seriesId = before.parentId ?? before.databaseId;
  return {
    // The job does not exist.
    post: {
      ...toUnsaved(after),
      networkSync: after.networkSync && { ...after.networkSync, jobId: null },
    },
    seriesId,
    async occurrences(query, selection) {
      if (query.slice.kind !== 'window' || change.endedSeries.includes(seriesId)) return EMPTY_PAGE;
      const slice = widenWindow(query.slice, planned);
      const pages = await store.occurrences(viewer, [seriesId], { ...query, slice }, selection);
      return toPlannedPage(pages.get(seriesId) ?? EMPTY_PAGE, query.slice, planned);
    },
  };
}

/** Replaces the IDs that a dry run generated: no record has them. */
type UnsavedIds = (post: Post) => Post;

/**
 * Names what a change would create `dry_run_label_1`, `dry_run_media_1` and `dry_run_post_1`, in
 * the order of creation: no record can have such an ID, and clients need distinct ones.
 */
function unsavedIdsOf({ posts, newLabels, newMedia }: Change): UnsavedIds {
  const created = posts.filter((write) => write.kind === 'insert').map(({ after }) => after);
  const names = new Map([
    ...newLabels.map(({ id }, index) => [id, `dry_run_label_${index + 1}`] as const),
    ...newMedia.map(({ id }, index) => [id, `dry_run_media_${index + 1}`] as const),
    ...created.map(({ id }, index) => [id, `dry_run_post_${index + 1}`] as const),
  ]);
  const rename = <T extends { readonly id: string }>(record: T): T => ({
    ...record,
    id: names.get(record.id) ?? record.id,
  });
  return (post) => ({
    ...rename(post),
    databaseId: names.has(post.id) ? 0 : post.databaseId,
    labels: post.labels.map(rename),
    media: post.media.map(rename),
    featuredMedia: post.featuredMedia && rename(post.featuredMedia),
  });
}

/** What a change would do to the occurrences of a series. */
interface PlannedOccurrences {
  /** Saved occurrences that the change would update or delete. */
  readonly replaced: readonly Post[];
  /** Occurrences as the change would update or create them. */
  readonly planned: readonly Post[];
}

type Window = PostSlice & { readonly kind: 'window' };

/** Compares in the order of occurrences: latest first, undated last. */
function compare(a: PostPosition, b: PostPosition): number {
  const [first, second] = [Number(a.at ?? -Infinity), Number(b.at ?? -Infinity)];
  return first === second ? b.id - a.id : first > second ? -1 : 1;
}

const positionOf = ({ scheduledAt, databaseId }: PostView): PostPosition => ({
  at: scheduledAt ?? null,
  id: databaseId,
});

/** The window to read of the saved occurrences, so that enough remain without the replaced ones. */
const widenWindow = (window: Window, { replaced }: PlannedOccurrences): Window => ({
  ...window,
  limit: window.limit + replaced.length,
});

/**
 * The page of occurrences that clients would see after the change.
 * @param saved the page of the saved occurrences, read with `widenWindow`
 */
function toPlannedPage(
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
