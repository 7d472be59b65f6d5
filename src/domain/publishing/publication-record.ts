import type { VocabularyEntry } from '../enums.js';

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

/**
 * What keeps a post from being published when its time comes, although its state allows it: the
 * first one that applies.
 */
export type PublicationHold =
  /** A file is missing: it could not be fetched, or was not sent in time (D63). */
  | 'media_failed'
  /** A file has not arrived yet (D63). */
  | 'media_waiting'
  /** An operator locked the workspace (D57). */
  | 'workspace_locked'
  /** The post was given its time by the queue of its account, which is paused (D61). */
  | 'queue_paused'
  /** Nothing is published at the moment (D56). */
  | 'publishing_paused';
