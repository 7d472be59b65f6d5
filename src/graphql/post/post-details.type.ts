import { Field, ID, ObjectType } from 'type-graphql';
import { optional } from '../optional.js';

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
