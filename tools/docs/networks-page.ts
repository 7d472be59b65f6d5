import { supportsEdits } from '../../src/domain/networks/live-fields.js';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import { enumKeys } from '../../src/domain/enums.js';
import type { CredentialField, Networks } from '../../src/services/networks/network-ports.js';
import { code, codes, EMPTY_CELL, page, table } from './markdown.js';

interface NetworkFacts {
  readonly adapters: Networks;
  /** The environment variable from which `accounts connect` reads a credential. */
  readonly variableOf: (network: Network, field: string) => string;
}

const EDITABLE_NETWORKS = enumKeys<Network>(NETWORKS).filter(supportsEdits);

/**
 * docs/reference/networks.md: features of each network, its adapter and the credentials that it
 * needs.
 */
export const networksPage = ({ adapters, variableOf }: NetworkFacts): string =>
  page(
    'Networks',
    'GraphQL returns the kind and the adapter of each network as `networks { network kind adapter { edits verified note } }`.',
    '## Supported features',
    table(
      ['network', 'description', 'account types', 'post types', '`details.privacy`'],
      enumKeys<Network>(NETWORKS).map((network) => {
        const { description, accountTypes, postTypes, privacy } = NETWORKS[network];
        return [
          code(network),
          description,
          codes(accountTypes),
          codes(postTypes),
          privacy ? codes(privacy) : EMPTY_CELL,
        ];
      }),
    ),
    '## Edits on the network',
    'Verified adapters were tested against the network itself. The other adapters are tested against simulations of the documented APIs, which check method, path, headers and body. On networks that are not listed, only labels can be edited after publication, and only in the service.',
    table(
      ['network', 'verified', 'note'],
      EDITABLE_NETWORKS.map((network) => [
        code(network),
        adapters[network]?.verified ? 'yes' : 'no',
        adapters[network]?.note ?? EMPTY_CELL,
      ]),
    ),
    '## Credentials',
    '`accounts connect <network>` prompts for these fields, verifies them with the network and stores them encrypted. Without a terminal it reads them from the environment variables, or as a JSON object from standard input (`--stdin`).',
    table(
      ['network', 'field', 'description', 'secret', 'variable'],
      EDITABLE_NETWORKS.flatMap((network) =>
        (adapters[network]?.credentialFields ?? []).map((field) =>
          fieldRow(field, network, variableOf),
        ),
      ),
    ),
  );

const fieldRow = (
  { name, description, secret, optional }: CredentialField,
  network: Network,
  variableOf: NetworkFacts['variableOf'],
): string[] => [
  code(network),
  code(name),
  optional ? `${description} Optional.` : description,
  secret ? 'yes' : 'no',
  code(variableOf(network, name)),
];
