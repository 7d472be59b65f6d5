import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { usage } from '../../domain/caps/cap-allowance.js';
import { capRowsOf } from '../../domain/caps/daily-caps.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import { viewerOf } from '../../domain/access/identity.js';
import { badInput } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { NetworkEnum } from '../enums.js';
import { RequiresScopes } from '../requires-scopes.js';
import { AccountObject, DailyCap } from './account.type.js';

const MAX_ACCOUNTS = 1_000;

@Resolver(() => AccountObject)
export class AccountResolver {
  @Query(() => [AccountObject], {
    description: 'Accounts of the workspace, at most 1,000. Scope ACCOUNTS.',
  })
  @RequiresScopes([['accounts']])
  accounts(
    @Arg('networks', () => [NetworkEnum], {
      nullable: true,
      description: 'Of these networks only; all when left out or empty.',
    })
    networks: Network[] | null | undefined,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 100,
      description: '1 to 1,000; anything else is BAD_USER_INPUT.',
    })
    first: number | null,
    @Ctx() { admission, services }: GatewayContext,
  ): Promise<Account[]> {
    const limit = first ?? 100;
    if (limit < 1 || limit > MAX_ACCOUNTS)
      throw badInput([
        { path: ['first'], message: `first must be 1 to ${MAX_ACCOUNTS}; it is ${limit}.` },
      ]);
    return services.directory.accounts(
      viewerOf(admission).workspace.id,
      networks?.length ? networks : null,
      limit,
      0,
    );
  }

  @FieldResolver(() => [DailyCap], {
    description:
      'How much of its daily caps is used, one entry for each post kind (D39). Scope ACCOUNTS, under a post too.',
  })
  @RequiresScopes([['accounts']])
  async dailyCaps(
    @Root() account: Account,
    @Ctx() { admission, loaders, clock }: GatewayContext,
  ): Promise<DailyCap[]> {
    const { plan } = viewerOf(admission).workspace;
    const slots = (await loaders.capSlots.load(account.id)) ?? [];
    return capRowsOf(account.network, account.type).map(({ postKind, limits }) => {
      const taken = slots
        .filter((slot) => slot.postKind === postKind)
        .map(({ at }) => at.getTime());
      const { used, remaining, nextFreeAt } = usage(limits[plan], taken, clock.now().getTime());
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
