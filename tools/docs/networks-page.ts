import { isEditable } from '../../src/domain/networks/live-fields.js';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import type { CredentialField, Networks } from '../../src/services/networks/network-ports.js';
import { code, codes, NOTHING, page, table } from './markdown.js';

interface NetworkFacts {
  readonly adapters: Networks;
  /** The environment variable that `accounts connect` reads a field from. */
  readonly variableOf: (network: Network, field: string) => string;
}

const EDITED = wordsOf<Network>(NETWORKS).filter(isEditable);

/** docs/reference/networks.md: what each network has, what its adapter can do, and what connecting it asks for. */
export const networksPage = ({ adapters, variableOf }: NetworkFacts): string =>
  page(
    'Networks',
    'The same over GraphQL: `networks { network kind adapter { edits verified note } }`.',
    '## What each network has',
    table(
      ['network', 'meaning', 'accounts', 'post types', '`details.privacy`'],
      wordsOf<Network>(NETWORKS).map((network) => {
        const { meaning, accountTypes, postTypes, privacy } = NETWORKS[network];
        return [
          code(network),
          meaning,
          codes(accountTypes),
          codes(postTypes),
          privacy ? codes(privacy) : NOTHING,
        ];
      }),
    ),
    '## Edits that reach the network',
    'Verified: tried against the network itself. The others are tested against stand-ins of their documented interfaces, which check method, path, headers and body. On a network that is not here only labels change after publication, in the service’s own records.',
    table(
      ['network', 'verified', 'to know'],
      EDITED.map((network) => [
        code(network),
        adapters[network]?.verified ? 'yes' : 'no',
        adapters[network]?.note ?? NOTHING,
      ]),
    ),
    '## What connecting an account asks for',
    '`accounts connect <network>` asks for each, tries it there and keeps it sealed. Where nobody can answer, it reads the variables, or a JSON object of the fields on standard input (`--stdin`).',
    table(
      ['network', 'field', 'meaning', 'secret', 'variable'],
      EDITED.flatMap((network) =>
        (adapters[network]?.credentialFields ?? []).map((field) =>
          fieldRow(field, network, variableOf),
        ),
      ),
    ),
  );

const fieldRow = (
  { name, meaning, secret, optional }: CredentialField,
  network: Network,
  variableOf: NetworkFacts['variableOf'],
): string[] => [
  code(network),
  code(name),
  optional ? `${meaning} May be left out.` : meaning,
  secret ? 'yes' : 'no',
  code(variableOf(network, name)),
];
