import type { VocabularyEntry } from '../enums.js';
import type { PostView } from '../posts/post-query.js';

/** What happened to a post in the viewer's list. */
export const CHANGE_KINDS = {
  upserted: {
    description: 'The post is new or was changed; `post` contains its current content.',
    source: 'D73',
  },
  deleted: {
    description: 'The post was deleted, or is no longer visible to the viewer.',
    source: 'D73',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type ChangeKind = keyof typeof CHANGE_KINDS;

/** A change of the viewer's list: the latest one of its post in a page of changes. */
export interface PostChange {
  readonly kind: ChangeKind;
  /** Document ID. */
  readonly postId: string;
  /** Version of the post; of a deleted post, its last one. */
  readonly version: number | null;
  readonly at: Date;
  /** Null if the post was deleted. */
  readonly post: PostView | null;
}

/** The events of one post in a page, and the post as it is now. */
export interface ChangedPost {
  readonly documentId: string;
  /** Version and time of the last event. */
  readonly version: number | null;
  readonly at: Date;
  /** Whether the viewer could see the post after the last event. */
  readonly isVisible: boolean;
  /** Whether one of the events hid the post from the viewer. */
  readonly wasHidden: boolean;
  /** The post as it is now, if it exists and the viewer can see it. */
  readonly post: PostView | null;
}

/**
 * The change that a client has to apply (D73); null if there is none. The post can be newer than
 * the last event, but a client gets it only after an event that shows it. A deletion is due with
 * each event that hides the post, also if another event of the same page had shown it before: the
 * client may have read the post from the list in between. If the viewer could never see the post,
 * none of its events hides it.
 */
export function toPostChange(changed: ChangedPost): PostChange | null {
  const { documentId: postId, version, at, post, isVisible, wasHidden } = changed;
  if (post && isVisible)
    return { kind: 'upserted', postId, version: post.version ?? version, at, post };
  return wasHidden ? { kind: 'deleted', postId, version, at, post: null } : null;
}
