import { POSTS_ALONE, type Change } from '../../domain/changes/change.js';
import type { Post } from '../../domain/posts/post.js';
import type { Cell } from '../../domain/posts/states.js';

export interface Move {
  readonly post: Post;
  readonly to: Cell;
}

/**
 * Posts of one workspace that change their state and nothing else, because of what a network said: each a new version
 * with its revision (D22, D26). They keep the slots that they have, so that no job can exceed a daily cap (D39).
 */
export function movedPosts(moves: readonly [Move, ...Move[]], at: Date): Change {
  const posts = moves.map(({ post: before, to }) => ({
    kind: 'update' as const,
    before,
    after: { ...before, cell: to, version: before.version + 1, updatedAt: at },
    changed: ['cell' as const],
    slots: null,
  }));
  return { ...POSTS_ALONE, workspaceId: moves[0].post.workspaceId, userId: null, at, posts };
}
