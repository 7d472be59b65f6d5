import type { NetworkFailureCode } from './network-failures.js';

/** What the sandbox network can be told to answer an edit with: all that a network itself says, and not what the service finds before it asks. */
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

/** Faults on demand. The first two are of one post; pace and token are its account's, as on any network. */
export interface SandboxFaults {
  /** What the next so many edits of the post are answered with. */
  readonly fail: { readonly code: SandboxFailure; readonly times: number } | null;
  /** How long each edit of the post takes, in real milliseconds. */
  readonly delayMs: number | null;
  /** How much longer the account's edits are turned away, in seconds of the sandbox's clock. */
  readonly rateLimitSeconds: number | null;
  /** Whether the account's credentials are no longer taken. */
  readonly tokenExpired: boolean;
}

export const NO_FAULTS: SandboxFaults = {
  fail: null,
  delayMs: null,
  rateLimitSeconds: null,
  tokenExpired: false,
};

/** What each fault may be at most; every one is at least 1. A delay leaves an adapter's 30 seconds room. */
export const SANDBOX_LIMITS = { times: 1_000, delayMs: 20_000, rateLimitSeconds: 86_400 } as const;

/** How far the sandbox's clock may be ahead: a year, in seconds. */
export const MOST_AHEAD_SECONDS = 31_536_000;
