import { CONTENT_LIMITS, type ContentLimit } from '../../src/domain/creation/content-limits.js';
import { CONTENT_NEEDS, type ContentNeed } from '../../src/domain/creation/content-needs.js';
import { LIMIT_UNITS } from '../../src/domain/creation/limit-units.js';
import { supportsEdits } from '../../src/domain/networks/live-fields.js';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import {
  DELIVERY_GUARANTEES,
  PUBLICATIONS,
} from '../../src/domain/networks/publication-guarantees.js';
import { enumKeys } from '../../src/domain/enums.js';
import type { CredentialField, Networks } from '../../src/services/networks/network-ports.js';
import { code, codes, EMPTY_CELL, number, page, table } from './markdown.js';

interface NetworkFacts {
  readonly adapters: Networks;
  /** The environment variable from which `accounts connect` reads a credential. */
  readonly variableOf: (network: Network, field: string) => string;
}

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

const needsText = (needs: readonly ContentNeed[]): string =>
  needs.length > 0
    ? needs.map(({ path, message }) => `${code(path.join('.'))} ${message}`).join(' ')
    : EMPTY_CELL;

const limitsText = (limits: readonly ContentLimit[]): string =>
  limits.length > 0
    ? limits.map(({ field, max, unit }) => `${code(field)} ${number(max)} ${code(unit)}`).join(', ')
    : EMPTY_CELL;

const EDITABLE_NETWORKS = enumKeys<Network>(NETWORKS).filter(supportsEdits);

/**
 * docs/reference/networks.md: features of each network, its adapter and the credentials that it
 * needs.
 */
export const networksPage = ({ adapters, variableOf }: NetworkFacts): string =>
  page(
    'Networks',
    'This page lists what the gateway supports on each network, and which credentials it needs. An *adapter* is the code that calls the API of a network. To query the kind and the adapter of each network, use `networks { network kind adapter { edits verified note publishes unpublishes guarantee limits { type field max unit } } }`.',
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
    '## Publication',
    'The first table states whether the gateway can publish posts on the real network and remove them there. If the gateway cannot publish on a network, accounts of that network accept only drafts and reminders. The exception is sandbox accounts: on the sandbox network, the gateway publishes posts of all networks. The guarantee, which the second table describes, states how the gateway avoids publishing a post twice if a call ended without a response.',
    table(
      ['network', 'publishes', 'removes', 'guarantee'],
      enumKeys<Network>(NETWORKS).map((network) => {
        const { publishes, unpublishes, guarantee } = PUBLICATIONS[network];
        return [code(network), yesOrNo(publishes), yesOrNo(unpublishes), code(guarantee)];
      }),
    ),
    table(
      ['guarantee', 'description'],
      enumKeys(DELIVERY_GUARANTEES).map((guarantee) => [
        code(guarantee),
        DELIVERY_GUARANTEES[guarantee].description,
      ]),
    ),
    '## Content of a scheduled post',
    'The first table lists the required fields and the limits of a post, by network and type. The second table describes the units of the limits. Drafts can be incomplete. The text limit of `options` applies to each option, and the text limit of `tags` applies to all tags together. On `mastodon`, each link in the text counts as 23 characters.',
    table(
      ['network', 'type', 'needs', 'limits'],
      enumKeys<Network>(NETWORKS).flatMap((network) =>
        NETWORKS[network].postTypes.map((type) => [
          code(network),
          code(type),
          needsText(CONTENT_NEEDS[network][type] ?? []),
          limitsText(CONTENT_LIMITS[network].filter((limit) => limit.type === type)),
        ]),
      ),
    ),
    table(
      ['unit', 'description'],
      enumKeys(LIMIT_UNITS).map((unit) => [code(unit), LIMIT_UNITS[unit].description]),
    ),
    '## Edits on the network',
    'A verified adapter was tested against the network itself. Tests check the other adapters against simulations of the documented APIs, which verify method, path, headers and body. On networks that this table does not list, you can edit only labels after publication, and the service does not send them to the network.',
    table(
      ['network', 'verified', 'note'],
      EDITABLE_NETWORKS.map((network) => [
        code(network),
        yesOrNo(adapters[network]?.verified ?? false),
        adapters[network]?.note ?? EMPTY_CELL,
      ]),
    ),
    '## Credentials',
    'The command `accounts connect <network>` prompts for these fields, verifies them with the network and stores them encrypted. Without a terminal, the command reads them from the environment variables in the table, or as a JSON object from standard input (`--stdin`).',
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
  yesOrNo(secret),
  code(variableOf(network, name)),
];
