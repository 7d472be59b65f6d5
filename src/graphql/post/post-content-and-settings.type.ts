import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { optional } from '../optional.js';
import { Json, DateTime } from '../scalars.js';

@ObjectType('Link', { simpleResolvers: true, description: 'Link with its preview.' })
export class LinkObject {
  @Field(() => String, {
    description: 'URL of the link. On the `link` of a post, the same value as `Post.url`.',
  })
  url!: string;
  @Field(() => String, optional('Title of the preview. Defaults to the title of the linked page.'))
  title!: string | null;
  @Field(
    () => String,
    optional('Description of the preview. Defaults to the description of the linked page.'),
  )
  description!: string | null;
  @Field(() => String, optional('HTTPS URL of the preview image.')) imageUrl!: string | null;
  @Field(() => String, optional('Action of the button.')) callToAction!: string | null;
  @Field(() => String, optional('Phone number of a call button.')) phoneNumber!: string | null;
}

@ObjectType('Location', { simpleResolvers: true, description: 'Place that a post is tagged with.' })
export class LocationObject {
  @Field(() => ID, { description: 'ID of the place on the network.' }) id!: string;
  @Field(() => String, { description: 'Name of the place. Empty if only the ID is known.' })
  name!: string;
}

@ObjectType('ContentBlock', {
  simpleResolvers: true,
  description: 'Block of rich text, as it was sent.',
})
export class ContentBlockObject {
  @Field(() => String, {
    description:
      'Block type: paragraph, header, list, media, table, delimiter, code, html or quote.',
  })
  type!: string;
  @Field(() => Json, { description: 'Data of the block. The structure depends on `type`.' })
  data!: unknown;
}

@ObjectType('Recycling', {
  simpleResolvers: true,
  description: 'Repeated publication of a post.',
})
export class RecyclingObject {
  @Field(() => Boolean, {
    description:
      'Whether the post is recycled on its own rather than together with other posts of its label.',
  })
  solo!: boolean;
  @Field(() => Int, { description: 'Interval between two publications, in units of `gapFreq`.' })
  gap!: number;
  @Field(() => String, { description: 'Unit of `gap`: days, weeks or months.' }) gapFreq!: string;
  @Field(() => String, optional('First day, as YYYY-MM-DD.')) startDate!: string | null;
  @Field(() => String, optional('Last day, as YYYY-MM-DD.')) expireDate!: string | null;
  @Field(() => Int, optional('Number of publications after which recycling ends.')) expireCount!:
    number | null;
}

@ObjectType('Recurring', {
  simpleResolvers: true,
  description: 'Recurrence rule of a series. RecurringInput uses other field names.',
})
export class RecurringObject {
  @Field(() => String, {
    description:
      'Unit of repetition: daily, weekly, monthly or yearly. Called `repeat` in an update.',
  })
  frequency!: string;
  @Field(() => Int, {
    description:
      'Interval between occurrences, in units of `frequency`. Called `repeatRate` in an update.',
  })
  repeatEvery!: number;
  @Field(() => [String], {
    description: 'Weekdays, monday to sunday. Called `daysOfWeek` in an update.',
  })
  weekdays!: readonly string[];
  @Field(() => DateTime, optional('Time of the first occurrence.')) startDate!: Date | null;
  @Field(() => DateTime, optional('End of the series, inclusive.')) endDate!: Date | null;
}

@ObjectType('PostAnalytics', {
  simpleResolvers: true,
  description:
    'Metrics reported by the network, available for imported and synced posts. Metrics that the network does not report are null.',
})
export class PostAnalyticsObject {
  @Field(() => Int, optional('Number of people who saw the post.')) reach!: number | null;
  @Field(() => Int, optional('Number of reactions of any kind.')) engagement!: number | null;
  @Field(() => Float, optional('Engagement divided by reach, as a fraction: 0.05 is 5%.'))
  engagementRate!: number | null;
  @Field(() => Int, optional('Number of likes.')) likes!: number | null;
  @Field(() => Int, optional('Number of comments.')) comments!: number | null;
  @Field(() => Int, optional('Number of shares.')) shares!: number | null;
  @Field(() => Int, optional('Number of saves.')) saves!: number | null;
  @Field(() => Int, optional('Number of video views.')) videoViews!: number | null;
  @Field(() => Int, optional('Number of clicks on the link.')) linkClicks!: number | null;
  @Field(() => Int, optional('Number of clicks on the post.')) postClicks!: number | null;
  @Field(() => Float, optional('Clicks divided by views, as a fraction: 0.05 is 5%.'))
  clickThroughRate!: number | null;
  @Field(() => Float, optional('Reach divided by followers, as a fraction: 0.05 is 5%.'))
  reachRate!: number | null;
  @Field(
    () => [Int],
    optional('Number of votes of each option of a poll, in the order of `Post.options`.'),
  )
  pollVotes!: number[] | null;
  @Field(() => DateTime, { description: 'Time when the metrics were collected.' }) updatedAt!: Date;
}
