import type { Viewer } from '../../domain/access/viewer.js';
import type { ApiKind } from '../../domain/events/actor.js';
import type { Revision, RevisionValues } from '../../domain/history/history-entry.js';
import type { UserSummary } from '../../domain/posts/post.js';

/** A part of the history of a post, newest first. */
export interface HistoryWindow {
  /** Only versions before this one; the newest if it is missing. */
  readonly before?: number;
  /** Maximum number of entries. */
  readonly limit: number;
}

/** What is stored of the history of a post. */
export interface StoredHistory {
  /** The version that made the post visible to the viewer; 1 if it always was. */
  readonly visibleFrom: number;
  readonly createdAt: Date;
  readonly creator: UserSummary;
  readonly createdApi: ApiKind;
  /** The next changes, newest first: one more than the limit if there are more. */
  readonly revisions: readonly Revision[];
}

/** Reads the stored changes of posts. */
export interface HistoryStore {
  /** By database ID. Posts that the viewer cannot see are absent. */
  read(
    viewer: Viewer,
    postIds: readonly number[],
    window: HistoryWindow,
  ): Promise<ReadonlyMap<number, StoredHistory>>;
  /** The values of all changes of a post after a version, oldest first. */
  valuesSince(
    postId: number,
    version: number,
  ): Promise<readonly { readonly version: number; readonly changes: RevisionValues }[]>;
}
