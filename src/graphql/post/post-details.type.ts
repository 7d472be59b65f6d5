import { Field, ID, ObjectType } from 'type-graphql';
import { optional } from '../optional.js';

@ObjectType('Sponsor', { simpleResolvers: true, description: 'Who pays for a promotional post.' })
class SponsorObject {
  @Field(() => ID, {
    description: 'The network’s own id of the sponsor; empty where only its name is known.',
  })
  id!: string;
  @Field(() => String, optional('The sponsor’s name.')) name!: string | null;
  @Field(() => Boolean, optional('Whether the network has verified the sponsor.')) verified!:
    boolean | null;
  @Field(() => Boolean, optional('Whether the sponsor may boost the post.')) boost!: boolean | null;
}

@ObjectType('PostDetails', {
  simpleResolvers: true,
  description: 'Settings of one network or type (Update post, details object).',
})
export class PostDetailsObject {
  @Field(
    () => String,
    optional('reel, story, short, document, photo, event, offer or long_post (D6).'),
  )
  type!: string | null;
  @Field(() => Boolean, optional('A reel is shared to the feed too.')) feed!: boolean | null;
  @Field(() => Boolean, optional('A person is reminded to publish it (D12).')) reminder!:
    boolean | null;
  @Field(() => String, optional('An event’s title.')) title!: string | null;
  @Field(() => String, optional('When an event starts.')) start!: string | null;
  @Field(() => String, optional('When an event ends.')) end!: string | null;
  @Field(() => String, optional('An offer’s coupon code.')) coupon!: string | null;
  @Field(() => String, optional('An offer’s terms.')) terms!: string | null;
  @Field(() => String, optional('Name of the sound.')) audio!: string | null;
  @Field(() => String, optional('Who may see it, in the network’s words (D6).')) privacy!:
    string | null;
  @Field(() => Boolean, optional('Comments are allowed.')) comment!: boolean | null;
  @Field(() => Boolean, optional('Duets are allowed.')) duet!: boolean | null;
  @Field(() => Boolean, optional('Stitches are allowed.')) stitch!: boolean | null;
  @Field(() => Boolean, optional('It promotes the author’s own business.')) promotional!:
    boolean | null;
  @Field(() => Boolean, optional('It is paid for.')) paid!: boolean | null;
  @Field(() => String, optional('Language of the text, as a BCP 47 tag.')) language!: string | null;
  @Field(() => Boolean, optional('The network adds music.')) autoAddMusic!: boolean | null;
  @Field(() => String, optional('Background of a text-only post on the large general network.'))
  textFormatPresetId!: string | null;
  @Field(() => Boolean, optional('It may be boosted.')) boost!: boolean | null;
  @Field(() => SponsorObject, optional('Who pays.')) sponsor!: SponsorObject | null;
}
