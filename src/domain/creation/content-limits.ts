import type { PostType } from '../enums.js';
import { enumKeys } from '../enums.js';
import { NETWORKS, type Network } from '../networks/networks.js';
import type { LimitedPart } from '../networks/network-definition.js';
import type { LimitUnit } from './limit-units.js';

/** A limit of a network for posts of one type. */
export interface ContentLimit {
  readonly type: PostType;
  readonly field: LimitedPart;
  readonly max: number;
  readonly unit: LimitUnit;
  /** Each link of the text counts as this many; null if links count as they are. */
  readonly linkLength: number | null;
}

const limitsOf = (network: Network): ContentLimit[] => {
  const { postTypes, limits } = NETWORKS[network];
  return postTypes.flatMap((type) =>
    limits
      .filter(({ types }) => types?.includes(type) ?? true)
      .map(({ field, max, unit, linkLength = null }) => ({ type, field, max, unit, linkLength })),
  );
};

/** The limits of each network in its own units (D47): one row for each post type and part. */
export const CONTENT_LIMITS = Object.fromEntries(
  enumKeys<Network>(NETWORKS).map((network) => [network, limitsOf(network)]),
) as Record<Network, ContentLimit[]>;
