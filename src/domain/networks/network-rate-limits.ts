import type { Network } from './networks.js';
import type { Account } from '../posts/post.js';

/** Maximum rate of edits on a network, over all processes. */
export interface NetworkRateLimit {
  /** Maximum edits in flight; also the burst after an idle period. */
  readonly maxConcurrent: number;
  /** Maximum edits started per minute, evenly spaced. */
  readonly maxPerMinute: number;
}

/**
 * Well below each network's own limits, which also count requests of other applications. Limits per
 * account need no entry: the network's Retry-After pauses the account. Null: only labels can change
 * (Update post, rule 3).
 */
export const NETWORK_RATE_LIMITS = {
  mastodon: { maxConcurrent: 4, maxPerMinute: 60 },
  wordpress: { maxConcurrent: 4, maxPerMinute: 60 },
  telegram: { maxConcurrent: 4, maxPerMinute: 60 },
  linkedin: { maxConcurrent: 2, maxPerMinute: 30 },
  youtube: { maxConcurrent: 1, maxPerMinute: 6 },
  google: { maxConcurrent: 1, maxPerMinute: 10 },
  facebook: { maxConcurrent: 4, maxPerMinute: 60 },
  twitter: null,
  pinterest: null,
  instagram: null,
  threads: null,
  bluesky: null,
  tiktok: null,
} as const satisfies Record<Network, NetworkRateLimit | null>;

/**
 * The sandbox sends no requests: this limit keeps one workspace's edits from occupying all workers.
 */
const SANDBOX_RATE_LIMIT: NetworkRateLimit = { maxConcurrent: 20, maxPerMinute: 6_000 };

/**
 * The rate bucket that edits of the account count toward, and its limits; null if its network
 * allows no edits.
 */
export function rateBucketOf({
  network,
  sandbox,
}: Pick<Account, 'network' | 'sandbox'>): (NetworkRateLimit & { readonly bucket: string }) | null {
  const limit = sandbox ? SANDBOX_RATE_LIMIT : NETWORK_RATE_LIMITS[network];
  return limit && { bucket: sandbox ? 'sandbox' : network, ...limit };
}
