import {
  Field,
  ID,
  Int,
  ObjectType,
  Arg,
  Ctx,
  FieldResolver,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { viewerOf, canSeeSensitive } from '../domain/access/viewer.js';
import type { Network } from '../domain/networks/networks.js';
import type { Account } from '../domain/posts/post.js';
import { NetworkEnum, DateTime } from './schema/enums.js';
import { NodeInterface } from './node.js';
import { Computed, RequiresScopes } from './schema/field-decorators.js';
import { capUsage, capRowsOf } from '../domain/caps/daily-caps.js';
import { badUserInput } from './schema/connection.js';
import type { GatewayContext } from './context.js';

@ObjectType({
  description: 'Usage of a daily cap in a rolling window: the 24 hours up to now.',
  simpleResolvers: true,
})
export class DailyCap {
  @Field(() => String, {
    description: 'Kind of post that is counted. Each kind is counted separately.',
  })
  postKind!: string;
  @Field(() => Int, {
    description:
      'Maximum number of publications in any 24 hours, set by the plan of the workspace owner.',
  })
  limit!: number;
  @Field(() => Int, { description: 'Number of publications in the last 24 hours.' }) used!: number;
  @Field(() => Int, {
    description: 'Publications left in the window: `limit` minus `used`, never negative.',
  })
  remaining!: number;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Earliest time at which another post can be published, with scheduled posts taken into account. Null if that is possible now.',
  })
  nextFreeAt!: Date | null;
}

@ObjectType('Account', {
  implements: NodeInterface,
  simpleResolvers: true,
  description:
    'Connected social account. Requires scope ACCOUNTS, except as the `account` of a post.',
})
export class AccountObject {
  @Field(() => ID, { description: 'ID: `acc_` followed by letters and digits.' }) id!: string;
  @Field(() => String, {
    description: 'Account type: profile, page, group, business, channel, location or blog.',
  })
  type!: string;
  @Field(() => String, { description: 'Name of the account on the network.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'HTTPS URL of the profile picture.' })
  picture!: string | null;
  @Field(() => Boolean, {
    description:
      'Whether the account is on the built-in sandbox network. Its posts never leave the gateway.',
  })
  sandbox!: boolean;

  @Field(() => NetworkEnum, { description: 'Network of the account.' })
  @Computed((account: Account) => account.network)
  provider!: Network;

  @Field(() => String, {
    nullable: true,
    description:
      'ID of the account on the network. Visible only to owners and admins; null for other roles.',
  })
  @Computed((account: Account, { authentication }) =>
    canSeeSensitive(viewerOf(authentication).role) ? account.socialId : null,
  )
  socialId!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether the account must be reconnected because the network rejected its credentials.',
  })
  @Computed((account: Account) => account.needsReauth)
  needsReauthorization!: boolean;
}

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
