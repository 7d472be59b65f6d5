import type {
  PublicationError,
  PublicationStatus,
  PublicationRecord,
} from './publication-record.js';
import type { Post } from '../posts/post.js';
import { isScheduled, type StoredState } from '../posts/states.js';
import type { PublicationWrite } from '../changes/change.js';

/** The publication of a post, as clients see it. */
export interface Publication {
  readonly status: PublicationStatus;
  readonly remoteId: string | null;
  readonly url: string | null;
  readonly publishedAt: Date | null;
  readonly attempts: number;
  /** Null unless the post waits for a time. */
  readonly nextAttemptAt: Date | null;
  readonly error: PublicationError | null;
}

/** The stored states whose posts are published when their time comes (D52, D59). */
export const PUBLISHABLE_STATES = [
  'scheduled',
  'scheduled_approved',
  'recycling_active',
] as const satisfies readonly StoredState[];

/** Whether a post in this state is published when its time comes (D52). */
export const isPublishable = (storedState: StoredState): boolean =>
  (PUBLISHABLE_STATES as readonly StoredState[]).includes(storedState);

/** Whether it is unknown if the post was published: a person has to decide (D54). */
export const isUnconfirmed = ({
  storedState,
  publicationRecord,
}: Pick<Post, 'storedState' | 'publicationRecord'>): boolean =>
  (storedState === 'failed' || storedState === 'recycling_failed') &&
  publicationRecord?.result === 'unconfirmed';

/** The fields of a post that its publication is derived from. */
type PublicationSubject = Pick<
  Post,
  | 'storedState'
  | 'scheduledAt'
  | 'queuedAt'
  | 'armedAt'
  | 'retryAt'
  | 'postLink'
  | 'remoteId'
  | 'publicationRecord'
>;

/** The time at which a post becomes due: its own, or later after an attempt that failed. */
export const dueAtOf = ({
  scheduledAt,
  retryAt,
}: Pick<Post, 'scheduledAt' | 'retryAt'>): Date | null =>
  scheduledAt && retryAt && retryAt > scheduledAt ? retryAt : scheduledAt;

function statusOf(post: PublicationSubject): PublicationStatus | null {
  const open = post.publicationRecord?.openAttempt ?? null;
  if (post.armedAt !== null) return open === 'processing' ? 'processing' : 'sending';
  if (post.queuedAt !== null) return open === null ? 'queued' : 'preparing';
  if (isScheduled(post.storedState) || isPublishable(post.storedState)) return 'waiting';
  return post.publicationRecord?.result ?? null;
}

/** The publication of a post; null if the service neither published it nor is going to (D57). */
export function publicationOf(post: PublicationSubject): Publication | null {
  const status = statusOf(post);
  if (status === null) return null;
  const record = post.publicationRecord;
  return {
    status,
    remoteId: post.remoteId,
    url: post.postLink,
    publishedAt: status === 'published' ? (record?.publishedAt ?? null) : null,
    attempts: record?.attempts ?? 0,
    nextAttemptAt: isPublishable(post.storedState) && status === 'waiting' ? dueAtOf(post) : null,
    error: status === 'published' ? null : (record?.error ?? null),
  };
}

/** A changed post, and the end of the publication that it leaves, if it does. */
interface RenewedPublication {
  readonly post: Post;
  readonly publications: readonly PublicationWrite[];
}

/**
 * Ends the publication that a post was handed over for, if the change takes it back (D55), or gives
 * it another time after its publication failed. Without a result: what follows is another one.
 */
export function renewPublication(before: Post, after: Post): RenewedPublication {
  const record = before.publicationRecord;
  const isTakenBack = before.queuedAt !== null && after.queuedAt === null;
  const isRevived = before.storedState === 'failed' && after.storedState !== 'failed';
  if (record === null || !(isTakenBack || isRevived)) return { post: after, publications: [] };
  return {
    post: {
      ...after,
      publicationRecord: { ...record, result: null, error: null, openAttempt: null },
    },
    publications: [
      {
        postId: before.databaseId,
        attempt: openAttemptOf(record),
        lease: null,
        result: null,
        error: null,
        publishedAt: null,
      },
    ],
  };
}

/** The number of the open attempt of a post; null if there is none. */
export const openAttemptOf = (record: PublicationRecord | null): number | null =>
  record?.openAttempt ? record.attempts : null;

/** Whether posts are published, and what waits (D56). */
export interface PublishingStatus {
  /** When publication was paused; null while posts are published. */
  readonly pausedAt: Date | null;
  /**
   * The time of the backup that was restored: what became due since then is looked up on its
   * network first. Null if publication is not paused because of a backup.
   */
  readonly backupAt: Date | null;
  /** Posts whose time has come and that have not been handed over, at most 10,000. */
  readonly duePosts: number;
  /** When the first of them became due; null if there is none. */
  readonly oldestDueAt: Date | null;
}
