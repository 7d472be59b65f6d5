import type { PostType } from '../vocabulary.js';
import type { ContentBlock, MediaTag } from './post-content.js';
import type { Link } from './post-link.js';
import type { PostDetails, Recycling, RecurringRule } from './post-settings.js';
import type { Location } from './post.js';

/**
 * The 20 fields of an update, and `scheduledAt` (D29). An absent field is kept, null clears it
 * (D20).
 */
export interface PostPatch {
  type?: PostType;
  text?: string | null;
  url?: string | null;
  title?: string | null;
  excerpt?: string | null;
  question?: string | null;
  duration?: number | null;
  featuredMedia?: { path: string } | null;
  media?: MediaPatch[] | null;
  link?: Link | null;
  details?: PostDetails | null;
  recycling?: Recycling | null;
  recurring?: RecurringRule | null;
  content?: ContentBlock[] | null;
  location?: Location | null;
  labels?: LabelPatch[] | null;
  options?: string[] | null;
  tags?: string[] | null;
  categories?: string[] | null;
  sublinks?: Link[] | null;
  scheduledAt?: Date | null;
}
export type PatchField = keyof PostPatch;
/** The fields of PostPatch. */
export const PATCH_FIELDS = [
  'type',
  'text',
  'url',
  'title',
  'excerpt',
  'question',
  'duration',
  'featuredMedia',
  'media',
  'link',
  'details',
  'recycling',
  'recurring',
  'content',
  'location',
  'labels',
  'options',
  'tags',
  'categories',
  'sublinks',
  'scheduledAt',
] as const satisfies readonly PatchField[];

/** One media item of a patch, identified by `id` or `path` (D20). */
export interface MediaPatch {
  id?: string | null;
  path?: string | null;
  title?: string | null;
  caption?: string | null;
  inLibrary?: boolean | null;
  defaultThumbnail?: string | null;
  thumbnails?: { real?: string | null; small?: string | null } | null;
  userTags?: MediaTag[] | null;
  collaboratorTags?: MediaTag[] | null;
  productTags?: MediaTag[] | null;
}
/** A label of a patch, by name; `color` is used only if the label is created (D20). */
export interface LabelPatch {
  name: string;
  color?: string | null;
}
