import { Field, ID, Int, ObjectType } from 'type-graphql';
import { viewerOf } from '../../domain/access/identity.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import { seesSensitive } from '../../domain/access/viewer.js';
import { NetworkEnum } from '../enums.js';
import { NodeInterface } from '../node/node.type.js';
import { Made } from '../selection/row-fields.js';
import { DateTime } from '../scalars.js';

@ObjectType({
  description: 'How much of a daily cap the last 24 hours have used: rolling, in UTC, now (D39).',
  simpleResolvers: true,
})
export class DailyCap {
  @Field(() => String, {
    description: 'What is counted, in one word: accounts keep one count for each.',
  })
  postKind!: string;
  @Field(() => Int, {
    description:
      'At most so many in any 24 hours, by the plan of the workspace’s owner (Daily post limits).',
  })
  limit!: number;
  @Field(() => Int, { description: 'Publications in the 24 hours up to now.' }) used!: number;
  @Field(() => Int, { description: 'What the limit leaves of those 24 hours, never negative.' })
  remaining!: number;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When one more will fit; null when it does now. What is planned counts.',
  })
  nextFreeAt!: Date | null;
}

@ObjectType('Account', {
  implements: NodeInterface,
  simpleResolvers: true,
  description:
    'A connected social account (D2). On a post it needs the post’s scope only; from elsewhere ACCOUNTS.',
})
export class AccountObject {
  @Field(() => ID, { description: '`acc_` and letters and digits.' }) id!: string;
  @Field(() => String, {
    description: 'profile, page, group, business, channel, location or blog (D2).',
  })
  type!: string;
  @Field(() => String, { description: 'Its name on the network.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'https URL of its picture.' }) picture!:
    string | null;
  @Field(() => Boolean, {
    description: 'Whether it lives on the sandbox network: nothing of it leaves the service.',
  })
  sandbox!: boolean;

  @Field(() => NetworkEnum, { description: 'Its network.' })
  @Made((account: Account) => account.network)
  provider!: Network;

  @Field(() => String, {
    nullable: true,
    description: 'Its id on the network; null for anyone but owners and admins (D44).',
  })
  @Made((account: Account, { admission }) =>
    seesSensitive(viewerOf(admission).role) ? account.socialId : null,
  )
  socialId!: string | null;

  @Field(() => Boolean, { description: 'Whether the network asks to connect it again.' })
  @Made((account: Account) => account.needsReauth)
  needsReauthorization!: boolean;
}
