import type { StoredState } from '../posts/states.js';
import type { EventType } from './event-types.js';

/**
 * What happened to one record in a change: names and IDs, no values. Workspace, actor and time are
 * those of the change.
 */
export interface Event {
  readonly type: EventType;
  /** Database ID of the post; null if the event is not about a post. */
  readonly postId: number | null;
  /** Document ID of the post, which outlives the post's row. */
  readonly documentId: string | null;
  /** The account, or the account of the post. */
  readonly accountId: string | null;
  /** ID of the job, media item or label that the event is about. */
  readonly recordId: string | null;
  /** The post's version after the change. */
  readonly version: number | null;
  /** Names of the changed fields, as the APIs present them. */
  readonly changed: readonly string[];
  /** The post's state before the change; null if it did not exist. */
  readonly before: StoredState | null;
  /** The post's state after the change; null if it was deleted. */
  readonly after: StoredState | null;
  /** The only user who could see the record after the change; null for all members. */
  readonly visibleTo: string | null;
}

/**
 * A position in the events of a database, in the order in which readers read them. A reader at this
 * position has read all events up to it, and none after it.
 */
export interface EventPosition {
  /** Number of the transaction that wrote the last event. */
  readonly transactionId: bigint;
  /** Sequence of the last event. 0: the events of the transaction come next. */
  readonly sequence: bigint;
  /** How recent the position is: it expires some time after. */
  readonly at: Date;
}

/** Whether a position comes after another one. */
export const isAfter = (
  { transactionId, sequence }: EventPosition,
  other: EventPosition,
): boolean =>
  transactionId > other.transactionId ||
  (transactionId === other.transactionId && sequence > other.sequence);
