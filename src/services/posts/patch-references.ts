import type { Refusal } from '../../domain/errors.js';
import { newMedia, type PatchReferences } from '../../domain/changes/merge-patch.js';
import {
  labelKey,
  type Label,
  type LabelPatch,
  type Media,
  type PostPatch,
} from '../../domain/posts/post.js';
import { isPrefixedId } from '../../domain/posts/post-id.js';
import type { Ids, PostStore } from '../ports.js';

const DEFAULT_COLOR = '#808080'; // D20

export interface ResolvedReferences extends PatchReferences {
  readonly newLabels: readonly Label[];
  readonly newMedia: readonly (Media & { inLibrary: boolean })[];
  readonly intoLibrary: readonly string[];
  /** MEDIA_NOT_FOUND for each media id that is not this workspace's. */
  readonly refusals: readonly Refusal[];
}

/** Labels by name ignoring case, one for each wanted: found ones keep their colour, missing ones are to be made (D20). */
export async function resolveLabels(
  { store, ids }: { store: Pick<PostStore, 'labelsNamed'>; ids: Ids },
  workspaceId: string,
  wanted: readonly LabelPatch[],
): Promise<{ labels: Label[]; newLabels: Label[] }> {
  const known =
    wanted.length > 0
      ? await store.labelsNamed(
          workspaceId,
          wanted.map((label) => label.name),
        )
      : [];
  const byKey = new Map(known.map((label) => [labelKey(label.name), label]));
  const newLabels: Label[] = [];
  const labels = wanted.map(({ name, color }) => {
    const found = byKey.get(labelKey(name));
    if (found) return found;
    const label = { id: ids.prefixed('lbl'), name: name.trim(), color: color ?? DEFAULT_COLOR };
    newLabels.push(label);
    byKey.set(labelKey(name), label);
    return label;
  });
  return { labels, newLabels };
}

/** Media by id or by path: an unknown path becomes a new item, an unknown id is refused (D20). */
async function resolveMedia(store: PostStore, ids: Ids, workspaceId: string, patch: PostPatch) {
  const items = patch.media ?? [];
  const wantedIds = items.flatMap(({ id }) => (id && isPrefixedId('med', id) ? [id] : []));
  const paths = [
    ...items.flatMap(({ id, path }) => (!id && path ? [path] : [])),
    ...(patch.featuredMedia ? [patch.featuredMedia.path] : []),
  ];
  const known =
    wantedIds.length + paths.length > 0 ? await store.mediaOf(workspaceId, wantedIds, paths) : [];
  const mediaById = new Map(known.map((media) => [media.id, media]));
  const mediaByUrl = new Map(known.map((media) => [media.url, media]));
  const made = [...new Set(paths)]
    .filter((path) => !mediaByUrl.has(path))
    .map((path) => newMedia(ids.prefixed('med'), path));
  for (const media of made) mediaByUrl.set(media.url, media);
  const kept = new Set(
    items
      .filter((item) => item.inLibrary)
      .map((item) => item.id ?? mediaByUrl.get(item.path ?? '')?.id),
  );
  const refusals = items.flatMap(({ id }, index): Refusal[] =>
    id && !mediaById.has(id)
      ? [
          {
            code: 'MEDIA_NOT_FOUND',
            message: `media[${index}].id names no media of this workspace.`,
            path: ['media', String(index), 'id'],
            rule: 'D20',
          },
        ]
      : [],
  );
  return {
    mediaById,
    mediaByUrl,
    refusals,
    newMedia: made.map((media) => ({ ...media, inLibrary: kept.has(media.id) })),
    intoLibrary: known.filter((media) => kept.has(media.id)).map((media) => media.id),
  };
}

/** Looks up what a patch names, and prepares what it would make; nothing is written here. */
export async function resolveReferences(
  store: PostStore,
  ids: Ids,
  workspaceId: string,
  patch: PostPatch,
): Promise<ResolvedReferences> {
  const [labels, media] = await Promise.all([
    resolveLabels({ store, ids }, workspaceId, patch.labels ?? []),
    resolveMedia(store, ids, workspaceId, patch),
  ]);
  return { ...labels, ...media };
}
