import type { Refusal } from '../errors.js';
import type { Post } from '../posts/post.js';
import { isPublished } from '../posts/states.js';
import { canApprove, hasPostActions, type Viewer } from '../access/viewer.js';
import { PUBLISHING_REFUSAL, isHidden, NOT_ACCESSIBLE } from './edit-rules.js';

/** The fields of a post that the rules for deletion read. */
export type DeleteSubject = Pick<
  Post,
  'storedState' | 'creatorId' | 'queuedAt' | 'armedAt' | 'reminder' | 'hasQueuedChild'
>;

interface DeleteRule {
  readonly rule: string;
  readonly code: Refusal['code'];
  readonly message: string;
  readonly refuses: (post: DeleteSubject, viewer: Viewer) => boolean;
}

const isCreator = (post: DeleteSubject, viewer: Viewer): boolean =>
  post.creatorId === viewer.user.id;

/**
 * "Authorization rules" of the interface document's delete endpoint, in order of precedence: the
 * first rule that refuses determines the reason.
 */
export const DELETE_RULES: readonly DeleteRule[] = [
  {
    rule: 'Delete posts, rule 2',
    code: 'FORBIDDEN',
    message: NOT_ACCESSIBLE,
    refuses: isHidden,
  },
  {
    rule: 'D4',
    code: 'FORBIDDEN',
    message: 'Your role in this workspace is viewer. Viewers cannot delete posts.',
    refuses: (_post, viewer) => viewer.role === 'viewer',
  },
  {
    rule: 'Delete posts, rule 3',
    code: 'FORBIDDEN',
    message: 'Editors cannot delete published posts in a workspace that requires approval.',
    refuses: (post, viewer) =>
      isPublished(post.storedState) &&
      viewer.workspace.requiresApproval &&
      !canApprove(viewer.role),
  },
  {
    rule: 'Delete posts, rule 1',
    code: 'FORBIDDEN',
    message:
      'You can delete only your own posts, because your membership has no post-action access.',
    refuses: (post, viewer) => !isCreator(post, viewer) && !hasPostActions(viewer),
  },
  {
    rule: PUBLISHING_REFUSAL.rule,
    code: PUBLISHING_REFUSAL.code,
    message: PUBLISHING_REFUSAL.message,
    refuses: (post) => post.armedAt !== null,
  },
  {
    rule: 'Delete posts, rule 4',
    code: 'RULE_VIOLATION',
    message: 'A queued post cannot be deleted, unless it is a reminder.',
    refuses: (post) => post.queuedAt !== null && !post.reminder,
  },
  {
    rule: 'D23',
    code: 'RULE_VIOLATION',
    message: 'A series cannot be deleted while one of its occurrences is queued.',
    refuses: (post) => post.hasQueuedChild,
  },
];

/** Why this viewer may not delete this post, or null. */
export function deletability(post: DeleteSubject, viewer: Viewer): Refusal | null {
  const rule = DELETE_RULES.find((candidate) => candidate.refuses(post, viewer));
  return rule ? { code: rule.code, message: rule.message, path: [], rule: rule.rule } : null;
}
