import type { VocabularyEntry } from '../enums.js';
import type { Post } from '../posts/post.js';
import { isScheduled, type StoredState } from '../posts/states.js';

/** Progress of the publication of a post (D57). */
export const PUBLICATION_STATUSES = {
  waiting: {
    description:
      'Waiting for its time, for another attempt after a failed one, or for a person to approve the post or reconnect the account.',
    source: 'D52',
  },
  queued: { description: 'Handed over for publication.', source: 'D52' },
  preparing: { description: 'An attempt is being prepared. Nothing is public yet.', source: 'D53' },
  sending: {
    description: 'The post is being sent, or the gateway is finding out whether it was published.',
    source: 'D53',
  },
  processing: {
    description: 'The network has the post and is still processing it.',
    source: 'D53',
  },
  published: { description: 'Published on the network.', source: 'D57' },
  failed: { description: 'Not published. `error` contains the reason.', source: 'D55' },
  unconfirmed: {
    description:
      'It is unknown whether the post was published. Nothing is sent until a person decides.',
    source: 'D54',
  },
  missed: { description: 'Not published, because its time has passed.', source: 'D56' },
} as const satisfies Record<string, VocabularyEntry>;
export type PublicationStatus = keyof typeof PUBLICATION_STATUSES;

/** How a publication ended. */
export type PublicationResult = Extract<
  PublicationStatus,
  'published' | 'failed' | 'unconfirmed' | 'missed'
>;

/** Who has to act on an error of a publication (D55). */
export const ERROR_SOURCES = {
  user: { description: 'The post: its content or its time has to change.', source: 'D55' },
  account: { description: 'The account: its connection, rights or limits.', source: 'D55' },
  network: { description: 'The network, which did not accept the post.', source: 'D55' },
  service: { description: 'The gateway.', source: 'D55' },
} as const satisfies Record<string, VocabularyEntry>;
export type ErrorSource = keyof typeof ERROR_SOURCES;

/** Why an attempt to publish a post did not publish it. Stored as JSON. */
export interface PublicationError {
  readonly code: string;
  /** One sentence for the user, with the network's own words; contains no secret. */
  readonly message: string;
  readonly source: ErrorSource;
  /** Whether publishing it again can help, without a change of the post. */
  readonly retryable: boolean;
  /** The field of the post that the network did not accept; null if unknown. */
  readonly field: string | null;
}

/** What is stored about the publication of a post since it was first handed over. */
export interface PublicationRecord {
  /** Attempts started. */
  readonly attempts: number;
  /** Null until it is over. */
  readonly result: PublicationResult | null;
  /** The error of the last attempt; null after a success. */
  readonly error: PublicationError | null;
  readonly publishedAt: Date | null;
  /** Whether an attempt is open, and whether the network is processing its post. */
  readonly openAttempt: 'open' | 'processing' | null;
}

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
export type PublicationSubject = Pick<
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
