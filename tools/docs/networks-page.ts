import {
  CONTENT_LIMITS,
  type ContentLimit,
  CONTENT_NEEDS,
} from '../../src/domain/creation/check-publishable.js';
import { LIMIT_UNITS } from '../../src/domain/creation/limit-units.js';
import {
  type ContentNeed,
  DELIVERY_GUARANTEES,
} from '../../src/domain/networks/network-definition.js';
import {
  guaranteeOf,
  NETWORK_KINDS,
  NETWORKS,
  type Network,
  supportsEdits,
  COUNTED_NETWORKS,
  credentialFieldsOf,
  type CredentialField,
  networkKindOf,
} from '../../src/domain/networks/networks.js';
import { COUNTED_METRICS } from '../../src/domain/numbers/numbers.js';
import { enumKeys, type PostType } from '../../src/domain/enums.js';
import { adapterCapabilities } from '../../src/services/networks/adapter-capabilities.js';
import type { Networks } from '../../src/services/networks/network-ports.js';
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
    ? limits
        .map(({ field, max, unit }) => `${code(field)}: ${number(max)} ${code(unit)}`)
        .join(', ')
    : EMPTY_CELL;

const EDITABLE_NETWORKS = enumKeys<Network>(NETWORKS).filter(supportsEdits);

/** The guarantees of a network's posts, with all types that share one in a row. */
function guaranteeRows(network: Network): string[][] {
  const byRule = new Map<string, PostType[]>();
  for (const type of NETWORKS[network].publishing.postTypes) {
    const { guarantee, reason } = guaranteeOf(network, type);
    const row = `${code(guarantee)}\n${reason}`;
    byRule.set(row, [...(byRule.get(row) ?? []), type]);
  }
  return [...byRule].map(([row, types]) => [code(network), codes(types), ...row.split('\n')]);
}

/**
 * docs/reference/networks.md: features of each network, its adapter and the credentials that it
 * needs.
 */
