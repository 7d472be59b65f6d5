import type { Viewer } from '../../domain/access/viewer.js';
import type { EventPosition } from '../../domain/events/event-position.js';
import type { ChangedPost } from '../../domain/events/post-change.js';
import type { Post } from '../../domain/posts/post.js';

/** The end of the events that can be read now. */
export interface EventHorizon {
  /** Identifies the database. A restore of a backup changes it. */
  readonly database: string;
  /** The oldest running transaction: no event of an earlier one can be added any more. */
  readonly transactionId: bigint;
}

/** Which changes to read. */
export interface ChangesQuery {
  readonly after: EventPosition;
  /** Maximum number of events. */
  readonly limit: number;
  /** Properties of the posts. */
  readonly fields: ReadonlySet<keyof Post>;
}

/** The posts of the next events, ordered by their last event. */
export interface ChangedPosts extends EventHorizon {
  readonly posts: readonly ChangedPost[];
  /** Position of the last event that was read, if more events follow; else null. */
  readonly next: EventPosition | null;
}

/** Reads events of posts. */
export interface EventStore {
  horizon(): Promise<EventHorizon>;
  /** Reads events that the viewer may know of, up to the horizon. */
  changedPosts(viewer: Viewer, query: ChangesQuery): Promise<ChangedPosts>;
}
