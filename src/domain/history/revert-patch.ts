import { isSame } from '../changes/merge-patch.js';
import type { Attachment, Media, Label } from '../posts/post-content.js';
import { PATCH_FIELDS, type PatchField } from '../posts/post-fields.js';
import type { PostPatch } from '../posts/post-patch.js';
import type { Post } from '../posts/post.js';
import type { RevisionValues } from './history-entry.js';
import type { MediaPatch } from '../posts/post-settings.js';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A patch is merged key by key: keys that the object has and the old one lacks are cleared. */
function replacing(now: unknown, old: JsonObject): JsonObject {
  const current = isObject(now) ? now : {};
  const cleared = Object.keys(current).filter((key) => !Object.hasOwn(old, key));
  return {
    ...Object.fromEntries(cleared.map((key) => [key, null])),
    ...Object.fromEntries(
      Object.entries(old).map(([key, value]) => [
        key,
        isObject(value) ? replacing(current[key], value) : value,
      ]),
    ),
  };
}

const toMediaPatch = (item: Attachment): MediaPatch => ({
  id: item.id,
  title: item.title,
  caption: item.altText,
  defaultThumbnail: item.defaultThumbnail,
  thumbnails: item.thumbnails,
  userTags: item.userTags,
  collaboratorTags: item.collaboratorTags,
  productTags: item.productTags,
});

/** Fields whose value in a patch differs from the stored JSON in more than missing keys. */
const TO_PATCH: { readonly [F in PatchField]?: (stored: never) => unknown } = {
  scheduledAt: (at: string) => new Date(at),
  featuredMedia: ({ url }: Media) => ({ path: url }),
  media: (items: readonly Attachment[]) => items.map(toMediaPatch),
  labels: (labels: readonly Label[]) => labels.map(({ name, color }) => ({ name, color })),
};

function toPatchValue(field: PatchField, now: unknown, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  const convert = TO_PATCH[field] as ((value: unknown) => unknown) | undefined;
  if (convert) return convert(stored);
  return isObject(stored) ? replacing(now, stored) : stored;
}

/**
 * The patch that gives a post the values of an earlier version (D71). `changes`: those of all later
 * versions, oldest first. The first change of a field has its value in the earlier version.
 */
export function revertPatch(post: Post, changes: readonly RevisionValues[]): PostPatch {
  const old = new Map<PatchField, unknown>();
  for (const values of changes)
    for (const field of PATCH_FIELDS) {
      const change = values[field];
      if (change && !old.has(field)) old.set(field, change.from ?? null);
    }
  const differing = [...old].filter(([field, stored]) => !isSame(post[field], stored));
  return Object.fromEntries(
    differing.map(([field, stored]) => [field, toPatchValue(field, post[field], stored)]),
  );
}
