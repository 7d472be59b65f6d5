import type { VocabularyEntry } from '../enums.js';
import type { ErrorCode } from '../errors.js';
import type { Network } from '../networks/networks.js';

/** How far the connection of an account by consent has come (D83). */
export const CONNECTION_STATUSES = {
  started: {
    description: 'The person has not come back from the page of the network.',
    source: 'D83',
  },
  choose: {
    description: 'The person has several accounts. `finishConnection` connects some of them.',
    source: 'D83',
  },
  connected: { description: 'The accounts are connected.', source: 'D83' },
  failed: { description: 'No account was connected, for the reason in `error`.', source: 'D83' },
  expired: {
    description: 'The connection was not completed within 10 minutes. Start again.',
    source: 'D83',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type ConnectionStatus = keyof typeof CONNECTION_STATUSES;

/** Why a connection failed. */
export interface ConnectionError {
  readonly code: ErrorCode;
  /** One sentence for users; contains no secret. */
  readonly message: string;
}

/** An account that a person can connect. */
export interface ConnectionChoice {
  readonly id: string;
  readonly name: string;
  /** Its type, such as `page` or `channel`. */
  readonly kind: string;
  readonly picture: string | null;
  /** The account of the workspace that it is; null if it is none yet. */
  readonly accountId: string | null;
}

/** A connection of accounts by consent. Contains no secret. */
export interface Connection {
  readonly id: string;
  readonly network: Network;
  readonly status: ConnectionStatus;
  readonly expiresAt: Date;
  readonly choices: readonly ConnectionChoice[];
  /** The accounts that were connected. */
  readonly accountIds: readonly string[];
  readonly error: ConnectionError | null;
}

/** Limits of connections. */
export const CONNECTION_LIMITS = {
  /** How long a person may take to give consent, and again to choose, in milliseconds. */
  lifetimeMs: 600_000,
  /** Connections of a workspace that wait for consent at the same time. */
  startedPerWorkspace: 20,
  /** Accounts that one connection offers; networks list no more on one page. */
  choices: 200,
  urlLength: 2_000,
} as const;
