import { supportsEdits } from '../../domain/networks/live-fields.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
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
}

const LABELS_ONLY: AdapterCapabilities = {
  edits: false,
  verified: false,
  note: 'Published posts cannot be edited on this network. Labels can be changed in the service.',
};

/**
 * The capabilities for every network, including those whose published posts change in the service
 * only (Update post, rule 3).
 */
export const adapterCapabilities = (
  networks: Networks,
): Readonly<Record<Network, AdapterCapabilities>> =>
  Object.fromEntries(
    enumKeys(NETWORKS).map((network) => {
      const adapter = networks[network];
      return [
        network,
        adapter && supportsEdits(network)
          ? { edits: true, verified: adapter.verified, note: adapter.note }
          : LABELS_ONLY,
      ];
    }),
  ) as Record<Network, AdapterCapabilities>;
