import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { optional } from '../optional.js';
import { Json, DateTime } from '../scalars.js';

@ObjectType('Link', { simpleResolvers: true, description: 'A link as it is shown.' })
export class LinkObject {
  @Field(() => String, {
    description: 'Where it leads; on a post one value with `Post.url` (D20).',
  })
  url!: string;
  @Field(() => String, optional('Title shown; the page’s own where none was given.')) title!:
    string | null;
  @Field(() => String, optional('Description shown; the page’s own where none was given.'))
  description!: string | null;
  @Field(() => String, optional('https URL of the picture shown.')) imageUrl!: string | null;
  @Field(() => String, optional('The button’s action.')) callToAction!: string | null;
  @Field(() => String, optional('The number that a call button dials.')) phoneNumber!:
    string | null;
}

@ObjectType('Location', { simpleResolvers: true, description: 'Where a post says it is.' })
export class LocationObject {
  @Field(() => ID, { description: 'The network’s own id of the place.' }) id!: string;
  @Field(() => String, { description: 'The place’s name; empty where only its id is known.' })
  name!: string;
}

@ObjectType('ContentBlock', {
  simpleResolvers: true,
  description: 'One block of a rich text, as it was given (D25).',
})
export class ContentBlockObject {
  @Field(() => String, {
    description: 'paragraph, header, list, media, table, delimiter, code, html or quote (D6).',
  })
  type!: string;
  @Field(() => Json, { description: 'The block’s own data.' }) data!: unknown;
}

@ObjectType('Recycling', {
  simpleResolvers: true,
  description: 'How a post is published again and again.',
})
export class RecyclingObject {
  @Field(() => Boolean, { description: 'Recycles alone, not with others of its label.' })
  solo!: boolean;
  @Field(() => Int, { description: 'Distance between two publications, in `gapFreq`.' })
  gap!: number;
  @Field(() => String, { description: 'days, weeks or months (D6).' }) gapFreq!: string;
  @Field(() => String, optional('First day, YYYY-MM-DD.')) startDate!: string | null;
  @Field(() => String, optional('Last day, YYYY-MM-DD.')) expireDate!: string | null;
  @Field(() => Int, optional('Number of publications before it expires.')) expireCount!:
    number | null;
}

@ObjectType('Recurring', {
  simpleResolvers: true,
  description:
    'The rule of a series, in a result’s words; an update has other names for them (RecurringInput).',
})
export class RecurringObject {
  @Field(() => String, { description: 'daily, weekly, monthly or yearly; an update’s `repeat`.' })
  frequency!: string;
  @Field(() => Int, { description: 'Every so many of `frequency`; an update’s `repeatRate`.' })
  repeatEvery!: number;
  @Field(() => [String], {
    description: 'Names of weekdays, monday to sunday; an update’s `daysOfWeek`.',
  })
  weekdays!: readonly string[];
  @Field(() => DateTime, optional('First occurrence.')) startDate!: Date | null;
  @Field(() => DateTime, optional('No occurrence after it.')) endDate!: Date | null;
}

@ObjectType('PostAnalytics', {
  simpleResolvers: true,
  description:
    'Figures that the network reported, on imported and synced posts only (D7). A figure it does not report is null.',
})
export class PostAnalyticsObject {
  @Field(() => Int, optional('People who saw it.')) reach!: number | null;
  @Field(() => Int, optional('Reactions of every kind.')) engagement!: number | null;
  @Field(() => Float, optional('Engagement by reach, as a fraction of 1.')) engagementRate!:
    number | null;
  @Field(() => Int, optional('Likes.')) likes!: number | null;
  @Field(() => Int, optional('Comments.')) comments!: number | null;
  @Field(() => Int, optional('Shares.')) shares!: number | null;
  @Field(() => Int, optional('Saves.')) saves!: number | null;
  @Field(() => Int, optional('Views of its video.')) videoViews!: number | null;
  @Field(() => Int, optional('Clicks on its link.')) linkClicks!: number | null;
  @Field(() => Int, optional('Clicks on the post.')) postClicks!: number | null;
  @Field(() => Float, optional('Clicks by views, as a fraction of 1.')) clickThroughRate!:
    number | null;
  @Field(() => Float, optional('Reach by followers, as a fraction of 1.')) reachRate!:
    number | null;
  @Field(() => DateTime, { description: 'When the figures were taken.' }) updatedAt!: Date;
}
