import { EMPTY_CHANGE, type Change } from '../../domain/changes/change.js';
import { SERVICE } from '../../domain/events/actor.js';
import type { Post } from '../../domain/posts/post.js';
import type { StoredState } from '../../domain/posts/states.js';

/** A post and its new stored state. */
export interface StateChange {
  readonly post: Post;
  readonly to: StoredState;
}

/**
 * A change of the stored state of posts of one workspace, because of a response of their network:
 * each post gets a new version and a revision (D22, D26). Cap slots are kept, so that a job cannot
 * exceed a daily cap (D39).
 */
export function toStateChanges(
  changes: readonly [StateChange, ...StateChange[]],
  at: Date,
): Change {
  const posts = changes.map(({ post: before, to }) => ({
    kind: 'update' as const,
    before,
    after: { ...before, storedState: to, version: before.version + 1, updatedAt: at },
    changed: ['storedState' as const],
    slots: null,
  }));
  return { ...EMPTY_CHANGE, workspaceId: changes[0].post.workspaceId, actor: SERVICE, at, posts };
}