export const networksPage = ({ adapters, variableOf }: NetworkFacts): string =>
  page(
    'Networks',
    'This page lists the features that the gateway supports on each network, and the credentials that each network requires. An *adapter* is the code that calls a network’s API. To query the kind and adapter of each network, use `networks { network kind adapter { edits verified note publishes unpublishes guarantee guarantees { type guarantee reason } numbers limits { type field max unit } } }`.',
    '## Supported features',
    table(
      ['network', 'kind', 'account types', 'post types', '`details.privacy`'],
      enumKeys<Network>(NETWORKS).map((network) => {
        const { accountTypes, postTypes, privacy } = NETWORKS[network];
        return [
          code(network),
          NETWORK_KINDS[networkKindOf(network)].description.replace(/\.$/, ''),
          codes(accountTypes),
          codes(postTypes),
          privacy ? codes(privacy) : EMPTY_CELL,
        ];
      }),
    ),
    '## Publication',
    'The first table shows whether the gateway can publish posts on the real network and remove them from it. If the gateway cannot publish on a network, accounts on that network accept only drafts and reminders. The same applies to post types and media types that the table does not list for the network. Sandbox accounts are an exception: the gateway publishes all of their posts on the sandbox network. The *guarantee* states how the gateway avoids publishing a post twice if a call ends without a response. The second table describes the guarantees. A *verified* adapter has been tested against the real network.',
    table(
      ['network', 'can publish', 'can remove', 'guarantee', 'verified', 'post types', 'media'],
      enumKeys<Network>(NETWORKS).map((network) => {
        const { publishes, unpublishes, guarantee, postTypes, mediaTypes } =
          NETWORKS[network].publishing;
        return [
          code(network),
          yesOrNo(publishes),
          yesOrNo(unpublishes),
          code(guarantee),
          yesOrNo(publishes && NETWORKS[network].adapter.verified),
          postTypes.length > 0 ? codes(postTypes) : EMPTY_CELL,
          mediaTypes.length > 0 ? codes(mediaTypes) : EMPTY_CELL,
        ];
      }),
    ),
    table(
      ['guarantee', 'description'],
      enumKeys(DELIVERY_GUARANTEES).map((guarantee) => [
        code(guarantee),
        DELIVERY_GUARANTEES[guarantee].description,
      ]),
    ),
    'The guarantee can differ by post type:',
    table(
      ['network', 'post types', 'guarantee', 'reason'],
      enumKeys<Network>(NETWORKS).flatMap(guaranteeRows),
    ),
    '## Content of a scheduled post',
    'The first table lists the required fields and the limits of a post, by network and type. Drafts can be incomplete. The second table lists settings with few values, and the third describes the units. The length limit of `options` applies to each option, and that of `tags` to all tags together. The limit of `text` counts what the network gets: on `mastodon` and `twitter`, with the question of a poll and the link of a link post; on `mastodon`, also with the content warning, with 23 characters for each link that has a scheme, and without the servers of mentions; on `threads`, with the question of a poll and with each emoji as its bytes in UTF-8; on `bluesky`, with long addresses shortened; on `telegram`, without markup.',
    table(
      ['network', 'types', 'requirements', 'limits'],
      enumKeys<Network>(NETWORKS).flatMap(contentRows),
    ),
    table(
      ['network', 'values that it takes'],
      enumKeys<Network>(NETWORKS).flatMap((network) => {
        const { values } = NETWORKS[network];
        return values ? [[code(network), needsText(values)]] : [];
      }),
    ),
    table(
      ['unit', 'description'],
      enumKeys(LIMIT_UNITS).map((unit) => [code(unit), LIMIT_UNITS[unit].description]),
    ),
    '## Edits on the network',
    'Adapters that are not verified have been tested only against simulations of the documented APIs, which check the method, path, headers and body of each request. On networks that this table does not list, you can edit only the labels of a published post, and the gateway does not send labels to networks.',
    table(
      ['network', 'verified', 'what you can edit'],
      EDITABLE_NETWORKS.map((network) => [
        code(network),
        yesOrNo(NETWORKS[network].adapter.verified),
        adapterCapabilities(adapters)[network].note ?? EMPTY_CELL,
      ]),
    ),
    '## Metrics of published posts',
    'The table shows where each metric of `PostAnalytics` comes from on the networks that the gateway reads; see [Analytics](../analytics.md). `engagement` is the sum of `likes`, `comments`, `shares` and `saves`, as far as the network reports them, `engagementRate` is `engagement` divided by `reach`, and `clickThroughRate` is `linkClicks` divided by `reach`. On other networks, all metrics are null: the gateway reads none there. Sandbox accounts have simulated metrics on every network.',
    table(
      ['network', 'metric', 'source'],
      COUNTED_NETWORKS.flatMap((network) => {
        const { sources, missing } = NETWORKS[network].numbers!;
        return COUNTED_METRICS.map((metric) => [
          code(network),
          code(metric),
          sources[metric] ?? `null: ${missing}`,
        ]);
      }),
    ),
    '## Credentials',
    'The command `accounts connect <network>` prompts for these credentials, verifies them with the network and stores them encrypted. Without a terminal, it reads them from the environment variables in the table or, with `--stdin`, from a JSON object on standard input.',
    table(
      ['network', 'field', 'description', 'secret', 'variable'],
      enumKeys<Network>(NETWORKS).flatMap((network) =>
        credentialFieldsOf(network).map((field) => fieldRow(field, network, variableOf)),
      ),
    ),
  );

/** One row for all types of a network that have the same requirements and limits. */
function contentRows(network: Network): string[][] {
  const typesOf = new Map<string, string[]>();
  for (const type of NETWORKS[network].postTypes) {
    const requirements = needsText(CONTENT_NEEDS[network][type] ?? []);
    const limits = limitsText(CONTENT_LIMITS[network].filter((limit) => limit.type === type));
    const key = JSON.stringify([requirements, limits]);
    typesOf.set(key, [...(typesOf.get(key) ?? []), type]);
  }
  return [...typesOf].map(([key, types]) => [
    code(network),
    codes(types),
    ...(JSON.parse(key) as [string, string]),
  ]);
}

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
