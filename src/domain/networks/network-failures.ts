import type { VocabularyEntry } from '../enums.js';

/** Effect of a failure on the account or the post, besides the failed edit. */
export type NetworkFailureEffect = 'account_needs_reauth' | 'deleted_on_network';

interface NetworkFailureEntry extends VocabularyEntry {
  /** Whether a later attempt may succeed without intervention. */
  readonly retried: boolean;
  /** Whether the network may have made the change anyway, so that the live state is unknown. */
  readonly inDoubt: boolean;
  /** Null if only the edit failed (D22). */
  readonly effect: NetworkFailureEffect | null;
  /**
   * HTTP statuses of the network's response that cause this failure; empty if no request is sent.
   */
  readonly httpStatuses: readonly string[];
}

/** Why an edit failed on its network: codes of job failures. */
export const NETWORK_FAILURES = {
  NETWORK_NOT_CONNECTED: {
    description: 'The gateway has no usable credentials for the account.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: null,
    httpStatuses: [],
  },
  NETWORK_POST_UNKNOWN: {
    description: 'The gateway does not have the network’s ID of the post.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: null,
    httpStatuses: [],
  },
  NETWORK_REAUTHORIZATION_NEEDED: {
    description: 'The network no longer accepts the account’s credentials.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: 'account_needs_reauth',
    httpStatuses: ['401'],
  },
  NETWORK_FORBIDDEN: {
    description: 'The account is not allowed to publish or edit this post.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: null,
    httpStatuses: ['403'],
  },
  NETWORK_POST_DELETED: {
    description: 'The post no longer exists on the network.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: 'deleted_on_network',
    httpStatuses: ['404', '410'],
  },
  NETWORK_CONFLICT: {
    description: 'The post was changed on the network at the same time.',
    source: 'D22',
    retried: true,
    inDoubt: false,
    effect: null,
    httpStatuses: ['409'],
  },
  NETWORK_DUPLICATE: {
    description: 'The network already has a post with this content.',
    source: 'D55',
    retried: false,
    inDoubt: false,
    effect: null,
    httpStatuses: [],
  },
  NETWORK_REFUSED: {
    description: 'The network rejected the change.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: null,
    httpStatuses: ['400', '422'],
  },
  NETWORK_RATE_LIMITED: {
    description: 'The network’s rate limit is exceeded.',
    source: 'D22',
    retried: true,
    inDoubt: false,
    effect: null,
    httpStatuses: ['429'],
  },
  NETWORK_UNAVAILABLE: {
    description:
      'The network did not respond in time, closed the connection, or sent an invalid response.',
    source: 'D22',
    retried: true,
    inDoubt: true,
    effect: null,
    httpStatuses: ['5xx'],
  },
} as const satisfies Record<string, NetworkFailureEntry>;
export type NetworkFailureCode = keyof typeof NETWORK_FAILURES;
