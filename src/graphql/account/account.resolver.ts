import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { capUsage } from '../../domain/caps/sliding-window.js';
import { capRowsOf } from '../../domain/caps/daily-caps.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import { viewerOf } from '../../domain/access/workspace-access.js';
import { badUserInput } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { NetworkEnum } from '../enums.js';
import { RequiresScopes } from '../requires-scopes.js';
import { AccountObject, DailyCap } from './account.type.js';

const MAX_ACCOUNTS = 1_000;

@Resolver(() => AccountObject)
export class AccountResolver {
  @Query(() => [AccountObject], {
    description: 'Social accounts of the workspace, at most 1,000. Requires scope ACCOUNTS.',
  })
  @RequiresScopes([['accounts']])
  accounts(
    @Arg('networks', () => [NetworkEnum], {
      nullable: true,
      description:
        'Returns only accounts of these networks. If omitted or empty, accounts of all networks.',
    })
    networks: Network[] | null | undefined,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 100,
      description:
        'Maximum number of accounts, 1 to 1,000. Other values are rejected with BAD_USER_INPUT.',
    })
    first: number | null,
    @Ctx() { authentication, services }: GatewayContext,
  ): Promise<Account[]> {
    const limit = first ?? 100;
    if (limit < 1 || limit > MAX_ACCOUNTS)
      throw badUserInput([
        { path: ['first'], message: `first must be 1 to ${MAX_ACCOUNTS}, got ${limit}.` },
      ]);
    return services.workspaceRecords.accounts(
      viewerOf(authentication).workspace.id,
      networks?.length ? networks : null,
      limit,
      0,
    );
  }

  @FieldResolver(() => [DailyCap], {
    description:
      'Usage of the daily caps, one entry per post kind. Requires scope ACCOUNTS, also on the account of a post.',
  })
  @RequiresScopes([['accounts']])
  async dailyCaps(
    @Root() account: Account,
    @Ctx() { authentication, loaders, clock }: GatewayContext,
  ): Promise<DailyCap[]> {
    const { plan } = viewerOf(authentication).workspace;
    const slots = (await loaders.capSlots.load(account.id)) ?? [];
    return capRowsOf(account.network, account.type).map(({ postKind, limits }) => {
      const usedTimes = slots
        .filter((slot) => slot.postKind === postKind)
        .map(({ at }) => at.getTime());
      const { used, remaining, nextFreeAt } = capUsage(
        limits[plan],
        usedTimes,
        clock.now().getTime(),
      );
      return {
        postKind,
        limit: limits[plan],
        used,
        remaining,
        nextFreeAt: nextFreeAt === null ? null : new Date(nextFreeAt),
      };
    });
  }
}
