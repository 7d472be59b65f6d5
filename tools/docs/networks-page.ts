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
    ? limits.map(({ field, max, unit }) => `${code(field)} ${number(max)} ${unit}`).join(', ')
    : EMPTY_CELL;

const EDITABLE_NETWORKS = enumKeys<Network>(NETWORKS).filter(supportsEdits);

/**
 * docs/reference/networks.md: features of each network, its adapter and the credentials that it
 * needs.
 */
export const networksPage = ({ adapters, variableOf }: NetworkFacts): string =>
  page(
    'Networks',
    'GraphQL returns the kind and the adapter of each network as `networks { network kind adapter { edits verified note publishes unpublishes guarantee limits { type field max unit } } }`.',
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
    'On the sandbox network, posts of all networks are published. Accounts of a network that the gateway does not publish to accept drafts and reminders only. The guarantee says how a second publication is prevented after a call that ended without a response.',
    table(
      ['network', 'publishes', 'removes', 'guarantee'],
      enumKeys<Network>(NETWORKS).map((network) => {
        const { publishes, unpublishes, guarantee } = PUBLICATIONS[network];
        return [code(network), yesOrNo(publishes), yesOrNo(unpublishes), code(guarantee)];
      }),
    ),
    '## Content of a scheduled post',
    'What a post needs and may have at most, by network and type. Drafts are checked when they are scheduled. A limit of the text of `options` applies to each option, one of `tags` to all tags together. On the federated microblog, each link in the text counts as 23.',
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
    table(
      ['guarantee', 'description'],
      enumKeys(DELIVERY_GUARANTEES).map((guarantee) => [
        code(guarantee),
        DELIVERY_GUARANTEES[guarantee].description,
      ]),
    ),
    '## Edits on the network',
    'Verified adapters were tested against the network itself. The other adapters are tested against simulations of the documented APIs, which check method, path, headers and body. On networks that are not listed, only labels can be edited after publication, and only in the service.',
    table(
      ['network', 'verified', 'note'],
      EDITABLE_NETWORKS.map((network) => [
        code(network),
        yesOrNo(adapters[network]?.verified ?? false),
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
  yesOrNo(secret),
  code(variableOf(network, name)),
];
