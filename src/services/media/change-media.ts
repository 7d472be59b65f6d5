import { hasPostActions, type Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import type { Media } from '../../domain/posts/post-content.js';
import { isPrefixedId } from '../../domain/posts/post.js';
import type {
  ChangeableMedia,
  MediaStore,
  MediaUses,
} from '../../persistence/media/media-store.js';
import { refusedBy, type Refused } from '../changes/run-change.js';
import type { Clock } from '../clock.js';

/** A media item after a change, or as it would be (dry run); of a deletion, the item before it. */
export type MediaChangeOutcome = { readonly kind: 'done'; readonly media: Media } | Refused;

/** A change of one media item. */
export interface MediaChangeRequest {
  readonly id: string;
  readonly dryRun: boolean;
}

/** Changes of media items. */
export interface MediaChanges {
  /** Sets the alternative text, unless it is undefined. Posts keep the text that they have. */
  update(
    viewer: Viewer,
    request: MediaChangeRequest & { readonly altText?: string | null | undefined },
  ): Promise<MediaChangeOutcome>;
  /** Deletes a media item that no post uses, with its file. */
  delete(viewer: Viewer, request: MediaChangeRequest): Promise<MediaChangeOutcome>;
}

const refuse = (code: Refusal['code'], path: Refusal['path'], message: string): Refused =>
  refusedBy({ code, message, path, rule: 'D63' });

/** Why the viewer may not change the item, or null. */
function rightsRefusal(viewer: Viewer, { uploadedBy }: ChangeableMedia): Refused | null {
  const isUploader = viewer.role !== 'viewer' && uploadedBy === viewer.user.id;
  return isUploader || hasPostActions(viewer)
    ? null
    : refuse(
        'FORBIDDEN',
        [],
        'Changing media that others have added requires post-action access, which your membership does not have.',
      );
}

/** Why the item cannot be deleted, or null. */
function useRefusal({ posts, visible, hidden }: MediaUses): Refused | null {
  if (visible + hidden === 0) return null;
  const more = visible - posts.length;
  const named = `${posts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const using = [
    ...(visible > 0 ? [`These posts use the file: ${named}. Remove it from them first.`] : []),
    ...(hidden > 0
      ? [
          `${hidden} ${hidden === 1 ? 'post uses' : 'posts use'} the file and cannot be shown to you, for example because it was deleted less than 30 days ago.`,
        ]
      : []),
  ];
  return refuse('RULE_VIOLATION', ['id'], using.join(' '));
}

/** Creates the use cases that change media items (D63). */
export function createMediaChanges({
  media: store,
  clock,
}: {
  readonly media: MediaStore;
  readonly clock: Clock;
}): MediaChanges {
  const unknown = refuse('MEDIA_NOT_FOUND', ['id'], 'No media in this workspace has this ID.');

  /** The item, or why the viewer cannot change it. */
  async function find(viewer: Viewer, id: string): Promise<ChangeableMedia | Refused> {
    const media = isPrefixedId('med', id) ? await store.find(viewer, id) : null;
    return media === null ? unknown : (rightsRefusal(viewer, media) ?? media);
  }

  return {
    async update(viewer, { id, altText, dryRun }) {
      const media = await find(viewer, id);
      if ('kind' in media) return media;
      if (altText === undefined || altText === media.altText) return { kind: 'done', media };
      const after = { ...media, altText };
      if (!dryRun && !(await store.update({ viewer, at: clock.now() }, after))) return unknown;
      return { kind: 'done', media: after };
    },

    async delete(viewer, { id, dryRun }) {
      const media = await find(viewer, id);
      if ('kind' in media) return media;
      const uses = dryRun
        ? await store.usesOf(viewer, id)
        : await store.delete({ viewer, at: clock.now() }, media);
      return useRefusal(uses) ?? { kind: 'done', media };
    },
  };
}
