import { isEditable } from '../../domain/networks/live-fields.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import { wordsOf } from '../../domain/vocabulary.js';
import type { Networks } from './network-ports.js';

/** What the gateway's connection to a network can do. */
export interface AdapterFacts {
  /** Whether changes of published posts are brought to the network. */
  readonly edits: boolean;
  /** Whether this was tried against the network itself. */
  readonly verified: boolean;
  /** What else there is to know, for people. */
  readonly note: string | null;
}

const LABELS_ONLY: AdapterFacts = {
  edits: false,
  verified: false,
  note: 'Nothing can change there after publication: labels change in the service’s own records.',
};

/** Of every network, those included whose posts change in the service only (Update post, rule 3). */
export const adapterFacts = (networks: Networks): Readonly<Record<Network, AdapterFacts>> =>
  Object.fromEntries(
    wordsOf(NETWORKS).map((network) => {
      const adapter = networks[network];
      return [
        network,
        adapter && isEditable(network)
          ? { edits: true, verified: adapter.verified, note: adapter.note }
          : LABELS_ONLY,
      ];
    }),
  ) as Record<Network, AdapterFacts>;
