import type { Network } from '../networks/networks.js';

/**
 * An address with which people without an API key connect accounts to one workspace, for example
 * clients of an agency. Its secret is not part of it.
 */
export interface ConnectLink {
  readonly id: string;
  /** The networks whose accounts can be connected, at least one. */
  readonly networks: readonly Network[];
  readonly expiresAt: Date;
  readonly revoked: boolean;
}

/** Limits of connect links. */
export const CONNECT_LINK_LIMITS = {
  /** How long a link can be used, by default and at most, in milliseconds. */
  lifetimeMs: 86_400_000,
  /** Links of a workspace that can be used at the same time. */
  perWorkspace: 100,
  /** Connections of a link that wait for consent at the same time. */
  startedPerLink: 5,
} as const;
