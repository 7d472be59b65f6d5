import { DELETE_RULES } from '../../src/domain/rules/delete-rules.js';
import { EDIT_RULES, type EditRule } from '../../src/domain/rules/edit-rules.js';
import { NETWORK_KINDS, NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import { code, NOTHING, page, table } from './markdown.js';

const rulesOf = (network: Network): readonly EditRule[] => EDIT_RULES[network];

/** What may change on the posts of a network after publication, by where it goes. */
function fields(network: Network, appliesTo: EditRule['appliesTo']): string {
  const rules = rulesOf(network).filter((rule) => rule.appliesTo === appliesTo);
  return rules.length === 0 ? NOTHING : rules.map(fieldText).join(', ');
}

function fieldText({ field, maxLength, types }: EditRule): string {
  const notes = [
    types.length > 0 && `${types.join(', ')} only`,
    maxLength !== null && `at most ${maxLength} characters`,
  ].filter(Boolean);
  return code(field) + (notes.length === 0 ? '' : ` (${notes.join(', ')})`);
}

/** docs/reference/rules.md: what may change after publication, and who may delete what. */
export const rulesPage = (): string =>
  page(
    'Rules for changes',
    'The same over GraphQL: `networks { network editable { field maxLength types appliesTo } }`, and for one post and one viewer `editability` and `deletability`.',
    '## What may change after publication',
    'Of posts in the state `published_posted`. Names are those of GraphQL’s `PostPatch`; v1 writes them in snake_case. `details.language` is one setting inside `details`. Lengths count Unicode code points. Whatever is not named here is refused with RULE_VIOLATION, with one message for each field, and nothing is applied.',
    table(
      ['network', 'kind', 'changes there too', 'changes in the service alone'],
      wordsOf<Network>(NETWORKS).map((network) => [
        code(network),
        NETWORK_KINDS[NETWORKS[network].kind].meaning.replace(/\.$/, ''),
        fields(network, 'service_and_network'),
        fields(network, 'service'),
      ]),
    ),
    'On `published_deleted` and `published_hidden` posts only `labels` may change. Before publication every field may change that the network, the type and the state have; see [limits](limits.md) for lengths.',
    '## Who may delete what',
    'The first rule that refuses gives the reason.',
    table(
      ['rule', 'code', 'what it says'],
      DELETE_RULES.map(({ rule, code: refusal, message }) => [rule, code(refusal), message]),
    ),
  );
