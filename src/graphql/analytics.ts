import { Arg, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { viewerOf } from '../domain/access/viewer.js';
import type { AnalyticsDay, PostAnalytics } from '../domain/numbers/numbers.js';
import type { Account } from '../domain/posts/post.js';
import type { PostView } from '../domain/posts/post-query.js';
import { AccountObject } from './account.js';
import type { GatewayContext } from './context.js';
import { PostAnalyticsObject } from './post/post-content.type.js';
import { PostObject } from './post/post.type.js';
import { badUserInput } from './schema/connection.js';
import { optional } from './schema/descriptions.js';
import { DateTime } from './schema/enums.js';
import { Costs, RequiresScopes } from './schema/field-decorators.js';

const MAX_READINGS = 100;

@Resolver(() => PostObject)
export class PostAnalyticsResolver {
  @FieldResolver(() => [PostAnalyticsObject], {
    description:
      'Metrics of the post as they were read over time, newest first. Empty until they are read for the first time, about an hour after publication.',
  })
  async analyticsHistory(
    @Root() { databaseId }: PostView,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 30,
      description: `Maximum number of readings, 1 to ${MAX_READINGS}. Other values are rejected with BAD_USER_INPUT.`,
    })
    first: number | null,
    @Ctx() { loaders }: GatewayContext,
  ): Promise<readonly PostAnalytics[]> {
    const count = first ?? 30;
    if (count < 1 || count > MAX_READINGS)
      throw badUserInput([
        { path: ['first'], message: `first must be 1 to ${MAX_READINGS}, got ${count}.` },
      ]);
    return (await loaders.analyticsHistory(count).load(databaseId)) ?? [];
  }
}

@ObjectType('AccountAnalytics', {
  simpleResolvers: true,
  description:
    'Sums of the latest metrics of the posts that an account published on one day. A metric is null if the network reported it for none of them.',
})
class AccountAnalyticsObject {
  @Field(() => DateTime, { description: 'Start of the day in the time zone of the workspace.' })
  day!: Date;
  @Field(() => Int, { description: 'Number of posts that were published for this day.' })
  posts!: number;
  @Field(() => Int, optional('Sum of `PostAnalytics.reach`.')) reach!: number | null;
  @Field(() => Int, optional('Sum of `PostAnalytics.engagement`.')) engagement!: number | null;
  @Field(() => Int, optional('Sum of `PostAnalytics.likes`.')) likes!: number | null;
  @Field(() => Int, optional('Sum of `PostAnalytics.comments`.')) comments!: number | null;
  @Field(() => Int, optional('Sum of `PostAnalytics.shares`.')) shares!: number | null;
  @Field(() => Int, optional('Sum of `PostAnalytics.videoViews`.')) videoViews!: number | null;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;

@Resolver(() => AccountObject)
export class AccountAnalyticsResolver {
  @FieldResolver(() => [AccountAnalyticsObject], {
    description:
      'Metrics of the published posts of the account by the day of their scheduled time, in order. Days without posts are left out. Requires scopes ACCOUNTS and POSTS_READ.',
  })
  @RequiresScopes([['accounts', 'posts:read']])
  @Costs(100)
  async analytics(
    @Root() { id }: Account,
    @Arg('from', () => DateTime, { description: 'Earliest scheduled time.' }) from: Date,
    @Arg('to', () => DateTime, {
      description: `End of the range: later than \`from\`, and at most ${MAX_DAYS} days. Other values are rejected with BAD_USER_INPUT.`,
    })
    to: Date,
    @Ctx() { authentication, loaders }: GatewayContext,
  ): Promise<readonly AnalyticsDay[]> {
    if (to <= from || to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
      throw badUserInput([
        { path: ['to'], message: `to must be later than from, by at most ${MAX_DAYS} days.` },
      ]);
    const { timeZone } = viewerOf(authentication).workspace;
    return (await loaders.accountAnalytics({ from, to, timeZone }).load(id)) ?? [];
  }
}
