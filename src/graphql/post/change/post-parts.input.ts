import { Field, Float, ID, InputType } from 'type-graphql';
import { Json } from '../../schema/enums.js';
import { optional } from '../../schema/descriptions.js';

@InputType({ description: 'Featured image of a blog post.' })
export class FeaturedMediaInput {
  @Field(() => String, {
    description:
      'HTTPS URL of the image, up to 2,048 characters. The gateway fetches it only to send the post to a blog.',
  })
  path!: string;
}

@InputType({
  description: 'Thumbnail in two sizes, each as an HTTPS URL.',
})
export class ThumbnailsInput {
  @Field(() => String, optional('HTTPS URL of the thumbnail in full size.')) real?: string | null;
  @Field(() => String, optional('HTTPS URL of the thumbnail in small size.')) small?: string | null;
}

@InputType({ description: 'User or product tagged in a media item.' })
export class TagInput {
  @Field(() => ID, optional('ID of the tagged user or product on the network.')) id?: string | null;
  @Field(() => String, optional('Name of the tagged user or product on the network.')) name?:
    string | null;
  @Field(() => Float, optional('Distance from the left edge, as a fraction of the width: 0 to 1.'))
  x?: number | null;
  @Field(() => Float, optional('Distance from the top edge, as a fraction of the height: 0 to 1.'))
  y?: number | null;
}

@InputType({
  description: 'Attached media item: either one of the workspace, by `id`, or any file, by `path`.',
})
export class MediaInput {
  @Field(
    () => ID,
    optional('ID of a media item of the workspace. Other IDs are rejected with MEDIA_NOT_FOUND.'),
  )
  id?: string | null;
  @Field(
    () => String,
    optional(
      'HTTPS URL of the file, called `url` in a result. The gateway fetches it only to publish the post. If `id` is set, `path` must be the URL of that item.',
    ),
  )
  path?: string | null;
  @Field(() => String, optional('Title of the media item.')) title?: string | null;
  @Field(() => String, optional('Alternative text, called `altText` in a result.')) caption?:
    string | null;
  @Field(() => Boolean, optional('Whether to add the item to the media library of the workspace.'))
  inLibrary?: boolean | null;
  @Field(() => String, optional('HTTPS URL of the default thumbnail.'))
  defaultThumbnail?: string | null;
  @Field(() => ThumbnailsInput, optional('Custom thumbnail.')) thumbnails?: ThumbnailsInput | null;
  @Field(() => [TagInput], optional('Tagged users, with their positions.')) userTags?:
    TagInput[] | null;
  @Field(() => [TagInput], optional('Tagged collaborators.')) collaboratorTags?: TagInput[] | null;
  @Field(() => [TagInput], optional('Tagged products.')) productTags?: TagInput[] | null;
}

@InputType({ description: 'Link with its preview.' })
export class LinkInput {
  @Field(
    () => String,
    optional(
      'HTTP or HTTPS URL. On the `link` of a post, the same value as the `url` of the post.',
    ),
  )
  url?: string | null;
  @Field(() => String, optional('Action of the button.')) callToAction?: string | null;
  @Field(() => String, optional('Phone number of a call button.')) phoneNumber?: string | null;
  @Field(() => String, optional('Name of the linked site, as displayed.')) providerDisplay?:
    string | null;
  @Field(() => String, optional('Description that the linked page provides.'))
  originalDescription?: string | null;
  @Field(() => String, optional('Title that the linked page provides.')) originalTitle?:
    string | null;
  @Field(() => String, optional('Description of the preview.')) description?: string | null;
  @Field(() => String, optional('Title of the preview.')) title?: string | null;
  @Field(() => String, optional('HTTPS URL of the preview image.')) defaultImage?: string | null;
  @Field(() => [String], optional('HTTPS URLs of the images to choose from.')) images?:
    string[] | null;
  @Field(() => [String], optional('HTTPS URLs of the images that the linked page provides.'))
  originalImages?: string[] | null;
}

@InputType({ description: 'Block of rich text. Stored as sent.' })
export class ContentBlockInput {
  @Field(() => String, {
    description:
      'Block type: paragraph, header, list, media, table, delimiter, code, html or quote.',
  })
  type!: string;
  @Field(() => Json, {
    description: 'Data of the block, stored as sent. The structure depends on `type`.',
  })
  data!: unknown;
}

@InputType({ description: 'Place that a post is tagged with.' })
export class LocationInput {
  @Field(() => ID, { description: 'ID of the place on the network.' }) id!: string;
  @Field(() => String, optional('Name of the place.')) name?: string | null;
}

@InputType({
  description:
    'Label, by name (case-insensitive). An existing label keeps its color; an unknown one is created.',
})
export class LabelInput {
  @Field(() => String, { description: 'Name of the label.' }) name!: string;
  @Field(() => String, optional('Color of a new label, `#rrggbb`. Defaults to #808080.'))
  color?: string | null;
}
