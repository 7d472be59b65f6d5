import type { AccountStanding } from '../../domain/changes/change.js';
import type { Post } from '../../domain/posts/post.js';
import type { Cell } from '../../domain/posts/states.js';
import { cellAfter, cellRestored, cellsBefore } from '../../domain/posts/transitions.js';
import { movedPosts, type Move } from '../posts/moved-posts.js';
import type { Clock, PostStore } from '../ports.js';
import { untilSaved } from '../retry-on-conflict.js';

/** A post of an account, with the cell that its last change of state left, and whether its workspace requires approval. */
export interface StandingPost {
  readonly post: Post;
  readonly cameFrom: Cell | null;
  readonly requiresApproval: boolean;
}

export interface StandingStore {
  /** Says how the account stands from now on. */
  setStanding(standing: AccountStanding): Promise<void>;
  /** The account's first posts in these cells; none where the account stands otherwise by now. */
  postsOf(standing: AccountStanding, cells: readonly Cell[], most: number): Promise<StandingPost[]>;
}

interface StandingParts {
  readonly accounts: StandingStore;
  readonly store: Pick<PostStore, 'save'>;
  readonly clock: Clock;
}

/** Whether an account's network takes its credentials, and what that means for its posts (D22). Both are safe to run again, which takes up what was cut off. */
export interface Standings {
  /**
   * The network takes them no longer: scheduled and recycling posts go to their …_reauth leaf. `goesOn` is asked between
   * batches. Gives how many posts were moved.
   */
  needsReauth(accountId: string, goesOn?: () => Promise<boolean>): Promise<number>;
  /** The network takes them again: the posts go back to the leaf that each came from. Gives how many. */
  restored(accountId: string): Promise<number>;
}

/** Posts moved in one transaction: a large account must not hold its posts' rows for long. */
const BATCH = 100;

export function createStandings({ accounts, store, clock }: StandingParts): Standings {
  async function moveAll(
    standing: AccountStanding,
    {
      from,
      to,
      goesOn = async () => true,
    }: { from: readonly Cell[]; to: (one: StandingPost) => Cell; goesOn?: () => Promise<boolean> },
  ): Promise<number> {
    await accounts.setStanding(standing);
    let moved = 0;
    for (;;) {
      const count = await untilSaved(async () => {
        const [first, ...rest] = (await accounts.postsOf(standing, from, BATCH)).map(
          (one): Move => ({ post: one.post, to: to(one) }),
        );
        if (!first) return 0;
        const saved = await store.save({
          ...movedPosts([first, ...rest], clock.now()),
          whileAccount: standing,
        });
        return saved.kind === 'saved' ? rest.length + 1 : null;
      });
      moved += count;
      if (count < BATCH || !(await goesOn())) return moved;
    }
  }

  return {
    needsReauth: (accountId, goesOn) =>
      moveAll(
        { accountId, needsReauth: true },
        {
          from: cellsBefore('account_needs_reauth'),
          to: ({ post }) => cellAfter(post.cell, 'account_needs_reauth'),
          ...(goesOn && { goesOn }),
        },
      ),
    restored: (accountId) =>
      moveAll(
        { accountId, needsReauth: false },
        {
          from: cellsBefore('account_reconnected'),
          to: ({ post, cameFrom, requiresApproval }) =>
            cellRestored(post.cell, cameFrom, requiresApproval),
        },
      ),
  };
}
