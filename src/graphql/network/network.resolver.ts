import { Ctx, Query, Resolver } from 'type-graphql';
import { DAILY_CAPS } from '../../domain/caps/daily-caps.js';
import {
  PUBLISHED_EDIT_RULES,
  type PublishedEditRule,
} from '../../domain/rules/published-edit-rules.js';
import { networkKindOf, NETWORKS, type Network } from '../../domain/networks/networks.js';
import { PLANS, enumKeys } from '../../domain/enums.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../requires-scopes.js';
import { NetworkRules } from './network.type.js';

const dailyCapsOf = (network: Network) =>
  DAILY_CAPS.filter((row) => row.network === network).flatMap(
    ({ postKind, accountTypes, limits }) =>
      enumKeys(PLANS).map((plan) => ({ postKind, accountTypes, plan, limit: limits[plan] })),
  );

/** Computed once: the rule tables are constants. */
const NETWORK_RULES: readonly Omit<NetworkRules, 'adapter'>[] = enumKeys(NETWORKS).map(
  (network) => ({
    network,
    kind: networkKindOf(network),
    editable: PUBLISHED_EDIT_RULES[network] as readonly PublishedEditRule[],
    dailyCaps: dailyCapsOf(network),
  }),
);

@Resolver()
export class NetworkResolver {
  @Query(() => [NetworkRules], {
    description:
      'Rules of each network: fields that can be edited after publication, and daily caps. Works with any key and without `Service-Workspace-Id`.',
  })
  @RequiresScopes([], { workspace: false })
  networks(@Ctx() { services }: GatewayContext): readonly NetworkRules[] {
    return NETWORK_RULES.map((rules) => ({ ...rules, adapter: services.adapters[rules.network] }));
  }
}
