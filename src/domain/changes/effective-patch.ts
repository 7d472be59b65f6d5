import { usesSlug } from '../networks/networks.js';
import { PATCH_FIELDS, type PatchField } from '../posts/post-fields.js';
import type { PostPatch } from '../posts/post-patch.js';
import type { Post } from '../posts/post.js';
import type { PostDetails, RecurringRule, Link } from '../posts/post-settings.js';
import { toLinkView, toPostLinkView, toRecyclingView } from '../posts/presented-settings.js';
import { isSame } from './merge-patch.js';

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
