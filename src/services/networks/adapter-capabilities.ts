import { CONTENT_LIMITS, type ContentLimit } from '../../domain/creation/content-rules.js';
import { supportsEdits } from '../../domain/networks/networks.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import type { DeliveryGuarantee } from '../../domain/networks/network-definition.js';
import { enumKeys } from '../../domain/enums.js';
import type { Networks } from './network-ports.js';

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
  readonly limits: readonly Omit<ContentLimit, 'linkLength'>[];
}

const WITHOUT_ADAPTER =
  'Published posts cannot be edited on this network. Labels can be changed in the gateway.';

/** The capabilities of one network. */
function capabilitiesOf(networks: Networks, network: Network): AdapterCapabilities {
  const { adapter, publishing } = NETWORKS[network];
  const { publishes, unpublishes, guarantee } = publishing;
  return {
    edits: supportsEdits(network),
    verified: adapter?.verified ?? false,
    note: adapter
      ? [adapter.note, networks[network]?.note].filter(Boolean).join(' ')
      : WITHOUT_ADAPTER,
    publishes,
    unpublishes,
    guarantee: publishes ? guarantee : null,
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
