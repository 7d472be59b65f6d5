import { Field, Float, ID, InputType } from 'type-graphql';
import { optional } from '../../optional.js';
import { Json } from '../../scalars.js';

@InputType({ description: 'The picture that stands for a blog post (Update post).' })
export class FeaturedMediaInput {
  @Field(() => String, {
    description: 'Its https URL, up to 2,048 characters; the server does not fetch it (D20).',
  })
  path!: string;
}

@InputType({
  description: 'Two sizes of a thumbnail; both are https URLs (Update post, media object).',
})
export class ThumbnailsInput {
  @Field(() => String, optional('In full size.')) real?: string | null;
  @Field(() => String, optional('In small size.')) small?: string | null;
}

@InputType({ description: 'Someone or something tagged in a picture (Update post, media object).' })
export class TagInput {
  @Field(() => ID, optional('The network’s own id of what is tagged.')) id?: string | null;
  @Field(() => String, optional('Its name on the network.')) name?: string | null;
  @Field(() => Float, optional('Distance from the left edge, as a fraction: 0 to 1.')) x?:
    number | null;
  @Field(() => Float, optional('Distance from the top edge, as a fraction: 0 to 1.')) y?:
    number | null;
}

@InputType({
  description:
    'One attachment: a media item of the workspace by id, or any by path (Update post, media object; D20).',
})
export class MediaInput {
  @Field(() => ID, optional('A media item of the workspace; any other is MEDIA_NOT_FOUND.')) id?:
    string | null;
  @Field(() => String, optional('Its https URL; a result’s `url`. The server does not fetch it.'))
  path?: string | null;
  @Field(() => String, optional('Title.')) title?: string | null;
  @Field(() => String, optional('What it shows; a result’s `altText`.')) caption?: string | null;
  @Field(() => Boolean, optional('Save it into the workspace’s library.')) inLibrary?:
    boolean | null;
  @Field(() => String, optional('The https URL of the thumbnail to show first.'))
  defaultThumbnail?: string | null;
  @Field(() => ThumbnailsInput, optional('Own thumbnails.')) thumbnails?: ThumbnailsInput | null;
  @Field(() => [TagInput], optional('People tagged in it, with their positions.')) userTags?:
    TagInput[] | null;
  @Field(() => [TagInput], optional('Collaborators tagged in it.')) collaboratorTags?:
    TagInput[] | null;
  @Field(() => [TagInput], optional('Products tagged in it.')) productTags?: TagInput[] | null;
}

@InputType({ description: 'A link and its preview (Update post, link object).' })
export class LinkInput {
  @Field(() => String, optional('http or https; one value with the post’s `url` (D20).')) url?:
    string | null;
  @Field(() => String, optional('The button’s action.')) callToAction?: string | null;
  @Field(() => String, optional('The number that a call button dials.')) phoneNumber?:
    string | null;
  @Field(() => String, optional('The site’s name as shown.')) providerDisplay?: string | null;
  @Field(() => String, optional('The description the page itself gives.')) originalDescription?:
    string | null;
  @Field(() => String, optional('The title the page itself gives.')) originalTitle?: string | null;
  @Field(() => String, optional('The description to show.')) description?: string | null;
  @Field(() => String, optional('The title to show.')) title?: string | null;
  @Field(() => String, optional('The https URL of the picture to show.')) defaultImage?:
    string | null;
  @Field(() => [String], optional('Pictures to choose from.')) images?: string[] | null;
  @Field(() => [String], optional('Pictures the page itself gives.')) originalImages?:
    string[] | null;
}

@InputType({ description: 'One block of a rich text (Update post, content; D25): kept as given.' })
export class ContentBlockInput {
  @Field(() => String, {
    description: 'paragraph, header, list, media, table, delimiter, code, html or quote (D6).',
  })
  type!: string;
  @Field(() => Json, { description: 'The block’s own data; it is kept as given.' }) data!: unknown;
}

@InputType({ description: 'Where the post says it is (Update post).' })
export class LocationInput {
  @Field(() => ID, { description: 'The network’s own id of the place.' }) id!: string;
  @Field(() => String, optional('The place’s name.')) name?: string | null;
}

@InputType({
  description: 'A label by its name: found ignoring case, with the colour it has, or made (D20).',
})
export class LabelInput {
  @Field(() => String, { description: 'Its name.' }) name!: string;
  @Field(() => String, optional('Colour of a new label, `#rrggbb`; #808080 when left out.'))
  color?: string | null;
}
