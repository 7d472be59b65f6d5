import type { Network } from './networks.js';
import type { Account } from '../posts/post.js';

/** How many edits a network is asked to bear from all processes together. */
export interface NetworkPace {
  /** Edits that are out at one moment; after a rest as many may begin together. */
  readonly atOnce: number;
  /** Edits that are begun in a minute while there are many: their turns are as far apart as that says. */
  readonly perMinute: number;
}

/**
 * Well below what each network lets a single application do, since its own limits count what others do too. What one
 * account may do it says itself: its Retry-After pauses the account. Null: only labels change there (Update post, rule 3).
 */
export const NETWORK_PACE = {
  mastodon: { atOnce: 4, perMinute: 60 },
  wordpress: { atOnce: 4, perMinute: 60 },
  telegram: { atOnce: 4, perMinute: 60 },
  linkedin: { atOnce: 2, perMinute: 30 },
  youtube: { atOnce: 1, perMinute: 6 },
  google: { atOnce: 1, perMinute: 10 },
  facebook: { atOnce: 4, perMinute: 60 },
  twitter: null,
  pinterest: null,
  instagram: null,
  threads: null,
  bluesky: null,
  tiktok: null,
} as const satisfies Record<Network, NetworkPace | null>;

/** The sandbox calls nobody: this keeps one workspace's edits from taking every worker. */
const SANDBOX_PACE: NetworkPace = { atOnce: 20, perMinute: 6_000 };

/** Where the edits of an account go, and how fast; null where none go. */
export function laneOf({
  network,
  sandbox,
}: Pick<Account, 'network' | 'sandbox'>): (NetworkPace & { readonly lane: string }) | null {
  const pace = sandbox ? SANDBOX_PACE : NETWORK_PACE[network];
  return pace && { lane: sandbox ? 'sandbox' : network, ...pace };
}
