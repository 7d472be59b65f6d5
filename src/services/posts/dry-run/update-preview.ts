import type { Change } from '../../../domain/changes/change.js';
import {
  EMPTY_PAGE,
  type PostListQuery,
  type PostPage,
  type PostSelection,
} from '../../../domain/posts/post-query.js';
import type { Post } from '../../../domain/posts/post.js';
import type { Viewer } from '../../../domain/access/viewer.js';
import type { PostStore } from '../post-ports.js';
import type { ChildChanges } from '../series/occurrence-changes.js';
import { toPlannedPage, widenWindow, type PlannedOccurrences } from './planned-occurrences.js';
import { unsavedIdsOf } from './unsaved-ids.js';

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
