import {
  Arg,
  Ctx,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { viewerOf } from '../domain/access/viewer.js';
import { CALENDAR_FEED_LIMITS, type CalendarFeed } from '../domain/posts/calendar-feed.js';
import type { StateFilter } from '../domain/posts/states.js';
import { toFeedOwner } from '../services/posts/calendar-feeds.js';
import type { GatewayContext } from './context.js';
import { optional } from './schema/descriptions.js';
import { DateTime, PostStateFilterEnum } from './schema/enums.js';
import { RequiresScopes } from './schema/field-decorators.js';
import { MutationInput, MutationPayload, toPayload } from './schema/mutation.js';

@ObjectType('CalendarFeed', {
  simpleResolvers: true,
  description: 'Address from which calendar programs read the posts that its creator sees.',
})
class CalendarFeedObject implements CalendarFeed {
  @Field(() => ID, { description: 'ID: `cal_` followed by letters and digits.' }) id!: string;
  @Field(() => [ID], { description: 'Only posts of these accounts. Empty for all.' })
  accountIds!: readonly string[];
  @Field(() => [PostStateFilterEnum], {
    description: 'Only posts in any of these states or groups of states. Empty for all.',
  })
  states!: readonly StateFilter[];
  @Field(() => DateTime, { description: 'Time of creation.' }) createdAt!: Date;
  @Field(() => Boolean, { description: 'Whether the feed was revoked.' }) revoked!: boolean;
}

@InputType({ description: 'Input of `createCalendarFeed`.' })
export class CreateCalendarFeedInput extends MutationInput {
  @Field(
    () => [ID],
    optional(
      `Only posts of these accounts of the workspace, at most ${CALENDAR_FEED_LIMITS.accounts}. By default, of all.`,
    ),
  )
  accountIds?: string[] | null;
  @Field(
    () => [PostStateFilterEnum],
    optional('Only posts in any of these states or groups of states. By default, in all.'),
  )
  states?: StateFilter[] | null;
}

@InputType({ description: 'Input of `revokeCalendarFeed`.' })
export class RevokeCalendarFeedInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the feed.' }) id!: string;
}

@ObjectType({ description: 'Result of `createCalendarFeed`.', simpleResolvers: true })
class CreateCalendarFeedPayload extends MutationPayload {
  @Field(() => CalendarFeedObject, optional('New feed. Null if it was rejected.'))
  feed!: CalendarFeed | null;
  @Field(
    () => String,
    optional(
      'Address for the calendar program. Anyone who knows it can read the feed. It is only returned here.',
    ),
  )
  url!: string | null;
}

@ObjectType({ description: 'Result of `revokeCalendarFeed`.', simpleResolvers: true })
class RevokeCalendarFeedPayload extends MutationPayload {
  @Field(() => CalendarFeedObject, optional('Revoked feed. Null if the request was rejected.'))
  feed!: CalendarFeed | null;
}

const INPUT = { description: 'Input.' };

@Resolver(() => CalendarFeedObject)
export class CalendarFeedResolver {
  @Query(() => [CalendarFeedObject], {
    description: `Your feeds of the workspace that can be used, at most ${CALENDAR_FEED_LIMITS.perMember}, newest first. Requires scope POSTS_READ.`,
  })
  @RequiresScopes([['posts:read']])
  calendarFeeds(
    @Ctx() { authentication, services }: GatewayContext,
  ): Promise<readonly CalendarFeed[]> {
    return services.calendarFeeds.list(toFeedOwner(viewerOf(authentication)));
  }

  @Mutation(() => CreateCalendarFeedPayload, {
    description:
      'Creates an address from which a calendar program reads the posts that you see: those of 30 past days and of 180 days ahead, at most 2,000. It ends with your membership, and when the key that created it is revoked. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async createCalendarFeed(
    @Arg('input', () => CreateCalendarFeedInput, INPUT) input: CreateCalendarFeedInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    const owner = toFeedOwner(viewerOf(authentication));
    const filter = { accountIds: input.accountIds ?? [], states: input.states ?? [] };
    return toPayload(await services.calendarFeeds.create(owner, filter), input);
  }

  @Mutation(() => RevokeCalendarFeedPayload, {
    description:
      'Revokes one of your feeds. From now on, its address leads to nothing. Requires scope POSTS_READ.',
  })
  @RequiresScopes([['posts:read']])
  async revokeCalendarFeed(
    @Arg('input', () => RevokeCalendarFeedInput, INPUT) input: RevokeCalendarFeedInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    const owner = toFeedOwner(viewerOf(authentication));
    return toPayload(await services.calendarFeeds.revoke(owner, input.id), input);
  }
}
