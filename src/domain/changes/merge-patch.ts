import { canonicalPrivacy } from './patch-enums.js';
import { byLabelName, type Label, type Post } from '../posts/post.js';
import { mediaTypeOf, type Attachment, type Media } from '../posts/post-content.js';
import type { Link } from '../posts/post-link.js';
import type { MediaPatch, PostPatch } from '../posts/post-patch.js';

/** The records that a patch refers to by ID, name or path, found or created beforehand. */
export interface PatchReferences {
  /** One for each label of the patch, in the same order. */
  readonly labels: readonly Label[];
  readonly mediaById: ReadonlyMap<string, Media>;
  readonly mediaByUrl: ReadonlyMap<string, Media>;
}

/** Merges key by key: an absent key is kept, null clears it (D20). */
function mergeKeys<T extends object>(
  before: T | null,
  patch: Partial<T> | null | undefined,
): T | null {
  if (patch === undefined) return before;
  if (patch === null) return null;
  const merged = Object.entries({ ...before, ...patch }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return merged.length > 0 ? (Object.fromEntries(merged) as T) : null;
}

const patchedValue = <T>(before: T, patch: T | undefined): T =>
  patch === undefined ? before : patch;
const patchedList = <T>(before: T[], patch: T[] | null | undefined): T[] =>
  patch === undefined ? before : (patch ?? []);

function attach(patch: MediaPatch, { mediaById, mediaByUrl }: PatchReferences): Attachment {
  const media = (patch.id ? mediaById.get(patch.id) : mediaByUrl.get(patch.path ?? ''))!;
  return {
    ...media,
    altText: patchedValue(media.altText, patch.caption),
    title: patchedValue(media.title, patch.title),
    defaultThumbnail: patch.defaultThumbnail ?? null,
    thumbnails: patch.thumbnails ?? null,
    userTags: patch.userTags ?? [],
    collaboratorTags: patch.collaboratorTags ?? [],
    productTags: patch.productTags ?? [],
  };
}

/** `url` and `link.url` are one value (D20), except on a blog, where `url` is the slug. */
function mergeUrl(post: Post, patch: PostPatch): Pick<Post, 'url' | 'link'> {
  const link = mergeKeys<Link>(post.link, patch.link);
  if (post.network === 'wordpress') return { url: patchedValue(post.url, patch.url), link };
  const linkUrl = patch.link === null ? null : patch.link?.url;
  return {
    url: patchedValue(patchedValue(post.url, linkUrl), patch.url),
    link: mergeKeys<Link>(link, link && { url: null }),
  };
}

function mergeDetails(post: Post, { details }: PostPatch): Post['details'] {
  if (!details) return mergeKeys(post.details, details);
  const sponsor = mergeKeys(post.details?.sponsor ?? null, details.sponsor);
  const privacy =
    details.privacy && post.network
      ? canonicalPrivacy(post.network, details.privacy)
      : details.privacy;
  return mergeKeys(post.details, {
    ...details,
    sponsor,
    ...(privacy === undefined ? {} : { privacy }),
  });
}

/** The post with the patch applied (D20), without versions, rights, rules or transitions. */
export function mergePatch(post: Post, patch: PostPatch, references: PatchReferences): Post {
  const media =
    patch.media === undefined
      ? post.media
      : (patch.media ?? []).map((item) => attach(item, references));
  const details = mergeDetails(post, patch);
  return {
    ...post,
    ...mergeUrl(post, patch),
    type: patch.type ?? post.type,
    text: patch.text === undefined ? post.text : (patch.text ?? ''),
    title: patchedValue(post.title, patch.title),
    excerpt: patchedValue(post.excerpt, patch.excerpt),
    question: patchedValue(post.question, patch.question),
    duration: patchedValue(post.duration, patch.duration),
    featuredMedia:
      patch.featuredMedia === undefined
        ? post.featuredMedia
        : patch.featuredMedia && references.mediaByUrl.get(patch.featuredMedia.path)!,
    media,
    hasMedia: media.length > 0,
    details,
    reminder: details?.reminder === true,
    recycling: mergeKeys(post.recycling, patch.recycling),
    recurring: mergeKeys(post.recurring, patch.recurring),
    content: patchedList(post.content, patch.content),
    location: mergeKeys(post.location, patch.location),
    labels:
      patch.labels === undefined
        ? post.labels
        : [...new Map(references.labels.map((label) => [label.id, label])).values()].sort(
            byLabelName,
          ),
    options: patchedList(post.options, patch.options),
    tags: patchedList(post.tags, patch.tags),
    categories: patchedList(post.categories, patch.categories),
    sublinks: patchedList(post.sublinks, patch.sublinks),
    scheduledAt: patchedValue(post.scheduledAt, patch.scheduledAt),
  };
}

/** A new media item for a path that the workspace does not have yet (D20: it is never fetched). */
export const newMedia = (id: string, path: string): Media => ({
  id,
  type: mediaTypeOf(path),
  url: path,
  altText: null,
  title: null,
});

/** The fields that an update can change, and those derived from them. */
const MUTABLE_FIELDS = [
  'type',
  'text',
  'url',
  'title',
  'excerpt',
  'question',
  'duration',
  'featuredMedia',
  'media',
  'hasMedia',
  'link',
  'details',
  'reminder',
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
  'storedState',
  'ownFields',
  'parentId',
] as const satisfies readonly (keyof Post)[];

/** JSON with sorted keys: equal values have equal texts regardless of key order. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'null';

/** Whether two values are equal as JSON, regardless of key order. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || canonicalJson(a) === canonicalJson(b);

/** The fields that differ between two versions of a post; none if an update had no effect (D26). */
export const changedFields = (before: Post, after: Post): (keyof Post)[] =>
  MUTABLE_FIELDS.filter((field) => !isSame(before[field], after[field]));

/** A change of labels only needs no approval (D24); `ownFields` follows from the other fields. */
export const isMoreThanLabels = (changed: readonly (keyof Post)[]): boolean =>
  changed.some((field) => field !== 'labels' && field !== 'ownFields');
