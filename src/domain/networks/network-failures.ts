import type { Word } from '../vocabulary.js';

/** What an answer may tell about the account or the post, beyond the edit that it answers. */
export type NetworkFailureTells = 'account_needs_reauth' | 'deleted_there';

interface NetworkFailureEntry extends Word {
  /** Whether the same edit may go through later without anybody doing anything. */
  readonly retried: boolean;
  /** Whether the network may have made the change all the same: what is live there is then not known for sure. */
  readonly inDoubt: boolean;
  /** What it tells about the account or the post, beyond this edit (D22). */
  readonly tells: NetworkFailureTells | null;
}

/** Why an edit did not reach its network: the codes of a job's failures. */
export const NETWORK_FAILURES = {
  NETWORK_NOT_CONNECTED: {
    meaning: 'The service has no credentials for the account, or none that can be used.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    tells: null,
  },
  NETWORK_POST_UNKNOWN: {
    meaning: 'The service was never told which post of the network this is.',
    source: 'D22',
    retried: false,
    inDoubt: false,
    tells: null,
  },
  NETWORK_REAUTHORIZATION_NEEDED: {
    meaning: 'The network no longer takes the account’s credentials (401).',
    source: 'D22',
    retried: false,
    inDoubt: false,
    tells: 'account_needs_reauth',
  },
  NETWORK_FORBIDDEN: {
    meaning: 'The account may not edit this post (403).',
    source: 'D22',
    retried: false,
    inDoubt: false,
    tells: null,
  },
  NETWORK_POST_DELETED: {
    meaning: 'The post is no longer on the network (404, 410).',
    source: 'D22',
    retried: false,
    inDoubt: false,
    tells: 'deleted_there',
  },
  NETWORK_CONFLICT: {
    meaning: 'The post was being changed there at the same time (409).',
    source: 'D22',
    retried: true,
    inDoubt: false,
    tells: null,
  },
  NETWORK_REFUSED: {
    meaning: 'The network does not accept the change (400, 422).',
    source: 'D22',
    retried: false,
    inDoubt: false,
    tells: null,
  },
  NETWORK_RATE_LIMITED: {
    meaning: 'The network asks for a pause (429).',
    source: 'D22',
    retried: true,
    inDoubt: false,
    tells: null,
  },
  NETWORK_UNAVAILABLE: {
    meaning:
      'The network did not answer in time, or not as itself (5xx, a cut connection, an HTML page).',
    source: 'D22',
    retried: true,
    inDoubt: true,
    tells: null,
  },
} as const satisfies Record<string, NetworkFailureEntry>;
export type NetworkFailureCode = keyof typeof NETWORK_FAILURES;
