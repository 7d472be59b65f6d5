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
  description: 'Settings that apply to some networks or post types only.',
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
    optional('Whether a person is reminded to publish the post, instead of automatic publication.'),
  )
  reminder!: boolean | null;
  @Field(() => String, optional('Title of the event.')) title!: string | null;
  @Field(() => String, optional('Start of the event.')) start!: string | null;
  @Field(() => String, optional('End of the event.')) end!: string | null;
  @Field(() => String, optional('Coupon code of the offer.')) coupon!: string | null;
  @Field(() => String, optional('Terms of the offer.')) terms!: string | null;
  @Field(() => String, optional('Name of the sound.')) audio!: string | null;
  @Field(() => String, optional('Audience of the post, as a value of the network.')) privacy!:
    string | null;
  @Field(() => Boolean, optional('Whether comments are allowed.')) comment!: boolean | null;
  @Field(() => Boolean, optional('Whether duets are allowed.')) duet!: boolean | null;
  @Field(() => Boolean, optional('Whether stitches are allowed.')) stitch!: boolean | null;
  @Field(() => Boolean, optional('Whether the post promotes the author’s own business.'))
  promotional!: boolean | null;
  @Field(() => Boolean, optional('Whether the post is paid for.')) paid!: boolean | null;
  @Field(() => String, optional('Language of the text, as a BCP 47 tag.')) language!: string | null;
  @Field(() => Boolean, optional('Whether the network adds music automatically.')) autoAddMusic!:
    boolean | null;
  @Field(
    () => String,
    optional('ID of the background preset of a text-only post, on the large general network.'),
  )
  textFormatPresetId!: string | null;
  @Field(() => Boolean, optional('Whether the post can be boosted.')) boost!: boolean | null;
  @Field(() => SponsorObject, optional('Sponsor of the post.')) sponsor!: SponsorObject | null;
}

@ObjectType('NetworkOptions', {
  simpleResolvers: true,
  description: 'Settings that a single network has.',
})
export class NetworkOptionsObject {
  @Field(() => String, optional('ID of the board of a pin, on the pin board network.'))
  boardId!: string | null;
  @Field(
    () => String,
    optional('Audience, as a value of the federated microblog or the professional network.'),
  )
  visibility!: string | null;
  @Field(() => Boolean, optional('Whether media are hidden until a reader asks for them.'))
  sensitive!: boolean | null;
  @Field(
    () => String,
    optional('Warning that is shown instead of the text, on the federated microblog.'),
  )
  spoilerText!: string | null;
  @Field(() => String, optional('Who can reply, as a value of the network.'))
  replySettings!: string | null;
  @Field(() => String, optional('Category of a video, as an ID of the video network.'))
  category!: string | null;
  @Field(() => String, optional('Markup of the text, as a value of the messaging network.'))
  parseMode!: string | null;
  @Field(
    () => Boolean,
    optional('Whether members of the channel get no notification, on the messaging network.'),
  )
  disableNotification!: boolean | null;
}
