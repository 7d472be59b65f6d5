import type { Refusal } from '../../domain/errors.js';
import { newMedia, type PatchReferences } from '../../domain/changes/merge-patch.js';
import type { LabelPatch, MediaPatch } from '../../domain/posts/post-settings.js';
import type { PostPatch } from '../../domain/posts/post-fields.js';
import { type Media, labelKey, type Label } from '../../domain/posts/post-content.js';
import { isPrefixedId } from '../../domain/posts/post.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Ids } from '../ids.js';
import type { PostStore } from '../../persistence/posts/post-store.js';

const DEFAULT_COLOR = '#808080'; // D20

/** The records to create or change with the change of a patch. */
interface NewRecords {
  readonly newLabels: readonly Label[];
  readonly newMedia: readonly (Media & { inLibrary: boolean })[];
  readonly addToLibrary: readonly string[];
}

/** The records that one patch refers to. */
export interface CheckedReferences extends PatchReferences {
  /** For each media ID that the viewer cannot use, or that comes with the path of another item. */
  readonly refusals: readonly Refusal[];
}

/** The records that a patch refers to, and those to create with the change. */
export interface ResolvedReferences extends CheckedReferences, NewRecords {}

/**
 * Finds labels by name, ignoring case: one for each requested label. Existing ones keep their
 * color, others are to be created (D20).
 */
export async function resolveLabels(
  { store, ids }: { store: Pick<PostStore, 'labelsByName'>; ids: Ids },
  workspaceId: string,
  requested: readonly LabelPatch[],
): Promise<{ labels: Label[]; newLabels: Label[] }> {
  const existing =
    requested.length > 0
      ? await store.labelsByName(
          workspaceId,
          requested.map((label) => label.name),
        )
      : [];
  const byKey = new Map(existing.map((label) => [labelKey(label.name), label]));
  const newLabels: Label[] = [];
  const labels = requested.map(({ name, color }) => {
    const existingLabel = byKey.get(labelKey(name));
    if (existingLabel) return existingLabel;
    const label = { id: ids.prefixed('lbl'), name: name.trim(), color: color ?? DEFAULT_COLOR };
    newLabels.push(label);
    byKey.set(labelKey(name), label);
    return label;
  });
  return { labels, newLabels };
}

interface FoundMedia {
  readonly mediaById: ReadonlyMap<string, Media>;
  /** Http URLs that are no media of the workspace. */
  readonly unknownUrls: ReadonlySet<string>;
}

/** A file on another server needs https; over http, a gateway serves only its own files. */
const unknownUrlRefusal = (path: readonly string[], name: string): Refusal => ({
  code: 'MEDIA_NOT_FOUND',
  message: `${name} is not the URL of a media item of this workspace. Send such a URL, or an https URL.`,
  path,
  rule: 'D20',
});

/** Why an item of a patch does not identify one media item, or null. */
function mediaRefusal(
  { id, path }: MediaPatch,
  index: number,
  { mediaById, unknownUrls }: FoundMedia,
): Refusal | null {
  if (!id)
    return path && unknownUrls.has(path)
      ? unknownUrlRefusal(['media', String(index), 'path'], `media[${index}].path`)
      : null;
  const refuse = (code: Refusal['code'], key: 'id' | 'path', message: string): Refusal => ({
    code,
    message,
    path: ['media', String(index), key],
    rule: 'D20',
  });
  const media = mediaById.get(id);
  if (!media)
    return refuse('MEDIA_NOT_FOUND', 'id', `media[${index}].id does not exist in this workspace.`);
  return !path || path === media.url
    ? null
    : refuse(
        'RULE_VIOLATION',
        'path',
        `media[${index}].path is not the path of the item with this ID. Send only one of them.`,
      );
}

/**
 * Finds media by ID or by path: an unknown path becomes a new item, an unknown ID is refused (D20).
 */
async function resolveMedia(
  { store, ids, viewer }: ReferenceSource,
  patches: readonly PostPatch[],
) {
  const scope = { workspaceId: viewer.workspace.id, userId: viewer.user.id };
  const items = patches.flatMap(({ media }) => media ?? []);
  const mediaIds = items.flatMap(({ id }) => (id && isPrefixedId('med', id) ? [id] : []));
  const paths = [
    ...items.flatMap(({ id, path }) => (!id && path ? [path] : [])),
    ...patches.flatMap(({ featuredMedia }) => (featuredMedia ? [featuredMedia.path] : [])),
  ];
  const found =
    mediaIds.length + paths.length > 0 ? await store.findMedia(scope, mediaIds, paths) : [];
  const existing = found.map(({ file: _file, ...media }) => media);
  const mediaById = new Map(existing.map((media) => [media.id, media]));
  const mediaByUrl = new Map(existing.map((media) => [media.url, media]));
  const typeOf = new Map(items.map(({ path, type }) => [path, type]));
  const created = [...new Set(paths)]
    .filter((path) => !mediaByUrl.has(path))
    .map((path) => newMedia(ids.prefixed('med'), path, typeOf.get(path)));
  const unknownUrls = new Set(
    created.map(({ url }) => url).filter((url) => !url.startsWith('https:')),
  );
  for (const media of created) mediaByUrl.set(media.url, media);
  const libraryIds = new Set(
    items
      .filter((item) => item.inLibrary)
      .map((item) => item.id ?? mediaByUrl.get(item.path ?? '')?.id),
  );
  return {
    mediaById,
    mediaByUrl,
    unknownUrls,
    mediaFiles: new Map(found.flatMap(({ id, file }) => (file ? [[id, file] as const] : []))),
    newMedia: created.map((media) => ({ ...media, inLibrary: libraryIds.has(media.id) })),
    addToLibrary: existing.filter((media) => libraryIds.has(media.id)).map((media) => media.id),
  };
}

/** Where the records of patches are looked up. */
export interface ReferenceSource {
  readonly store: Pick<PostStore, 'labelsByName' | 'findMedia'>;
  readonly ids: Ids;
  readonly viewer: Viewer;
}

/**
 * Finds the records that patches refer to, with one query for all labels and one for all media, and
 * prepares those to create. Does not write.
 */
export async function resolveEachReferences(
  source: ReferenceSource,
  patches: readonly PostPatch[],
): Promise<NewRecords & { readonly references: readonly CheckedReferences[] }> {
  const requested = patches.flatMap(({ labels }) => labels ?? []);
  const [{ labels, newLabels }, { mediaById, mediaByUrl, mediaFiles, unknownUrls, ...media }] =
    await Promise.all([
      resolveLabels(source, source.viewer.workspace.id, requested),
      resolveMedia(source, patches),
    ]);
  let labelIndex = 0;
  const references = patches.map((patch) => ({
    labels: labels.slice(labelIndex, (labelIndex += patch.labels?.length ?? 0)),
    mediaById,
    mediaByUrl,
    mediaFiles,
    refusals: [
      ...(patch.media ?? []).flatMap(
        (item, index) => mediaRefusal(item, index, { mediaById, unknownUrls }) ?? [],
      ),
      ...(patch.featuredMedia && unknownUrls.has(patch.featuredMedia.path)
        ? [unknownUrlRefusal(['featuredMedia', 'path'], 'featuredMedia.path')]
        : []),
    ],
  }));
  return { references, newLabels, ...media };
}

/** Finds the records that a patch refers to, and prepares those to create. Does not write. */
export async function resolveReferences(
  source: ReferenceSource,
  patch: PostPatch,
): Promise<ResolvedReferences> {
  const { references, ...records } = await resolveEachReferences(source, [patch]);
  return { ...references[0]!, ...records };
}
