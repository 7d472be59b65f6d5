import { Field, ID, InputType, Int } from 'type-graphql';
import { optional } from '../../optional.js';
import { Json } from '../../scalars.js';

@InputType({ description: 'Who pays for a promotional post (Update post, details object).' })
export class SponsorInput {
  @Field(() => ID, optional('The network’s own id of the sponsor.')) id?: string | null;
  @Field(() => String, optional('The sponsor’s name.')) name?: string | null;
  @Field(() => Boolean, optional('Whether the network has verified the sponsor.')) verified?:
    boolean | null;
  @Field(() => Boolean, optional('Whether the sponsor may boost the post.')) boost?: boolean | null;
}

@InputType({
  description:
    'Settings of one network or type; keys left out keep their value (Update post, details object; D20).',
})
export class DetailsInput {
  @Field(
    () => String,
    optional('reel, story, short, document, photo, event, offer or long_post (D6).'),
  )
  type?: string | null;
  @Field(() => Boolean, optional('Share a reel to the feed too.')) feed?: boolean | null;
  @Field(() => Boolean, optional('Remind a person to publish instead of publishing (D12).'))
  reminder?: boolean | null;
  @Field(() => String, optional('An event’s title.')) title?: string | null;
  @Field(() => String, optional('When an event starts.')) start?: string | null;
  @Field(() => String, optional('When an event ends.')) end?: string | null;
  @Field(() => String, optional('An offer’s coupon code.')) coupon?: string | null;
  @Field(() => String, optional('An offer’s terms.')) terms?: string | null;
  @Field(() => String, optional('Name of the sound.')) audio?: string | null;
  @Field(() => String, optional('Who may see it: the words of the post’s network (D6).')) privacy?:
    string | null;
  @Field(() => Boolean, optional('Allow comments.')) comment?: boolean | null;
  @Field(() => Boolean, optional('Allow duets.')) duet?: boolean | null;
  @Field(() => Boolean, optional('Allow stitches.')) stitch?: boolean | null;
  @Field(() => Boolean, optional('It promotes the author’s own business.')) promotional?:
    boolean | null;
  @Field(() => Boolean, optional('It is paid for.')) paid?: boolean | null;
  @Field(() => String, optional('Language of the text, as a BCP 47 tag.')) language?: string | null;
  @Field(() => Boolean, optional('Let the network add music.')) autoAddMusic?: boolean | null;
  @Field(() => String, optional('Background of a text-only post on the large general network.'))
  textFormatPresetId?: string | null;
  @Field(() => Boolean, optional('Allow the post to be boosted.')) boost?: boolean | null;
  @Field(() => SponsorInput, optional('Who pays.')) sponsor?: SponsorInput | null;
}

@InputType({
  description:
    'How a post is published again and again; keys left out keep their value (Update post, recycling object).',
})
export class RecyclingInput {
  @Field(() => Boolean, optional('Recycle alone, not with others of its label.')) solo?:
    boolean | null;
  @Field(() => Int, optional('Distance between two publications, in `gapFreq`; at least 1.')) gap?:
    number | null;
  @Field(() => String, optional('Unit of `gap`: days, weeks or months (D6).')) gapFreq?:
    string | null;
  @Field(() => String, optional('Label of the group it recycles with.')) label?: string | null;
  @Field(() => String, optional('First day, YYYY-MM-DD.')) startDate?: string | null;
  @Field(() => String, optional('Last day, YYYY-MM-DD.')) expireDate?: string | null;
  @Field(() => Int, optional('Number of publications before it expires; at least 1.'))
  expireCount?: number | null;
}

@InputType({
  description:
    'The rule of a series, in the request’s words; keys left out keep their value (Update post, recurring object; D8, D23).',
})
export class RecurringInput {
  @Field(
    () => String,
    optional(
      'First occurrence: a date (midnight in the workspace’s zone) or a datetime with its offset.',
    ),
  )
  startDate?: string | null;
  @Field(() => String, optional('No occurrence after it: a date or a datetime with its offset.'))
  endDate?: string | null;
  @Field(() => String, optional('daily, weekly, monthly or yearly (D6).')) repeat?: string | null;
  @Field(() => Int, optional('Every so many of `repeat`; at least 1.')) repeatRate?: number | null;
  @Field(() => [Json], optional('Weekdays: 0 to 6 with 0 = Monday, or their names (D6).'))
  daysOfWeek?: unknown[] | null;
}
