import { canonicalPrivacy, usesSlug, type Network } from '../networks/networks.js';
import type { AttachedFile } from '../media/media-file.js';
import type { Post } from '../posts/post.js';
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
  type PostPatch,
} from '../posts/post-fields.js';
import type { PostDetails, Link, MediaPatch, RecurringRule } from '../posts/post-settings.js';
import { toLinkView, toPostLinkView, toRecyclingView } from '../posts/presented-settings.js';

/** The records that a patch refers to by ID, name or path, found or created beforehand. */
export interface PatchReferences {
  /** One for each label of the patch, in the same order. */
  readonly labels: readonly Label[];
  readonly mediaById: ReadonlyMap<string, Media>;
  readonly mediaByUrl: ReadonlyMap<string, Media>;
  /** The files of these media that have arrived, by media ID. */
  readonly mediaFiles: ReadonlyMap<string, AttachedFile>;
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
  if (patch.media !== undefined)
    merged.mediaFiles = merged.media.flatMap(
      ({ id }) =>
        references.mediaFiles.get(id) ??
        post.mediaFiles.find(({ mediaId }) => mediaId === id) ??
        [],
    );
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
  'auto',
  'storedState',
  'ownFields',
  'parentId',
  'occurrenceDate',
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

/** What the APIs show for the keys of a rule that are not stored. */
const SHOWN_RULE: RecurringRule = { repeat: 'daily', repeatRate: 1, daysOfWeek: [] };

/** A link as the APIs show it, with the names of a patch. */
const toShownLink = ({ imageUrl, ...link }: ReturnType<typeof toLinkView>): Link => ({
  ...link,
  defaultImage: imageUrl,
});

/**
 * Whether the key of a patch has the stored value, or the value that is shown if none is stored.
 */
const isUnchanged = (value: unknown, stored: unknown, shown: unknown): boolean =>
  isSame(value ?? null, stored ?? shown ?? null);

/** The patch of an object without the keys that clients see with this value. */
function changedKeys<T extends object>(
  patch: T | null | undefined,
  stored: T | null,
  shown: Partial<T> | null,
): T | null | undefined {
  if (!patch || !shown) return patch;
  const keys = Object.keys(patch) as (keyof T)[];
  const changed = keys.filter((key) => !isUnchanged(patch[key], stored?.[key], shown[key]));
  return Object.fromEntries(changed.map((key) => [key, patch[key]])) as T;
}

function changedDetails({ details }: Post, patch: PostDetails): PostDetails | null | undefined {
  const stored = details?.sponsor ?? null;
  const sponsor = changedKeys(patch.sponsor, stored, stored && { id: '' });
  return sponsor === undefined ? patch : { ...patch, sponsor };
}

function changedLink(post: Post, { link, url }: PostPatch): Link | null | undefined {
  const shown = toPostLinkView(post);
  // The stored parts of a link without a URL are not shown; a new URL would show them.
  const isShownAsNull = shown === null && (post.link === null || url === undefined);
  if (link === null && isShownAsNull) return undefined;
  return changedKeys(link, post.link, shown && toShownLink(shown));
}

/** The stored sublink that a patch returns as it is shown, or the new one. */
function toSublink(patch: Link, stored: readonly Link[]): Link {
  const isReturned = (link: Link): boolean => {
    if (!link.url || link.url !== patch.url) return false;
    const shown = toShownLink(toLinkView({ ...link, url: link.url }));
    const keys = Object.keys(patch) as (keyof Link)[];
    return keys.every((key) => isUnchanged(patch[key], link[key], shown[key]));
  };
  return stored.find(isReturned) ?? patch;
}

type ShownFields = 'url' | 'link' | 'details' | 'recycling' | 'recurring' | 'location' | 'sublinks';

/** How a field of a patch is compared with what clients see of the post. */
const COMPARISONS: {
  readonly [F in ShownFields]: (post: Post, patch: PostPatch) => PostPatch[F];
} = {
  url: ({ url }, patch) => (patch.url === url ? undefined : patch.url),
  link: changedLink,
  details: (post, { details }) => details && changedDetails(post, details),
  recycling: ({ recycling }, patch) =>
    changedKeys(patch.recycling, recycling, toRecyclingView(recycling)),
  recurring: ({ recurring }, patch) =>
    changedKeys(patch.recurring, recurring, recurring && SHOWN_RULE),
  location: ({ location }, patch) =>
    changedKeys(patch.location, location, location && { name: '' }),
  sublinks: ({ sublinks }, patch) =>
    patch.sublinks && patch.sublinks.map((link) => toSublink(link, sublinks)),
};

/**
 * The patch without what it returns as the APIs show it: a client may send back a whole post of
 * which it has changed one field (D20). Of objects, only changed keys remain.
 */
export function withoutShownValues(post: Post, patch: PostPatch): PostPatch {
  const sent = Object.keys(COMPARISONS).filter(
    (field) => patch[field as ShownFields] !== undefined,
  ) as ShownFields[];
  const compared = sent.map((field) => [field, COMPARISONS[field](post, patch)]);
  return { ...patch, ...(Object.fromEntries(compared) as PostPatch) };
}

/** Whether the patch changes `url` through the link: they are one value, except on a blog (D20). */
const changesUrlByLink = (before: Post, after: Post, { link }: PostPatch): boolean =>
  !usesSlug(before.network) &&
  before.url !== after.url &&
  (link === null || link?.url !== undefined);

/** The settings of `details` that differ. */
const changedSettings = (before: Post, after: Post, details: PostDetails): PostDetails =>
  Object.fromEntries(
    Object.entries(details).filter(([key]) => {
      const setting = key as keyof PostDetails;
      return !isSame(before.details?.[setting], after.details?.[setting]);
    }),
  );

/**
 * The part of a patch that changes the post: its fields, and the settings of `details`, that differ
 * in `after`, which is the post with the patch applied. `changed`: the fields that differ.
 */
export function effectivePatch(
  changed: readonly (keyof Post)[],
  { before, after }: { readonly before: Post; readonly after: Post },
  patch: PostPatch,
): PostPatch {
  const isChanged = (field: PatchField): boolean =>
    changed.includes(field) || (field === 'link' && changesUrlByLink(before, after, patch));
  const { details, ...fields } = Object.fromEntries(
    PATCH_FIELDS.filter((field) => patch[field] !== undefined && isChanged(field)).map((field) => [
      field,
      patch[field],
    ]),
  ) as PostPatch;
  return {
    ...fields,
    ...(details && { details: changedSettings(before, after, details) }),
    ...(details === null && { details }),
  };
}

type Value = Record<string, unknown>;

const isPlainObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The value over another one: objects key by key, anything else replaces. */
function combineValues(under: unknown, over: unknown): unknown {
  if (!isPlainObject(under) || !isPlainObject(over)) return over;
  const combined: Value = { ...under };
  for (const [key, value] of Object.entries(over))
    if (value !== undefined) combined[key] = combineValues(under[key], value);
  return combined;
}

/**
 * Keeps `url` and `link.url`, which are one value except on a blog (D20), from contradicting each
 * other: the patch that sets either of them wins.
 */
function withoutOutdatedUrl(under: PostPatch, over: PostPatch): PostPatch {
  const { url: _url, ...withoutUrl } = under;
  if (over.url === undefined)
    return over.link === null || over.link?.url !== undefined ? withoutUrl : under;
  if (!under.link || under.link.url === undefined) return under;
  const { url: _linkUrl, ...link } = under.link;
  return { ...under, link };
}

/**
 * One patch that has the effect of several, applied in this order to a new post (D47): later ones
 * replace the fields of earlier ones, and objects are merged key by key (D20).
 */
export function combinePatches(network: Network | null, patches: readonly PostPatch[]): PostPatch {
  return patches.reduce((under: PostPatch, over): PostPatch => {
    const base = usesSlug(network) ? under : withoutOutdatedUrl(under, over);
    return combineValues(base, over) as PostPatch;
  }, {});
}
