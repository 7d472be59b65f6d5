import type { ApiKind } from '../../domain/events/actor.js';
import type { EventType } from '../../domain/events/event-types.js';
import type { StoredEvent } from '../../domain/events/visible-event.js';
import type { UserSummary } from '../../domain/posts/post.js';
import { storedStateByNumber, type StoredState } from '../../domain/posts/states.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';

/** An event and its post; the columns of the post are null if there is none. */
export type StoredEventRow = {
  readonly transactionId: string;
  readonly sequence: string;
  readonly eventType: EventType;
  readonly eventAt: Date;
  readonly documentId: string | null;
  readonly eventAccountId: string | null;
  readonly recordId: string | null;
  readonly eventVersion: number | null;
  readonly eventApi: ApiKind;
  readonly changed: readonly string[];
  readonly stateBefore: number | null;
  readonly stateAfter: number | null;
  readonly visibleTo: string | null;
  readonly eventUser: UserSummary | null;
  readonly isDeleted: boolean;
} & PostRow;

const stateOf = (number: number | null): StoredState | null =>
  number === null ? null : storedStateByNumber.get(number)!;

/** Converts a row to an event. */
export function toStoredEvent(row: StoredEventRow): StoredEvent {
  const { transactionId, sequence, eventAt: at } = row;
  // Null without a post: the type of its columns leaves that out.
  const post = (row.id as string | null) === null ? null : toPostView(row);
  return {
    position: { transactionId: BigInt(transactionId), sequence: BigInt(sequence), at },
    type: row.eventType,
    at,
    documentId: row.documentId,
    accountId: row.eventAccountId,
    recordId: row.recordId,
    version: row.eventVersion,
    user: row.eventUser,
    api: row.eventApi,
    changed: row.changed,
    before: stateOf(row.stateBefore),
    after: stateOf(row.stateAfter),
    visibleTo: row.visibleTo,
    current: post,
    post: row.isDeleted ? null : post,
  };
}
