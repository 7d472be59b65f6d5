import {
  CONTENT_BLOCK,
  DETAILS,
  FEATURED_MEDIA,
  LABEL,
  LINK,
  LOCATION,
  MEDIA,
  NETWORK_OPTIONS,
  RECURRING,
  RECYCLING,
  SPONSOR,
  TAG,
  THUMBNAILS,
} from '../../domain/posts/post-settings.js';
import { inputOfShape } from '../schema/shape-types.js';
import { Field, InputType, Int } from 'type-graphql';
import type { PatchInputFields } from '../../domain/posts/post-fields.js';
import type { PostType } from '../../domain/enums.js';
import { PostTypeEnum, DateTime } from '../schema/enums.js';
import { optional } from '../schema/descriptions.js';

/** The objects inside the changes of a post. Their keys are lines of the tables in the domain. */

const FeaturedMediaInput = inputOfShape('FeaturedMediaInput', {
  description: 'Featured image of a blog post.',
  keys: FEATURED_MEDIA,
  objects: {},
});

const ThumbnailsInput = inputOfShape('ThumbnailsInput', {
  description: 'Thumbnail in two sizes, each as an HTTPS URL.',
  keys: THUMBNAILS,
  objects: {},
});

const TagInput = inputOfShape('TagInput', {
  description: 'User or product tagged in a media item.',
  keys: TAG,
  objects: {},
});

const MediaInput = inputOfShape('MediaInput', {
  description: 'Attached media item: either one of the workspace, by `id`, or any file, by `path`.',
  keys: MEDIA,
  objects: {
    thumbnails: ThumbnailsInput,
    userTags: TagInput,
    collaboratorTags: TagInput,
    productTags: TagInput,
  },
});

const LinkInput = inputOfShape('LinkInput', {
  description: 'Link with its preview.',
  keys: LINK,
  objects: {},
});

const ContentBlockInput = inputOfShape('ContentBlockInput', {
  description: 'Block of rich text. Stored as sent.',
  keys: CONTENT_BLOCK,
  objects: {},
});

const LocationInput = inputOfShape('LocationInput', {
  description: 'Place that a post is tagged with.',
  keys: LOCATION,
  objects: {},
});

const LabelInput = inputOfShape('LabelInput', {
  description:
    'Label, by name (case-insensitive). An existing label keeps its color; an unknown one is created.',
  keys: LABEL,
  objects: {},
});

const SponsorInput = inputOfShape('SponsorInput', {
  description: 'Sponsor of a promotional post.',
  keys: SPONSOR,
  objects: {},
});

const DetailsInput = inputOfShape('DetailsInput', {
  description:
    'Settings that apply only to some networks or post types. Omitted keys keep their value.',
  keys: DETAILS,
  objects: { sponsor: SponsorInput },
});

const RecyclingInput = inputOfShape('RecyclingInput', {
  description: 'Repeated publication of a post. Omitted keys keep their value.',
  keys: RECYCLING,
  objects: {},
});

const RecurringInput = inputOfShape('RecurringInput', {
  description: 'Recurrence rule of a series. Omitted keys keep their value.',
  keys: RECURRING,
  objects: {},
});

const NetworkOptionsInput = inputOfShape('NetworkOptionsInput', {
  description: 'Settings that are specific to one network. Omitted keys keep their value.',
  keys: NETWORK_OPTIONS,
  objects: {},
});

@InputType('PostPatch', {
  description:
    'Changes to a post. Omitted fields keep their value, null clears a field, a list replaces the current list, and an object is merged key by key. On a published post, only the fields listed in `networks.editable` can be changed.',
})
export class PostPatchInput implements PatchInputFields {
  @Field(
    () => PostTypeEnum,
    optional(
      'Content type, one of the types that the network of the post supports. Cannot be null.',
    ),
  )
  type: PostType | undefined;
  @Field(
    () => String,
    optional(
      'Main text. On published posts, up to 5,000 code points on YouTube and 1,500 on Google Business Profile.',
    ),
  )
  text: string | null | undefined;
  @Field(
    () => String,
    optional('URL of a link post, the same value as `link.url`. Slug of a blog post.'),
  )
  url: string | null | undefined;
  @Field(
    () => String,
    optional(
      'Title, on networks that have titles. Up to 100 code points on posts published on YouTube.',
    ),
  )
  title: string | null | undefined;
  @Field(() => String, optional('Excerpt, on networks that have excerpts.')) excerpt:
    string | null | undefined;
  @Field(() => String, optional('Question of a poll.')) question: string | null | undefined;
  @Field(() => Int, optional('Duration of a poll, in days.')) duration: number | null | undefined;
  @Field(() => FeaturedMediaInput, optional('Featured image of a blog post.'))
  featuredMedia: PatchInputFields['featuredMedia'];
  @Field(() => [MediaInput], optional('Attached media, in order. Replaces the current list.'))
  media: PatchInputFields['media'];
  @Field(() => LinkInput, optional('Link of the post, with its preview.'))
  link: PatchInputFields['link'];
  @Field(() => DetailsInput, optional('Settings that apply only to some networks or post types.'))
  details: PatchInputFields['details'];
  @Field(() => RecyclingInput, optional('Repeated publication of the post.'))
  recycling: PatchInputFields['recycling'];
  @Field(
    () => RecurringInput,
    optional(
      'Recurrence rule of a series. A change reschedules, creates or deletes future occurrences.',
    ),
  )
  recurring: PatchInputFields['recurring'];
  @Field(() => [ContentBlockInput], optional('Rich text, as blocks. Sent to a blog as HTML.'))
  content: PatchInputFields['content'];
  @Field(() => LocationInput, optional('Place that the post is tagged with.'))
  location: PatchInputFields['location'];
  @Field(
    () => [LabelInput],
    optional(
      'All labels of the post. Replaces the current labels. Labels can be changed on every published post.',
    ),
  )
  labels: PatchInputFields['labels'];
  @Field(() => [String], optional('Options of a poll.')) options: string[] | null | undefined;
  @Field(() => [String], optional('Tags of the post.')) tags: string[] | null | undefined;
  @Field(() => [String], optional('Categories of the post.')) categories:
    string[] | null | undefined;
  @Field(() => [LinkInput], optional('Additional links. Each requires a `url`.'))
  sublinks: PatchInputFields['sublinks'];
  @Field(() => NetworkOptionsInput, optional('Settings that are specific to one network.'))
  networkOptions: PatchInputFields['networkOptions'];
  @Field(
    () => DateTime,
    optional(
      'New time of a scheduled post, draft or future occurrence, at least one minute in the future. Daily caps apply.',
    ),
  )
  scheduledAt: Date | null | undefined;
}
