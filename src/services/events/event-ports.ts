import type { Viewer } from '../../domain/access/viewer.js';
import type { EventPosition } from '../../domain/events/event.js';
import type { ChangedPost } from '../../domain/events/post-change.js';
import type { StoredEvent } from '../../domain/events/visible-event.js';
import type { Post } from '../../domain/posts/post.js';

/** The end of the events that can be read now. */
export interface EventHorizon {
  /** Identifies the database. A restore of a backup changes it. */
  readonly database: string;
  /** The oldest running transaction: no event of an earlier one can be added any more. */
  readonly transactionId: bigint;
}

/** Which events to read. */
export interface EventsQuery {
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

/** The next events of a workspace, in the order in which readers read them. */
export interface EventPage extends EventHorizon {
  readonly events: readonly StoredEvent[];
  /** Whether more events can be read now. */
  readonly hasMore: boolean;
  /** Whether there are events that cannot be read yet, because of a running transaction. */
  readonly hasPending: boolean;
}

/** Reads events. */
export interface EventStore {
  horizon(): Promise<EventHorizon>;
  /** Reads the events of a workspace up to the horizon, for all its members. */
  eventsOf(workspaceId: string, query: EventsQuery): Promise<EventPage>;
  /** Which of the workspaces may have events after these positions. */
  changedWorkspaces(positions: ReadonlyMap<string, EventPosition>): Promise<readonly string[]>;
  /** Reads events that the viewer may know of, up to the horizon. */
  changedPosts(viewer: Viewer, query: EventsQuery): Promise<ChangedPosts>;
}

/** Tells readers of events, in all processes, that there may be new events. */
export interface EventWakeups {
  /** Calls `wake` with the workspaces that have new events; null: any may have some. */
  listen(wake: (workspaceIds: readonly string[] | null) => void): { close(): Promise<void> };
}

/** Why a stream has ended, for metrics. */
export type StreamEndLabel = 'closed' | 'too_slow' | 'shutdown' | 'error';

/** Measures streams of events. */
export interface StreamMetrics {
  opened(): void;
  delivered(): void;
  closed(reason: StreamEndLabel): void;
}
