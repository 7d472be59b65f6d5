import type { PostType } from '../vocabulary.js';

type Nullable<T> = T | null;

/**
 * A patch as both APIs pass it on, before its formats are checked (see readPatch): enum values in
 * lower case, times as Dates, names in camelCase. Absent (keep) and null (clear) are different
 * (D20).
 */
export interface PatchInput {
  type?: Nullable<PostType>;
  text?: Nullable<string>;
  url?: Nullable<string>;
  title?: Nullable<string>;
  excerpt?: Nullable<string>;
  question?: Nullable<string>;
  /** Poll duration in days (D6). */
  duration?: Nullable<number>;
  featuredMedia?: Nullable<FeaturedMediaInput>;
  media?: Nullable<MediaInput[]>;
  link?: Nullable<LinkInput>;
  details?: Nullable<DetailsInput>;
  recycling?: Nullable<RecyclingInput>;
  recurring?: Nullable<RecurringInput>;
  content?: Nullable<ContentBlockInput[]>;
  location?: Nullable<LocationInput>;
  labels?: Nullable<LabelInput[]>;
  options?: Nullable<string[]>;
  tags?: Nullable<string[]>;
  categories?: Nullable<string[]>;
  sublinks?: Nullable<LinkInput[]>;
  scheduledAt?: Nullable<Date>;
}

interface FeaturedMediaInput {
  path: string;
}

interface MediaInput {
  id?: Nullable<string>;
  path?: Nullable<string>;
  title?: Nullable<string>;
  caption?: Nullable<string>;
  inLibrary?: Nullable<boolean>;
  defaultThumbnail?: Nullable<string>;
  thumbnails?: Nullable<ThumbnailsInput>;
  userTags?: Nullable<TagInput[]>;
  collaboratorTags?: Nullable<TagInput[]>;
  productTags?: Nullable<TagInput[]>;
}

interface ThumbnailsInput {
  real?: Nullable<string>;
  small?: Nullable<string>;
}

interface TagInput {
  id?: Nullable<string>;
  name?: Nullable<string>;
  x?: Nullable<number>;
  y?: Nullable<number>;
}

interface LinkInput {
  url?: Nullable<string>;
  callToAction?: Nullable<string>;
  phoneNumber?: Nullable<string>;
  providerDisplay?: Nullable<string>;
  originalDescription?: Nullable<string>;
  originalTitle?: Nullable<string>;
  description?: Nullable<string>;
  title?: Nullable<string>;
  defaultImage?: Nullable<string>;
  images?: Nullable<string[]>;
  originalImages?: Nullable<string[]>;
}

interface DetailsInput {
  type?: Nullable<string>;
  feed?: Nullable<boolean>;
  reminder?: Nullable<boolean>;
  title?: Nullable<string>;
  start?: Nullable<string>;
  end?: Nullable<string>;
  coupon?: Nullable<string>;
  terms?: Nullable<string>;
  audio?: Nullable<string>;
  privacy?: Nullable<string>;
  comment?: Nullable<boolean>;
  duet?: Nullable<boolean>;
  stitch?: Nullable<boolean>;
  promotional?: Nullable<boolean>;
  paid?: Nullable<boolean>;
  language?: Nullable<string>;
  autoAddMusic?: Nullable<boolean>;
  textFormatPresetId?: Nullable<string>;
  boost?: Nullable<boolean>;
  sponsor?: Nullable<SponsorInput>;
}

interface SponsorInput {
  id?: Nullable<string>;
  name?: Nullable<string>;
  verified?: Nullable<boolean>;
  boost?: Nullable<boolean>;
}

interface RecyclingInput {
  solo?: Nullable<boolean>;
  gap?: Nullable<number>;
  gapFreq?: Nullable<string>;
  label?: Nullable<string>;
  startDate?: Nullable<string>;
  expireDate?: Nullable<string>;
  expireCount?: Nullable<number>;
}

interface RecurringInput {
  startDate?: Nullable<string>;
  endDate?: Nullable<string>;
  repeat?: Nullable<string>;
  repeatRate?: Nullable<number>;
  /** Integers or names of weekdays; checked by readPatch (D6). */
  daysOfWeek?: Nullable<unknown[]>;
}

interface ContentBlockInput {
  type: string;
  data: unknown;
}

interface LocationInput {
  id: string;
  name?: Nullable<string>;
}

interface LabelInput {
  name: string;
  color?: Nullable<string>;
}
