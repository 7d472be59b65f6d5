import { Field, Float, Int, ObjectType } from 'type-graphql';
import { toLinkView, type toRecurringRuleView } from '../../domain/posts/presented-settings.js';
import {
  CONTENT_BLOCK,
  DETAILS,
  LOCATION,
  NETWORK_OPTIONS,
  RECYCLING,
  SPONSOR,
  type Link,
  type Location,
  type PostDetails,
} from '../../domain/posts/post-settings.js';
import { DateTime } from '../schema/enums.js';
import { optional } from '../schema/descriptions.js';
import { objectOfShape } from '../schema/shape-types.js';

const SponsorObject = objectOfShape('Sponsor', {
  description: 'Sponsor of a promotional post.',
  keys: SPONSOR,
  objects: {},
});

export const PostDetailsObject = objectOfShape('PostDetails', {
  description: 'Settings that apply only to some networks or post types.',
  keys: DETAILS,
  objects: { sponsor: SponsorObject },
});

export const NetworkOptionsObject = objectOfShape('NetworkOptions', {
  description: 'Settings that are specific to one network.',
  keys: NETWORK_OPTIONS,
  objects: {},
});

@ObjectType('Link', { simpleResolvers: true, description: 'Link with its preview.' })
export class LinkObject implements ReturnType<typeof toLinkView> {
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

export const LocationObject = objectOfShape('Location', {
  description: 'Place that a post is tagged with.',
  keys: LOCATION,
  objects: {},
});

export const ContentBlockObject = objectOfShape('ContentBlock', {
  description: 'Block of rich text, as it was sent.',
  keys: CONTENT_BLOCK,
  objects: {},
});

export const RecyclingObject = objectOfShape('Recycling', {
  description: 'Repeated publication of a post.',
  keys: RECYCLING,
  objects: {},
});

type RecurringView = NonNullable<ReturnType<typeof toRecurringRuleView>>;

@ObjectType('Recurring', {
  simpleResolvers: true,
  description: 'Recurrence rule of a series. RecurringInput uses other field names.',
})
export class RecurringObject implements RecurringView {
  @Field(() => String, {
    description:
      'Unit of repetition: daily, weekly, monthly or yearly. Called `repeat` in an update.',
  })
  frequency!: RecurringView['frequency'];
  @Field(() => Int, {
    description:
      'Interval between occurrences, in units of `frequency`. Called `repeatRate` in an update.',
  })
  repeatEvery!: number;
  @Field(() => [String], {
    description: 'Weekdays, monday to sunday. Called `daysOfWeek` in an update.',
  })
  weekdays!: RecurringView['weekdays'];
  @Field(() => DateTime, optional('Time of the first occurrence.')) startDate!: Date | null;
  @Field(() => DateTime, optional('End of the series, inclusive.')) endDate!: Date | null;
}

@ObjectType('PostAnalytics', {
  simpleResolvers: true,
  description:
    'Metrics of a published post on its network. Metrics that the network does not report are null.',
})
export class PostAnalyticsObject {
  @Field(() => Int, optional('Number of people who saw the post.')) reach!: number | null;
  @Field(() => Int, optional('Number of reactions of any kind: likes, comments, shares and saves.'))
  engagement!: number | null;
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
  @Field(() => DateTime, { description: 'Time when the metrics were read from the network.' })
  updatedAt!: Date;
}

/** Converts additional links to Links. Omits those without a URL. */
export const presentSublinks = (sublinks: readonly Link[]) =>
  sublinks.flatMap((link) => (link.url ? [toLinkView({ ...link, url: link.url })] : []));

/** Converts a location to a Location. */
export const presentLocation = (location: Location | null) =>
  location && { id: location.id, name: location.name ?? '' };

/** Converts details to PostDetails. The ID of a sponsor that only has a name is empty. */
export const presentDetails = (details: PostDetails | null) =>
  details && {
    ...details,
    sponsor: details.sponsor ? { ...details.sponsor, id: details.sponsor.id ?? '' } : null,
  };
