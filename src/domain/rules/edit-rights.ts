import { ERRORS, type Refusal } from '../errors.js';
import type { Post } from '../posts/post.js';
import { hasPostActions, type Viewer } from '../access/viewer.js';
import { isPrivateDraft } from '../posts/states.js';

/** The fields of a post that the rules for edits read. */
export type EditSubject = Pick<
  Post,
  'storedState' | 'network' | 'type' | 'creatorId' | 'parentId' | 'queuedAt' | 'armedAt'
>;

/** Refuses what would change a post while it is being sent to its network (D57). */
export const PUBLISHING_REFUSAL: Refusal = {
  code: 'PUBLISHING',
  message:
    'The post is being published right now. Until the network has responded, only its labels can be changed.',
  path: [],
  rule: 'D57',
};

/** Why this viewer may not edit this post at all, or null (D4, D19). */
export function editRefusal(
  post: Pick<Post, 'storedState' | 'creatorId'>,
  viewer: Viewer,
): Refusal | null {
  const refuse = (message: string): Refusal => ({
    code: 'FORBIDDEN',
    message,
    path: [],
    rule: 'D19',
  });
  if (viewer.role === 'viewer')
    return refuse('Your role in this workspace is viewer. Viewers cannot edit posts.');
  if (isHidden(post, viewer)) return refuse(NOT_ACCESSIBLE);
  if (post.creatorId !== viewer.user.id && !hasPostActions(viewer))
    return refuse(
      'You can edit only your own posts, because your membership has no post-action access.',
    );
  return null;
}

/**
 * The same message for posts of other workspaces and for other users' private drafts, so that they
 * cannot be told apart (D13, D18).
 */
export const NOT_ACCESSIBLE = 'The post is not accessible in this workspace.';

/**
 * Whether a post is hidden from this viewer: private drafts of other users are, for every role
 * (D13).
 */
export const isHidden = (
  post: Pick<Post, 'storedState' | 'creatorId'>,
  viewer: Pick<Viewer, 'user'>,
): boolean => isPrivateDraft(post.storedState) && post.creatorId !== viewer.user.id;

const MISSING = {
  unknown: {
    code: 'POST_NOT_FOUND',
    message: ERRORS.POST_NOT_FOUND.description,
    path: [],
    rule: 'D18',
  },
  inaccessible: { code: 'FORBIDDEN', message: NOT_ACCESSIBLE, path: [], rule: 'D18' },
} as const satisfies Record<string, Refusal>;

/** The refusal for an ID without an accessible post (D18). */
export const missingPostRefusal = (kind: keyof typeof MISSING): Refusal => MISSING[kind];
