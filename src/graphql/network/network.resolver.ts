import { Ctx, Query, Resolver } from 'type-graphql';
import { DAILY_CAPS } from '../../domain/caps/daily-caps.js';
import { EDIT_RULES, type EditRule } from '../../domain/rules/edit-rules.js';
import { kindOf, NETWORKS, type Network } from '../../domain/networks/networks.js';
import { PLANS, wordsOf } from '../../domain/vocabulary.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../requires-scopes.js';
import { NetworkRules } from './network.type.js';

const capsOf = (network: Network) =>
  DAILY_CAPS.filter((row) => row.network === network).flatMap(
    ({ postKind, accountTypes, limits }) =>
      wordsOf(PLANS).map((plan) => ({ postKind, accountTypes, plan, limit: limits[plan] })),
  );

/** The law’s tables do not change while the process runs. */
const RULES: readonly Omit<NetworkRules, 'adapter'>[] = wordsOf(NETWORKS).map((network) => ({
  network,
  kind: kindOf(network),
  editable: EDIT_RULES[network] as readonly EditRule[],
  dailyCaps: capsOf(network),
}));

@Resolver()
export class NetworkResolver {
  @Query(() => [NetworkRules], {
    description:
      'The rules for each network: what may change after publication, and the daily limits. Any key; needs no workspace header.',
  })
  @RequiresScopes([], { workspace: false })
  networks(@Ctx() { services }: GatewayContext): readonly NetworkRules[] {
    return RULES.map((rules) => ({ ...rules, adapter: services.adapters[rules.network] }));
  }
}
