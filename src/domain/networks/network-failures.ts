import type { VocabularyEntry } from '../vocabulary.js';

/** What a failure implies for the account or the post, apart from the edit itself. */
export type NetworkFailureEffect = 'account_needs_reauth' | 'deleted_there';

interface NetworkFailureEntry extends VocabularyEntry {
  /** Whether a later attempt may succeed without intervention. */
  readonly retried: boolean;
  /** Whether the network may have made the change anyway, so that the live state is unknown. */
  readonly inDoubt: boolean;
  /** D22. */
  readonly effect: NetworkFailureEffect | null;
}

/** Why an edit failed on its network: codes of job failures. */
export const NETWORK_FAILURES = {
  NETWORK_NOT_CONNECTED: {
    description: 'The service has no usable credentials for the account.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: null,
  },
  NETWORK_POST_UNKNOWN: {
    description: 'The service does not have the network’s ID of the post.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: null,
  },
  NETWORK_REAUTHORIZATION_NEEDED: {
    description: 'The network no longer accepts the account’s credentials (401).',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: 'account_needs_reauth',
  },
  NETWORK_FORBIDDEN: {
    description: 'The account is not allowed to edit this post (403).',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: null,
  },
  NETWORK_POST_DELETED: {
    description: 'The post no longer exists on the network (404, 410).',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: 'deleted_there',
  },
  NETWORK_CONFLICT: {
    description: 'The post was changed on the network at the same time (409).',
    source: 'D22',
    retried: true,
    inDoubt: false,
    effect: null,
  },
  NETWORK_REFUSED: {
    description: 'The network rejected the change (400, 422).',
    source: 'D22',
    retried: false,
    inDoubt: false,
    effect: null,
  },
  NETWORK_RATE_LIMITED: {
    description: 'The network’s rate limit is exceeded (429).',
    source: 'D22',
    retried: true,
    inDoubt: false,
    effect: null,
  },
  NETWORK_UNAVAILABLE: {
    description:
      'The network did not respond in time or did not respond properly (5xx, lost connection, HTML page).',
    source: 'D22',
    retried: true,
    inDoubt: true,
    effect: null,
  },
} as const satisfies Record<string, NetworkFailureEntry>;
export type NetworkFailureCode = keyof typeof NETWORK_FAILURES;
