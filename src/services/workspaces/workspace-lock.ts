import { OPERATOR } from '../../domain/access/viewer.js';
import {
  storedStateAfter,
  storedStatesBefore,
  restoredStoredState,
} from '../../domain/posts/transitions.js';
import type { Clock } from '../clock.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import type { WorkspaceLockStore } from '../../persistence/workspaces/suspension-store.js';
import { changeStates } from '../changes/change-states.js';

/**
 * Locks workspaces (D57): none of their posts is published until they are unlocked. Both methods
 * are idempotent, resume after an interruption, and return the number of changed posts.
 */
export interface WorkspaceLock {
  /** Scheduled and recycling posts change to their …_locked state. */
  lock(workspaceId: string): Promise<number>;
  /** The posts return to their previous states. */
  unlock(workspaceId: string): Promise<number>;
}

/** Creates the service over its stores. */
export function createWorkspaceLock({
  workspaces,
  store,
  clock,
}: {
  readonly workspaces: WorkspaceLockStore;
  readonly store: Pick<PostStore, 'save'>;
  readonly clock: Clock;
}): WorkspaceLock {
  async function change(
    id: string,
    event: 'workspace_locked' | 'workspace_unlocked',
  ): Promise<number> {
    const isLocked = event === 'workspace_locked';
    await workspaces.setLocked(id, isLocked);
    return changeStates(
      { store, clock },
      {
        actor: OPERATOR,
        condition: { requiredLock: isLocked },
        next: async (max) => {
          const posts = await workspaces.postsOf({ id, isLocked }, storedStatesBefore(event), max);
          return posts.map(({ post, ...circumstances }) => ({
            post,
            to:
              event === 'workspace_locked'
                ? storedStateAfter(post.storedState, event)
                : restoredStoredState(event, {
                    ...circumstances,
                    storedState: post.storedState,
                    needsReauth: post.account?.needsReauth ?? false,
                  }),
          }));
        },
      },
    );
  }
  return {
    lock: (workspaceId) => change(workspaceId, 'workspace_locked'),
    unlock: (workspaceId) => change(workspaceId, 'workspace_unlocked'),
  };
}
