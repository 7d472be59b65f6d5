import type { Post } from './post.js';
import { isPrivateDraft } from './states.js';
import type { Viewer } from '../access/viewer.js';

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
