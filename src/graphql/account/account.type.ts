import { Field, ID, Int, ObjectType } from 'type-graphql';
import { NodeInterface } from '../node/node.type.js';
import { DateTime } from '../scalars.js';

@ObjectType({ description: 'How much of a daily cap the last 24 hours have used: rolling, in UTC, now (D39).', simpleResolvers: true })
export class DailyCap {
  @Field(() => String, { description: 'What is counted, in one word: accounts keep one count for each.' }) postKind!: string;
  @Field(() => Int, { description: 'At most so many in any 24 hours, by the plan of the workspace’s owner (Daily post limits).' }) limit!: number;
  @Field(() => Int, { description: 'Publications in the 24 hours up to now.' }) used!: number;
  @Field(() => Int, { description: 'What the limit leaves of those 24 hours, never negative.' }) remaining!: number;
  @Field(() => DateTime, { nullable: true, description: 'When one more will fit; null when it does now. What is planned counts.' }) nextFreeAt!: Date | null;
}

@ObjectType('Account', { implements: NodeInterface, simpleResolvers: true, description: 'A connected social account (D2). On a post it needs the post’s scope only; from elsewhere ACCOUNTS.' })
export class AccountObject {
  @Field(() => ID, { description: '`acc_` and letters and digits.' }) id!: string;
  @Field(() => String, { description: 'profile, page, group, business, channel, location or blog (D2).' }) type!: string;
  @Field(() => String, { description: 'Its name on the network.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'https URL of its picture.' }) picture!: string | null;
  @Field(() => Boolean, { description: 'Whether it lives on the sandbox network: nothing of it leaves the service.' }) sandbox!: boolean;
}
