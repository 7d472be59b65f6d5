import type { Account, Post } from '../posts/post.js';
import type { VocabularyEntry } from '../enums.js';
import type { NetworkFailureCode } from './network-failures.js';
import type { DeliveryGuarantee } from './network-definition.js';

/**
 * The failures that can be injected into the sandbox: those reported by a network, not those the
 * service detects before it sends a request.
 */
export const SANDBOX_FAILURES = [
  'NETWORK_REAUTHORIZATION_NEEDED',
  'NETWORK_FORBIDDEN',
  'NETWORK_POST_DELETED',
  'NETWORK_CONFLICT',
  'NETWORK_REFUSED',
  'NETWORK_RATE_LIMITED',
  'NETWORK_UNAVAILABLE',
] as const satisfies readonly NetworkFailureCode[];
export type SandboxFailure = (typeof SANDBOX_FAILURES)[number];

/** Faults of the call that publishes a post, which can be injected into the sandbox. */
export const SANDBOX_PUBLISH_FAULTS = {
  refuse: { description: 'The network rejects the post.', source: 'D53' },
  duplicate: {
    description: 'The network says that the account already has a post with this content.',
    source: 'D53',
  },
  cut_before: {
    description: 'The connection is interrupted before the network takes the post.',
    source: 'D53',
  },
  cut_after: {
    description: 'The network takes the post, then the connection is interrupted.',
    source: 'D53',
  },
  error_after: {
    description: 'The network takes the post, then responds with 500.',
    source: 'D53',
  },
  hang_before: {
    description: 'The network does not respond for 29 seconds, and does not take the post.',
    source: 'D53',
  },
  hang_after: {
    description: 'The network takes the post, and then does not respond for 29 seconds.',
    source: 'D53',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type SandboxPublishFault = keyof typeof SANDBOX_PUBLISH_FAULTS;

/** Faults of the call that removes a post, which can be injected into the sandbox. */
export const SANDBOX_REMOVE_FAULTS = {
  refuse: { description: 'The network rejects the removal.', source: 'D62' },
  cut_before: {
    description: 'The connection is interrupted before the network removes the post.',
    source: 'D62',
  },
  cut_after: {
    description: 'The network removes the post, then the connection is interrupted.',
    source: 'D62',
  },
  error_before: {
    description: 'The network responds with 500, and does not remove the post.',
    source: 'D62',
  },
  error_after: {
    description: 'The network removes the post, then responds with 500.',
    source: 'D62',
  },
  hang_before: {
    description: 'The network does not respond for 29 seconds, and does not remove the post.',
    source: 'D62',
  },
  hang_after: {
    description: 'The network removes the post, and then does not respond for 29 seconds.',
    source: 'D62',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type SandboxRemoveFault = keyof typeof SANDBOX_REMOVE_FAULTS;

/**
 * Injected faults. `fail`, `delayMs`, `publish` and `remove` apply to one post; the others to its
 * account, as on real networks.
 */
export interface SandboxFaults {
  /** Result of the post's next `times` edits. */
  readonly fail: { readonly code: SandboxFailure; readonly times: number } | null;
  /** Duration of each edit of the post, in milliseconds of real time. */
  readonly delayMs: number | null;
  /** Remaining seconds, on the sandbox clock, in which the account's edits are rejected. */
  readonly rateLimitSeconds: number | null;
  /** Whether the account's credentials are rejected. */
  readonly tokenExpired: boolean;
  /** Result of the next `times` calls that publish the post. */
  readonly publish: { readonly fault: SandboxPublishFault; readonly times: number } | null;
  /** Result of the next `times` calls that remove the post. */
  readonly remove: { readonly fault: SandboxRemoveFault; readonly times: number } | null;
  /** How well the network tells whether it has a post of the account (D54). */
  readonly guarantee: DeliveryGuarantee;
  /** Seconds of the sandbox clock until a new post appears in the list of the account. */
  readonly listLagSeconds: number;
}

/** No injected faults. */
export const NO_FAULTS: SandboxFaults = {
  fail: null,
  delayMs: null,
  rateLimitSeconds: null,
  tokenExpired: false,
  publish: null,
  remove: null,
  guarantee: 'exact',
  listLagSeconds: 0,
};

/**
 * Maximum of each fault; the minimum is 1. The delay stays below the adapters' timeout of 30
 * seconds.
 */
export const SANDBOX_LIMITS = {
  times: 1_000,
  delayMs: 20_000,
  rateLimitSeconds: 86_400,
  listLagSeconds: 86_400,
} as const;

/** Maximum seconds that the sandbox clock can be ahead of real time: a year. */
export const MAX_CLOCK_ADVANCE_SECONDS = 31_536_000;

/** A post as the sandbox network shows it, which may differ from the saved post. */
export interface SandboxView {
  readonly post: Post;
  readonly edits: number;
  readonly editedAt: Date | null;
}

/** An account on the sandbox network, and its posts, newest first. */
export interface SandboxTimeline {
  readonly account: Account;
  readonly posts: readonly SandboxView[];
}

/** The sandbox clock of one workspace. */
export interface SandboxClock {
  readonly now: Date;
  readonly aheadSeconds: number;
}
