import { CONTENT_LIMITS, type ContentLimit } from '../../domain/creation/check-publishable.js';
import {
  guaranteeOf,
  NETWORKS,
  supportsEdits,
  type Network,
} from '../../domain/networks/networks.js';
import type { DeliveryGuarantee, GuaranteeRule } from '../../domain/networks/network-definition.js';
import { metricsOf } from '../../domain/numbers/numbers.js';
import { enumKeys, type PostType } from '../../domain/enums.js';
import type { Networks } from './network-ports.js';

/** What a network allows to find out about posts of a type, and why. */
export interface TypeGuarantee extends GuaranteeRule {
  readonly type: PostType;
}

/** Capabilities of the gateway's adapter for a network. */
export interface AdapterCapabilities {
  /** Whether changes of published posts are applied on the network. */
  readonly edits: boolean;
  /** Whether the adapter was tested against the network itself. */
  readonly verified: boolean;
  /** Remarks for users. */
  readonly note: string | null;
  /** Whether the service publishes posts to the network. */
  readonly publishes: boolean;
  /** Whether the service can remove published posts from the network. */
  readonly unpublishes: boolean;
  /** Null if the service does not publish to the network. */
  readonly guarantee: DeliveryGuarantee | null;
  /** The guarantee of each type of posts that the service publishes to the network (D85). */
  readonly guarantees: readonly TypeGuarantee[];
  /** The metrics that the service reads of published posts, as in `PostAnalytics`. */
  readonly numbers: readonly string[];
  readonly limits: readonly ContentLimit[];
}

/** The capabilities of one network. */
function capabilitiesOf(networks: Networks, network: Network): AdapterCapabilities {
  const { adapter, publishing, numbers } = NETWORKS[network];
  const { publishes, unpublishes, guarantee } = publishing;
  return {
    edits: supportsEdits(network),
    verified: adapter.verified,
    note: [adapter.note, networks[network]?.note].filter(Boolean).join(' '),
    publishes,
    unpublishes,
    guarantee: publishes ? guarantee : null,
    guarantees: publishing.postTypes.map((type) => ({ type, ...guaranteeOf(network, type) })),
    numbers: numbers ? metricsOf(numbers) : [],
    limits: CONTENT_LIMITS[network],
  };
}

/**
 * The capabilities for every network, including those whose published posts change in the service
 * only (Update post, rule 3).
 */
export const adapterCapabilities = (
  networks: Networks,
): Readonly<Record<Network, AdapterCapabilities>> =>
  Object.fromEntries(
    enumKeys(NETWORKS).map((network) => [network, capabilitiesOf(networks, network)]),
  ) as Record<Network, AdapterCapabilities>;
