import type { Account, Post } from '../posts/post.js';
import type { VocabularyEntry } from '../enums.js';
import type { NetworkFailureCode } from './network-failures.js';
import type { DeliveryGuarantee } from './network-definition.js';
import type { PostNumbers } from '../numbers/numbers.js';

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

/** A fraction of 1 that is always the same for a post and a purpose, and differs between posts. */
function fractionOf(postId: string, purpose: string): number {
  let hash = 0;
  for (const character of `${purpose} ${postId}`)
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x5bd1e995) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

const HOUR_MS = 3_600_000;
/** Most people see a post on its first day, some in the weeks after it. */
const shareOfReach = (ageMs: number): number =>
  0.8 * (1 - Math.exp(-ageMs / (12 * HOUR_MS))) + 0.2 * (1 - Math.exp(-ageMs / (480 * HOUR_MS)));

/** What of those who saw a post do something with it: at least, and how much more. */
const SANDBOX_REACTIONS = {
  likes: [0.02, 0.06],
  comments: [0.002, 0.01],
  shares: [0.002, 0.015],
  saves: [0.001, 0.01],
  linkClicks: [0.005, 0.03],
  postClicks: [0.02, 0.05],
} as const satisfies Partial<Record<keyof PostNumbers, readonly [number, number]>>;

/**
 * The numbers of a post of this age on the sandbox network. They depend on its document ID and its
 * age only, and never fall.
 */
export function sandboxNumbers(postId: string, ageMs: number): PostNumbers {
  // Between 200 and 20,000 people in the end: few posts are seen by many.
  const reach = 200 * 100 ** fractionOf(postId, 'reach') * shareOfReach(Math.max(0, ageMs));
  const reactions = Object.entries(SANDBOX_REACTIONS).map(([metric, [least, more]]) => [
    metric,
    Math.floor(reach * (least + more * fractionOf(postId, metric))),
  ]);
  return { reach: Math.floor(reach), ...(Object.fromEntries(reactions) as PostNumbers) };
}
