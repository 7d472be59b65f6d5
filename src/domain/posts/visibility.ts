import type { Post } from './post.js';
import { isPrivateDraft } from './states.js';
import type { Viewer } from '../access/viewer.js';

/** What there is to know of a post that is out of reach: a stranger's private draft has the same words as one of elsewhere (D13, D18). */
export const OUT_OF_REACH = 'The post is not accessible in this workspace.';

/** Whether a post does not exist for this viewer: others' private drafts, whatever the role (D13). */
export const isHidden = (
  post: Pick<Post, 'cell' | 'creatorId'>,
  viewer: Pick<Viewer, 'user'>,
): boolean => isPrivateDraft(post.cell) && post.creatorId !== viewer.user.id;
