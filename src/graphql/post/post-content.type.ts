import { Field, ID, ObjectType, Float, Int } from 'type-graphql';
import { toLinkView } from '../../domain/posts/presented-settings.js';
import type { Link, Location } from '../../domain/posts/post-settings.js';
import type { PostDetails } from '../../domain/posts/post-settings.js';
import { Json, DateTime } from '../schema/enums.js';
import { optional } from '../schema/descriptions.js';

@ObjectType('Sponsor', { simpleResolvers: true, description: 'Sponsor of a promotional post.' })
class SponsorObject {
  @Field(() => ID, {
    description: 'ID of the sponsor on the network. Empty if only the name is known.',
  })
  id!: string;
  @Field(() => String, optional('Name of the sponsor.')) name!: string | null;
  @Field(() => Boolean, optional('Whether the network has verified the sponsor.')) verified!:
    boolean | null;
  @Field(() => Boolean, optional('Whether the sponsor can boost the post.')) boost!: boolean | null;
}

@ObjectType('PostDetails', {
  simpleResolvers: true,
  description: 'Settings that apply only to some networks or post types.',
})
export class PostDetailsObject {
  @Field(
    () => String,
    optional(
      'Variant of the post: reel, story, short, document, photo, event, offer or long_post.',
    ),
  )
  type!: string | null;
  @Field(() => Boolean, optional('Whether a reel is also shared to the feed.')) feed!:
    boolean | null;
  @Field(
    () => Boolean,
    optional('Whether the gateway reminds a person to publish the post instead of publishing it.'),
  )
  reminder!: boolean | null;
  @Field(() => String, optional('Title of the event.')) title!: string | null;
  @Field(() => String, optional('Start of the event.')) start!: string | null;
  @Field(() => String, optional('End of the event.')) end!: string | null;
  @Field(() => String, optional('Coupon code of the offer.')) coupon!: string | null;
  @Field(() => String, optional('Terms of the offer.')) terms!: string | null;
  @Field(() => String, optional('Name of the sound.')) audio!: string | null;
  @Field(() => String, optional('Audience of the post, as a value that the network defines.'))
  privacy!: string | null;
  @Field(() => Boolean, optional('Whether comments are allowed.')) comment!: boolean | null;
  @Field(() => Boolean, optional('Whether duets are allowed.')) duet!: boolean | null;
  @Field(() => Boolean, optional('Whether stitches are allowed.')) stitch!: boolean | null;
  @Field(() => Boolean, optional('Whether the post promotes the author’s own business.'))
  promotional!: boolean | null;
  @Field(() => Boolean, optional('Whether the post is paid for.')) paid!: boolean | null;
  @Field(() => String, optional('Language of the text, as a BCP 47 tag.')) language!: string | null;
  @Field(() => Boolean, optional('Whether the network adds music automatically.')) autoAddMusic!:
    boolean | null;
  @Field(() => String, optional('ID of the background preset of a text-only post, on Facebook.'))
  textFormatPresetId!: string | null;
  @Field(() => Boolean, optional('Whether the post can be boosted.')) boost!: boolean | null;
  @Field(() => SponsorObject, optional('Sponsor of the post.')) sponsor!: SponsorObject | null;
}

@ObjectType('NetworkOptions', {
  simpleResolvers: true,
  description: 'Settings that are specific to one network.',
})
export class NetworkOptionsObject {
  @Field(() => String, optional('ID of the board to pin to, on Pinterest.'))
  boardId!: string | null;
  @Field(() => String, optional('Audience, as a value that Mastodon or LinkedIn defines.'))
  visibility!: string | null;
  @Field(() => Boolean, optional('Whether media are hidden until a reader reveals them.'))
  sensitive!: boolean | null;
  @Field(() => String, optional('Content warning that is shown instead of the text, on Mastodon.'))
  spoilerText!: string | null;
  @Field(() => String, optional('Who can reply, as a value that the network defines.'))
  replySettings!: string | null;
  @Field(() => String, optional('Category of a video, as an ID that YouTube defines.'))
  category!: string | null;
  @Field(() => String, optional('Markup of the text, as a value that Telegram defines.'))
  parseMode!: string | null;
  @Field(
    () => Boolean,
    optional('Whether the post is sent without notifying members of the channel, on Telegram.'),
  )
  disableNotification!: boolean | null;
}

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
