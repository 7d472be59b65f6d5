import type { VocabularyEntry } from '../enums.js';
import type { StoredState } from '../posts/states.js';

/** Events of posts. */
const POST_EVENTS = {
  'post.created': { description: 'The post was created or imported.', source: 'D70' },
  'post.updated': {
    description: 'The post was changed in a way that no other type describes.',
    source: 'D70',
  },
  'post.scheduled': {
    description: 'The post was scheduled, and will be published at its scheduled time.',
    source: 'D70',
  },
  'post.unscheduled': { description: 'The post became a draft again.', source: 'D70' },
  'post.approval_requested': { description: 'The post is waiting for approval.', source: 'D70' },
  'post.approved': { description: 'The post was approved.', source: 'D70' },
  'post.declined': { description: 'Approval of the post was declined.', source: 'D70' },
  'post.queued': {
    description: 'The post became due, and its publication starts.',
    source: 'D70',
  },
  'post.published': { description: 'The post was published on its network.', source: 'D70' },
  'post.failed': { description: 'The post could not be published.', source: 'D70' },
  'post.unconfirmed': {
    description: 'It is unknown whether the network published the post. A member has to decide.',
    source: 'D70',
  },
  'post.missed': {
    description: 'The post was not published, because its time was too long ago.',
    source: 'D70',
  },
  'post.network_updated': {
    description: 'The network shows the changes of the published post.',
    source: 'D70',
  },
  'post.unpublished': {
    description: 'The post is no longer on its network, but the gateway keeps its record.',
    source: 'D70',
  },
  'post.deleted': { description: 'The post was deleted.', source: 'D70' },
  'post.restored': { description: 'The deleted post was restored.', source: 'D70' },
  'post.recycled': { description: 'A recycling post was published again.', source: 'D70' },
  'post.skipped': {
    description: 'An occurrence of a series was not created, because of a daily cap.',
    source: 'D70',
  },
} as const satisfies Record<string, VocabularyEntry>;
/** The type of an event of a post. */
export type PostEventType = keyof typeof POST_EVENTS;

/** Types of events. Every change that has an effect writes at least one event (D70). */
export const EVENT_TYPES = {
  ...POST_EVENTS,
  'job.finished': { description: 'A job has completed or failed.', source: 'D70' },
  'media.ready': { description: 'A media item can be published.', source: 'D70' },
  'media.failed': { description: 'A media item could not be fetched.', source: 'D70' },
  'media.changed': {
    description: 'The alternative text of a media item was changed, or the item was deleted.',
    source: 'D63',
  },
  'account.connected': { description: 'An account was connected.', source: 'D70' },
  'account.disconnected': {
    description: 'The credentials of an account were deleted.',
    source: 'D84',
  },
  'account.needs_reauthorization': {
    description: 'The network no longer accepts the credentials of an account.',
    source: 'D70',
  },
  'account.token_expiring': {
    description: 'The credentials of an account expire soon.',
    source: 'D70',
  },
  'notification.created': {
    description:
      'A member received a notification. Among the members, only this one sees the event.',
    source: 'D75',
  },
  'label.changed': { description: 'A label was created or changed.', source: 'D70' },
  'webhook.test': {
    description: 'A test of a webhook. Sent only on request, to the webhook that is tested.',
    source: 'D75',
  },
} as const satisfies Record<string, VocabularyEntry>;
/** The type of an event. */
export type EventType = keyof typeof EVENT_TYPES;

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
