import { Field, ID, InputType, Int } from 'type-graphql';
import { Json } from '../../schema/enums.js';
import { optional } from '../../schema/descriptions.js';

@InputType({ description: 'Sponsor of a promotional post.' })
export class SponsorInput {
  @Field(() => ID, optional('ID of the sponsor on the network.')) id?: string | null;
  @Field(() => String, optional('Name of the sponsor.')) name?: string | null;
  @Field(() => Boolean, optional('Whether the network has verified the sponsor.')) verified?:
    boolean | null;
  @Field(() => Boolean, optional('Whether the sponsor can boost the post.')) boost?: boolean | null;
}

@InputType({
  description:
    'Settings that apply only to some networks or post types. Omitted keys keep their value.',
})
export class DetailsInput {
  @Field(
    () => String,
    optional(
      'Variant of the post: reel, story, short, document, photo, event, offer or long_post.',
    ),
  )
  type?: string | null;
  @Field(() => Boolean, optional('Whether to share a reel to the feed as well.')) feed?:
    boolean | null;
  @Field(
    () => Boolean,
    optional(
      'Whether to remind a person to publish the post instead of publishing it automatically.',
    ),
  )
  reminder?: boolean | null;
  @Field(() => String, optional('Title of the event.')) title?: string | null;
  @Field(() => String, optional('Start of the event.')) start?: string | null;
  @Field(() => String, optional('End of the event.')) end?: string | null;
  @Field(() => String, optional('Coupon code of the offer.')) coupon?: string | null;
  @Field(() => String, optional('Terms of the offer.')) terms?: string | null;
  @Field(() => String, optional('Name of the sound.')) audio?: string | null;
  @Field(() => String, optional('Audience of the post, as a value that the network defines.'))
  privacy?: string | null;
  @Field(() => Boolean, optional('Whether to allow comments.')) comment?: boolean | null;
  @Field(() => Boolean, optional('Whether to allow duets.')) duet?: boolean | null;
  @Field(() => Boolean, optional('Whether to allow stitches.')) stitch?: boolean | null;
  @Field(() => Boolean, optional('Whether the post promotes the author’s own business.'))
  promotional?: boolean | null;
  @Field(() => Boolean, optional('Whether the post is paid for.')) paid?: boolean | null;
  @Field(() => String, optional('Language of the text, as a BCP 47 tag.')) language?: string | null;
  @Field(() => Boolean, optional('Whether the network adds music automatically.')) autoAddMusic?:
    boolean | null;
  @Field(() => String, optional('ID of the background preset of a text-only post, on Facebook.'))
  textFormatPresetId?: string | null;
  @Field(() => Boolean, optional('Whether the post can be boosted.')) boost?: boolean | null;
  @Field(() => SponsorInput, optional('Sponsor of the post.')) sponsor?: SponsorInput | null;
}

@InputType({
  description: 'Repeated publication of a post. Omitted keys keep their value.',
})
export class RecyclingInput {
  @Field(
    () => Boolean,
    optional(
      'Whether the post is recycled on its own rather than together with other posts of its label.',
    ),
  )
  solo?: boolean | null;
  @Field(
    () => Int,
    optional('Interval between two publications, in units of `gapFreq`, at least 1.'),
  )
  gap?: number | null;
  @Field(() => String, optional('Unit of `gap`: days, weeks or months.')) gapFreq?: string | null;
  @Field(() => String, optional('Label of the group of posts that the post is recycled with.'))
  label?: string | null;
  @Field(() => String, optional('First day, as YYYY-MM-DD.')) startDate?: string | null;
  @Field(() => String, optional('Last day, as YYYY-MM-DD.')) expireDate?: string | null;
  @Field(() => Int, optional('Number of publications after which recycling ends, at least 1.'))
  expireCount?: number | null;
}

@InputType({
  description: 'Recurrence rule of a series. Omitted keys keep their value.',
})
export class RecurringInput {
  @Field(
    () => String,
    optional(
      'First occurrence: a date (midnight in the time zone of the workspace) or a date and time with an offset.',
    ),
  )
  startDate?: string | null;
  @Field(
    () => String,
    optional('End of the series, inclusive: a date or a date and time with an offset.'),
  )
  endDate?: string | null;
  @Field(() => String, optional('Unit of repetition: daily, weekly, monthly or yearly.')) repeat?:
    string | null;
  @Field(() => Int, optional('Interval between occurrences, in units of `repeat`, at least 1.'))
  repeatRate?: number | null;
  @Field(() => [Json], optional('Weekdays, as numbers 0 (Monday) to 6 (Sunday) or English names.'))
  daysOfWeek?: unknown[] | null;
}

@InputType({
  description: 'Settings that are specific to one network. Omitted keys keep their value.',
})
export class NetworkOptionsInput {
  @Field(() => String, optional('ID of the board to pin to, on Pinterest.'))
  boardId?: string | null;
  @Field(() => String, optional('Audience, as a value that Mastodon or LinkedIn defines.'))
  visibility?: string | null;
  @Field(() => Boolean, optional('Whether media are hidden until a reader reveals them.'))
  sensitive?: boolean | null;
  @Field(() => String, optional('Content warning that is shown instead of the text, on Mastodon.'))
  spoilerText?: string | null;
  @Field(() => String, optional('Who can reply, as a value that the network defines.'))
  replySettings?: string | null;
  @Field(() => String, optional('Category of a video, as an ID that YouTube defines.'))
  category?: string | null;
  @Field(() => String, optional('Markup of the text, as a value that Telegram defines.'))
  parseMode?: string | null;
  @Field(
    () => Boolean,
    optional('Whether the post is sent without notifying members of the channel, on Telegram.'),
  )
  disableNotification?: boolean | null;
}
