import { DELETE_RULES } from '../../src/domain/rules/delete-rules.js';
import {
  NETWORK_KINDS,
  networkKindOf,
  NETWORKS,
  type Network,
} from '../../src/domain/networks/networks.js';
import { enumKeys } from '../../src/domain/enums.js';
import { code, EMPTY_CELL, number, page, ruleLink, table } from './markdown.js';
import type { PublishedEditRule } from '../../src/domain/networks/network-definition.js';

const editRulesOf = (network: Network): readonly PublishedEditRule[] => NETWORKS[network].edits;

/** The fields of a network's published posts that can be edited in this target. */
function editableFields(network: Network, appliesTo: PublishedEditRule['appliesTo']): string {
  const rules = editRulesOf(network).filter((rule) => rule.appliesTo === appliesTo);
  return rules.length === 0 ? EMPTY_CELL : rules.map(fieldText).join(', ');
}

function fieldText({ field, maxLength, types }: PublishedEditRule): string {
  const restrictions = [
    types.length > 0 && `${types.join(', ')} only`,
    maxLength !== null && `at most ${number(maxLength)} characters`,
  ].filter(Boolean);
  return code(field) + (restrictions.length === 0 ? '' : ` (${restrictions.join(', ')})`);
}

/** docs/reference/rules.md: editable fields after publication, and deletion rules. */
export const rulesPage = (): string =>
  page(
    'Edit and delete rules',
    'This page lists the fields that you can edit after publication and the posts that you can delete. To query the rules of each network, use `networks { network editable { field maxLength types appliesTo } }`. To see what the current user can do with a post, read the post’s fields `editability` and `deletability`.',
    '## Editable fields after publication',
    'In the state `published_posted`, you can edit only the fields in this table. The table spells them as in the GraphQL type `PostPatch`. v1 uses snake_case. `details.language` means the key `language` of `details`. Lengths are in Unicode code points. If an update changes any other field, the gateway rejects the whole update with RULE_VIOLATION, and returns one message per field.',
    table(
      ['network', 'kind', 'edited in the gateway and on the network', 'edited in the gateway only'],
      enumKeys<Network>(NETWORKS).map((network) => [
        code(network),
        NETWORK_KINDS[networkKindOf(network)].description.replace(/\.$/, ''),
        editableFields(network, 'service_and_network'),
        editableFields(network, 'service'),
      ]),
    ),
    'In the states `published_deleted` and `published_hidden`, you can edit only `labels`. Before publication, you can edit every field that the network, type and state support. For the maximum lengths, see [Limits](limits.md).',
    '## Deletion rules',
    'The gateway checks the rules in this order. The first rule that rejects the deletion determines the error.',
    table(
      ['rule', 'code', 'message'],
      DELETE_RULES.map(({ rule, code: errorCode, message }) => [
        ruleLink(rule),
        code(errorCode),
        message,
      ]),
    ),
  );
