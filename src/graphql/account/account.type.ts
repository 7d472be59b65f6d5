import { Field, ID, Int, ObjectType } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import { canSeeSensitive } from '../../domain/access/viewer.js';
import { NetworkEnum } from '../enums.js';
import { NodeInterface } from '../node/node.type.js';
import { Computed } from '../selection/field-dependencies.js';
import { DateTime } from '../scalars.js';

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
