import { canonicalPrivacy, usesSlug } from '../networks/networks.js';
import { type Post } from '../posts/post.js';
import {
  mediaTypeOf,
  type Attachment,
  type Media,
  type MediaType,
  byLabelName,
  type Label,
} from '../posts/post-content.js';
import {
  PATCH_FIELDS,
  emptyValueOf,
  type PatchField,
  type ReferenceField,
} from '../posts/post-fields.js';
import type { PostPatch } from '../posts/post-patch.js';
import type { PostDetails, Link, MediaPatch } from '../posts/post-settings.js';

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

/** An item that the post has already keeps the settings that the patch does not name. */
function attach(
  patch: MediaPatch,
  attached: readonly Attachment[],
  { mediaById, mediaByUrl }: PatchReferences,
): Attachment {
  const before = attached.find(({ id, url }) => (patch.id ? id === patch.id : url === patch.path));
  const media: Media =
    before ?? (patch.id ? mediaById.get(patch.id) : mediaByUrl.get(patch.path ?? ''))!;
  const kept = <T>(value: T | null | undefined, old: T | null = null): T | null =>
    value === undefined ? old : value;
  return {
    ...media,
    altText: kept(patch.caption, media.altText),
    title: kept(patch.title, media.title),
    defaultThumbnail: kept(patch.defaultThumbnail, before?.defaultThumbnail),
    thumbnails: kept(patch.thumbnails, before?.thumbnails),
    userTags: kept(patch.userTags, before?.userTags) ?? [],
    collaboratorTags: kept(patch.collaboratorTags, before?.collaboratorTags) ?? [],
    productTags: kept(patch.productTags, before?.productTags) ?? [],
  };
}

/** `url` and `link.url` are one value (D20), except on a blog, where `url` is the slug. */
function mergeUrl({ network, url }: Post, patch: PostPatch): string | null {
  if (patch.url !== undefined) return patch.url;
  if (usesSlug(network) || patch.link === undefined) return url;
  if (patch.link === null) return null;
  return patch.link.url === undefined ? url : patch.link.url;
}

function mergeLink(post: Post, patch: PostPatch): Link | null {
  const link = mergeKeys(post.link, patch.link);
  return usesSlug(post.network) ? link : mergeKeys(link, link && { url: null });
}

function mergeDetails(post: Post, { details }: PostPatch): PostDetails | null {
  if (!details) return mergeKeys(post.details, details);
  const sponsor = mergeKeys(post.details?.sponsor ?? null, details.sponsor);
  const privacy =
    details.privacy && post.network
      ? (canonicalPrivacy(post.network, details.privacy) ?? details.privacy)
      : details.privacy;
  return mergeKeys(post.details, {
    ...details,
    sponsor,
    ...(privacy === undefined ? {} : { privacy }),
  });
}

type Mergers<F extends PatchField> = {
  readonly [K in F]: (post: Post, patch: PostPatch, references: PatchReferences) => Post[K];
};

/** Fields whose new value depends on more than the value before and the value in the patch. */
const MERGERS: Mergers<ReferenceField> & Partial<Mergers<PatchField>> = {
  url: mergeUrl,
  link: mergeLink,
  details: mergeDetails,
  featuredMedia: ({ featuredMedia }, { featuredMedia: patch }, { mediaByUrl }) =>
    patch === undefined || (featuredMedia && patch?.path === featuredMedia.url)
      ? featuredMedia
      : patch && mediaByUrl.get(patch.path)!,
  media: ({ media }, patch, references) =>
    patch.media === undefined
      ? media
      : (patch.media ?? []).map((item) => attach(item, media, references)),
  labels: ({ labels }, patch, references) =>
    patch.labels === undefined
      ? labels
      : [...new Map(references.labels.map((label) => [label.id, label])).values()].sort(
          byLabelName,
        ),
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);

/** An object is merged key by key, any other value is replaced (D20). */
function mergeField(field: PatchField, post: Post, patch: PostPatch): unknown {
  const value = patch[field];
  if (value === undefined) return post[field];
  if (value === null) return emptyValueOf(field);
  return isObject(value) ? mergeKeys(post[field] as object | null, value) : value;
}

/** The post with the patch applied (D20), without versions, rights, rules or transitions. */
export function mergePatch(post: Post, patch: PostPatch, references: PatchReferences): Post {
  const merged: { -readonly [K in keyof Post]: Post[K] } = { ...post };
  const values: { [F in PatchField]: unknown } = merged;
  for (const field of PATCH_FIELDS) {
    const merge = MERGERS[field];
    values[field] = merge ? merge(post, patch, references) : mergeField(field, post, patch);
  }
  merged.hasMedia = merged.media.length > 0;
  merged.reminder = merged.details?.reminder === true;
  return merged;
}

/** A new media item for a path that the workspace does not have yet (D20: it is never fetched). */
export const newMedia = (id: string, path: string, type?: MediaType | null): Media => ({
  id,
  type: type ?? mediaTypeOf(path),
  url: path,
  altText: null,
  title: null,
});

/** Fields that follow from the fields of the patch. */
const DERIVED_FIELDS: readonly (keyof Post)[] = ['hasMedia', 'reminder'];

/** Fields of an updated post that follow from its state, its series and its time. */
const FOLLOWING_FIELDS: readonly (keyof Post)[] = [
  'storedState',
  'ownFields',
  'parentId',
  'extendAt',
  'occurrenceState',
  'pausedAfterApproval',
];

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

const differing = (fields: readonly (keyof Post)[], before: Post, after: Post): (keyof Post)[] =>
  fields.filter((field) => !isSame(before[field], after[field]));

const PATCHED_FIELDS: readonly (keyof Post)[] = [...PATCH_FIELDS, ...DERIVED_FIELDS];

/** The fields that a patch changes; none if it has no effect (D26). */
export const patchedFields = (before: Post, after: Post): (keyof Post)[] =>
  differing(PATCHED_FIELDS, before, after);

/**
 * All fields that an update changes. `patched`: those that its patch changes; the time of the post
 * may have been set since.
 */
export function changedFields(
  patched: readonly (keyof Post)[],
  { before, after }: { before: Post; after: Post },
): (keyof Post)[] {
  const isMoved = !isSame(before.scheduledAt, after.scheduledAt);
  return [
    ...PATCHED_FIELDS.filter((field) =>
      field === 'scheduledAt' ? isMoved : patched.includes(field),
    ),
    ...differing(FOLLOWING_FIELDS, before, after),
  ];
}

/** A change of labels only needs no approval (D24); `ownFields` follows from the other fields. */
export const isMoreThanLabels = (changed: readonly (keyof Post)[]): boolean =>
  changed.some((field) => field !== 'labels' && field !== 'ownFields');
