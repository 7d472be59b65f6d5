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
} from '../../../domain/posts/post-settings.js';
import { inputOfShape } from '../../schema/shape-types.js';

/** The objects inside the changes of a post. Their keys are lines of the tables in the domain. */

export const FeaturedMediaInput = inputOfShape('FeaturedMediaInput', {
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

export const MediaInput = inputOfShape('MediaInput', {
  description: 'Attached media item: either one of the workspace, by `id`, or any file, by `path`.',
  keys: MEDIA,
  objects: {
    thumbnails: ThumbnailsInput,
    userTags: TagInput,
    collaboratorTags: TagInput,
    productTags: TagInput,
  },
});

export const LinkInput = inputOfShape('LinkInput', {
  description: 'Link with its preview.',
  keys: LINK,
  objects: {},
});

export const ContentBlockInput = inputOfShape('ContentBlockInput', {
  description: 'Block of rich text. Stored as sent.',
  keys: CONTENT_BLOCK,
  objects: {},
});

export const LocationInput = inputOfShape('LocationInput', {
  description: 'Place that a post is tagged with.',
  keys: LOCATION,
  objects: {},
});

export const LabelInput = inputOfShape('LabelInput', {
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

export const DetailsInput = inputOfShape('DetailsInput', {
  description:
    'Settings that apply only to some networks or post types. Omitted keys keep their value.',
  keys: DETAILS,
  objects: { sponsor: SponsorInput },
});

export const RecyclingInput = inputOfShape('RecyclingInput', {
  description: 'Repeated publication of a post. Omitted keys keep their value.',
  keys: RECYCLING,
  objects: {},
});

export const RecurringInput = inputOfShape('RecurringInput', {
  description: 'Recurrence rule of a series. Omitted keys keep their value.',
  keys: RECURRING,
  objects: {},
});

export const NetworkOptionsInput = inputOfShape('NetworkOptionsInput', {
  description: 'Settings that are specific to one network. Omitted keys keep their value.',
  keys: NETWORK_OPTIONS,
  objects: {},
});
