import { Field, InputType, Int } from 'type-graphql';
import type { PostType } from '../../../domain/vocabulary.js';
import { PostTypeEnum } from '../../enums.js';
import { optional } from '../../optional.js';
import { DateTime } from '../../scalars.js';
import {
  ContentBlockInput,
  FeaturedMediaInput,
  LabelInput,
  LinkInput,
  LocationInput,
  MediaInput,
} from './post-parts.input.js';
import { DetailsInput, RecurringInput, RecyclingInput } from './post-settings.input.js';

@InputType('PostPatch', {
  description:
    'What an update changes: the document’s 20 fields, and `scheduledAt` (D29). A field left out keeps its value, null clears it, a list replaces, an object merges key by key (D20). On a published post only the fields of `networks.editable` may change.',
})
export class PostPatchInput {
  @Field(
    () => PostTypeEnum,
    optional('One of the types that the post’s network has; it cannot be null.'),
  )
  type?: PostType;
  @Field(
    () => String,
    optional(
      'Main text. Published posts: up to 5,000 code points on the video network, 1,500 on the business-listing network.',
    ),
  )
  text?: string | null;
  @Field(
    () => String,
    optional('URL of a link post, one value with `link.url`; on the blog the slug (D20, D22).'),
  )
  url?: string | null;
  @Field(
    () => String,
    optional(
      'Title, on some networks; up to 100 code points on published posts of the video network.',
    ),
  )
  title?: string | null;
  @Field(() => String, optional('Excerpt, on some networks.')) excerpt?: string | null;
  @Field(() => String, optional('A poll’s question.')) question?: string | null;
  @Field(() => Int, optional('How long a poll runs, in days (D6).')) duration?: number | null;
  @Field(() => FeaturedMediaInput, optional('The picture that stands for a blog post.'))
  featuredMedia?: FeaturedMediaInput | null;
  @Field(() => [MediaInput], optional('Attachments in their order; the list replaces.')) media?:
    MediaInput[] | null;
  @Field(() => LinkInput, optional('Link and preview.')) link?: LinkInput | null;
  @Field(() => DetailsInput, optional('Settings of one network or type.'))
  details?: DetailsInput | null;
  @Field(() => RecyclingInput, optional('How it is published again.'))
  recycling?: RecyclingInput | null;
  @Field(
    () => RecurringInput,
    optional('The rule of a series; a change re-dates, makes or removes future children (D23).'),
  )
  recurring?: RecurringInput | null;
  @Field(
    () => [ContentBlockInput],
    optional('Blocks of a rich text; a blog gets them as HTML (D25).'),
  )
  content?: ContentBlockInput[] | null;
  @Field(() => LocationInput, optional('Where the post says it is.'))
  location?: LocationInput | null;
  @Field(
    () => [LabelInput],
    optional('The whole set of labels. They may change on every published post.'),
  )
  labels?: LabelInput[] | null;
  @Field(() => [String], optional('A poll’s options.')) options?: string[] | null;
  @Field(() => [String], optional('Tags.')) tags?: string[] | null;
  @Field(() => [String], optional('Categories.')) categories?: string[] | null;
  @Field(() => [LinkInput], optional('Further links; each needs its `url`.')) sublinks?:
    LinkInput[] | null;
  @Field(
    () => DateTime,
    optional(
      'New time of a scheduled post, draft or future child, at least one minute ahead; daily caps apply (D29, D39).',
    ),
  )
  scheduledAt?: Date | null;
}
