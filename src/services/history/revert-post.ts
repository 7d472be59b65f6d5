import { STATES_AHEAD } from '../../domain/caps/daily-caps.js';
import { isSame } from '../../domain/changes/merge-patch.js';
import type { Attachment, Media, Label } from '../../domain/posts/post-content.js';
import { PATCH_FIELDS, type PatchField, type PostPatch } from '../../domain/posts/post-fields.js';
import type { Post } from '../../domain/posts/post.js';
import type { RevisionValues } from '../../domain/history/history-entry.js';
import type { MediaPatch } from '../../domain/posts/post-settings.js';
import type { ChangeDependencies } from '../changes/run-change.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import type { PlannedPatch } from '../posts/plan-update.js';
import { patchPost, type UpdateOutcome, type UpdateRequest } from '../posts/update-post.js';
import type { HistoryStore } from '../../persistence/history/history-store.js';

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

/** The patch that gives a field, whose value is `now`, a value as it is stored. */
export function toPatchValue(field: PatchField, now: unknown, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  const convert = TO_PATCH[field] as ((value: unknown) => unknown) | undefined;
  if (convert) return convert(stored);
  return isObject(stored) ? replacing(now, stored) : stored;
}

/** The stored value that a field had in an earlier version: its first change since then tells it. */
const valueBefore = (
  changes: readonly RevisionValues[],
  field: keyof Post,
): { readonly from?: unknown } | undefined =>
  changes.find((values) => values[field] !== undefined)?.[field];

/**
 * The patch that gives fields of a post the values of an earlier version (D71). `changes`: those of
 * all later versions, oldest first.
 */
function revertPatch(
  post: Post,
  fields: readonly PatchField[],
  changes: readonly RevisionValues[],
): PlannedPatch {
  const patch = Object.fromEntries(
    fields.flatMap((field) => {
      const old = valueBefore(changes, field);
      if (!old || isSame(post[field], old.from ?? null)) return [];
      return [[field, toPatchValue(field, post[field], old.from)]];
    }),
  ) as PostPatch;
  const auto = valueBefore(changes, 'auto');
  const takesSlot =
    (auto ? auto.from === true : post.auto) && STATES_AHEAD.includes(post.storedState);
  return { patch, takesSlot };
}

/** Dependencies of reverts. */
export interface RevertDependencies extends ChangeDependencies {
  readonly history: HistoryStore;
}

/** An update that gives the fields of a post the values of an earlier version. */
export interface RevertRequest extends Omit<UpdateRequest, 'patch'> {
  readonly toVersion: number;
  /** Only these fields get their earlier values; absent for all. */
  readonly fields?: readonly PatchField[] | undefined;
}

const unknownVersion = (message: string): Refusal => ({
  code: 'RULE_VIOLATION',
  message,
  path: ['toVersion'],
  rule: 'D71',
});

async function patchTo(
  { history }: RevertDependencies,
  viewer: Viewer,
  {
    post,
    toVersion,
    fields = PATCH_FIELDS,
  }: Pick<RevertRequest, 'toVersion' | 'fields'> & { readonly post: Post },
): Promise<PlannedPatch | readonly Refusal[]> {
  if (toVersion > post.version)
    return [
      unknownVersion(
        `The post has no version ${toVersion} yet. Its current version is ${post.version}.`,
      ),
    ];
  const [changes, stored] = await Promise.all([
    history.valuesSince(post.databaseId, toVersion),
    history.read(viewer, [post.databaseId], { limit: 1 }),
  ]);
  const visibleFrom = stored.get(post.databaseId)?.visibleFrom ?? post.version;
  const later = changes.filter(({ version }) => version <= post.version);
  // A change without stored values, or one that the viewer must not see (D13).
  if (toVersion < visibleFrom || later.length < post.version - toVersion)
    return [unknownVersion(`The history of the post has no version ${toVersion}.`)];
  return revertPatch(
    post,
    fields,
    later.map(({ changes: values }) => values),
  );
}

/** The refusals of fields, which say how the others can go back. */
function withOtherFields(refusals: readonly Refusal[], patch: PostPatch): readonly Refusal[] {
  const patched = PATCH_FIELDS.filter((field) => patch[field] !== undefined);
  const refused = new Set(refusals.map(({ path }) => path[0]));
  const others = patched.filter((field) => !refused.has(field));
  return others.length === 0
    ? refusals
    : refusals.map((refusal) =>
        patched.some((field) => field === refusal.path[0])
          ? {
              ...refusal,
              message: `${refusal.message} Set fields to go back without it: ${others.join(', ')}.`,
            }
          : refusal,
      );
}

/**
 * Gives fields of a post the values of an earlier version: an update with these values, to which
 * every rule of updates applies (D71). If one field is refused, nothing goes back.
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export const revertPost = (
  dependencies: RevertDependencies,
  viewer: Viewer,
  { toVersion, fields, ...request }: RevertRequest,
): Promise<UpdateOutcome> =>
  patchPost(dependencies, viewer, {
    ...request,
    operation: 'revert',
    input: { toVersion, fields },
    patchOf: (post) => patchTo(dependencies, viewer, { post, toVersion, fields }),
    explain: withOtherFields,
  });
