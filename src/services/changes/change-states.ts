import { EMPTY_CHANGE, type Change } from '../../domain/changes/change.js';
import { SERVICE, type Actor } from '../../domain/access/viewer.js';
import type { Post } from '../../domain/posts/post.js';
import type { StoredState } from '../../domain/posts/states.js';
import type { Clock } from '../clock.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import { saveChange } from './run-change.js';

/** A post and its new stored state. */
interface StateChange {
  readonly post: Post;
  readonly to: StoredState;
}

/**
 * A change of the stored state of posts of one workspace, by default because of a response of their
 * network: each post gets a new version and a revision (D22, D26). Cap slots are kept, so that a
 * job cannot exceed a daily cap (D39).
 */
export function toStateChanges(
  changes: readonly [StateChange, ...StateChange[]],
  at: Date,
  actor: Actor = SERVICE,
): Change {
  const posts = changes.map(({ post: before, to }) => ({
    kind: 'update' as const,
    before,
    after: { ...before, storedState: to, version: before.version + 1, updatedAt: at },
    changed: ['storedState' as const],
    slots: null,
  }));
  return { ...EMPTY_CHANGE, workspaceId: changes[0].post.workspaceId, actor, at, posts };
}

/**
 * Posts changed in one transaction: small, so that the rows of a large account are not locked for
 * long.
 */
const BATCH = 100;

interface StateChangeDependencies {
  readonly store: Pick<PostStore, 'save'>;
  readonly clock: Clock;
}

/** Which states of posts change, and on what condition. */
interface StateChanges {
  readonly actor: Actor;
  /** The first posts that still have to be changed, at most `max`. */
  readonly next: (max: number) => Promise<readonly StateChange[]>;
  /** What has to be true when a batch is saved. */
  readonly condition: Pick<Change, 'requiredAccountStatus' | 'requiredLock'>;
  /** Called between batches. */
  readonly shouldContinue?: (() => Promise<boolean>) | undefined;
}

/**
 * Changes the states of posts in batches until none is left. Returns the number of changed posts.
 */
export async function changeStates(
  { store, clock }: StateChangeDependencies,
  { actor, next, condition, shouldContinue = async () => true }: StateChanges,
): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await saveChange(store.save, async () => {
      const [first, ...rest] = await next(BATCH);
      if (!first) return { outcome: 0 };
      const change = toStateChanges([first, ...rest], clock.now(), actor);
      return { outcome: rest.length + 1, change: { ...change, ...condition } };
    });
    total += count;
    if (count < BATCH || !(await shouldContinue())) return total;
  }
}
