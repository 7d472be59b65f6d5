import { Query, Resolver } from 'type-graphql';
import { DAILY_CAPS } from '../../domain/daily-caps.js';
import { EDIT_RULES, type EditRule } from '../../domain/edit-rules.js';
import { kindOf, NETWORKS, type Network } from '../../domain/networks.js';
import { PLANS, wordsOf } from '../../domain/vocabulary.js';
import { RequiresScopes } from '../requires-scopes.js';
import { NetworkRules } from './network.type.js';

const capsOf = (network: Network) =>
  DAILY_CAPS.filter((row) => row.network === network).flatMap(({ postKind, accountTypes, limits }) =>
    wordsOf(PLANS).map((plan) => ({ postKind, accountTypes, plan, limit: limits[plan] })));

function adapterOf(rules: readonly EditRule[]) {
  const edits = rules.some(({ appliesTo }) => appliesTo === 'service_and_network');
  const note = edits ? 'A change of a published post is queued as a job for the network.' : 'A change stays in the service’s own records.';
  return { edits, verified: false, note };
}

/** The law’s tables do not change while the process runs. */
const RULES: readonly NetworkRules[] = wordsOf(NETWORKS).map((network) => {
  const editable: readonly EditRule[] = EDIT_RULES[network];
  return { network, kind: kindOf(network), editable, dailyCaps: capsOf(network), adapter: adapterOf(editable) };
});

@Resolver()
export class NetworkResolver {
  @Query(() => [NetworkRules], { description: 'The rules for each network: what may change after publication, and the daily limits. Any key; needs no workspace header.' })
  @RequiresScopes([], { workspace: false })
  networks(): readonly NetworkRules[] {
    return RULES;
  }
}
