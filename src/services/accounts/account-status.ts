import type { AccountStatus } from '../../domain/changes/change.js';
import { SERVICE, type Actor } from '../../domain/access/viewer.js';
import type { StoredState } from '../../domain/posts/states.js';
import {
  storedStateAfter,
  storedStatesBefore,
  restoredStoredState,
} from '../../domain/posts/transitions.js';
import type { Clock } from '../clock.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import type {
  AccountStatusStore,
  SuspendedPostRecord,
} from '../../persistence/workspaces/suspension-store.js';
import { changeStates } from '../changes/change-states.js';

interface AccountStatusDependencies {
  readonly accounts: AccountStatusStore;
  readonly store: Pick<PostStore, 'save'>;
  readonly clock: Clock;
}

/**
 * Whether an account's network accepts its credentials, and the states of its posts that follow
 * (D22). Both methods are idempotent and resume after an interruption.
 */
export interface AccountStatusService {
  /**
   * The network rejects the credentials: scheduled and recycling posts change to their …_reauth
   * state. `shouldContinue` is called between batches. Returns the number of changed posts.
   */
  markNeedsReauth(accountId: string, shouldContinue?: () => Promise<boolean>): Promise<number>;
  /**
   * The network accepts the credentials again: the posts return to their previous states. Returns
   * their number.
   */
  markReconnected(accountId: string, actor: Actor): Promise<number>;
}

interface PostStateChanges {
  /** Who changes the account's status; the posts follow. */
  readonly actor: Actor;
  readonly from: readonly StoredState[];
  readonly to: (accountPost: SuspendedPostRecord) => StoredState;
  readonly shouldContinue?: () => Promise<boolean>;
}

/** Creates the service over its stores. */
export function createAccountStatusService({
  accounts,
  store,
  clock,
}: AccountStatusDependencies): AccountStatusService {
  async function changePosts(
    status: AccountStatus,
    { actor, from, to, shouldContinue }: PostStateChanges,
  ): Promise<number> {
    await accounts.setStatus(status, actor);
    return changeStates(
      { store, clock },
      {
        actor: SERVICE,
        next: async (max) =>
          (await accounts.postsOf(status, from, max)).map((accountPost) => ({
            post: accountPost.post,
            to: to(accountPost),
          })),
        condition: { requiredAccountStatus: status },
        shouldContinue,
      },
    );
  }

  return {
    markNeedsReauth: (accountId, shouldContinue) =>
      changePosts(
        { accountId, needsReauth: true },
        {
          actor: SERVICE,
          from: storedStatesBefore('account_needs_reauth'),
          to: ({ post }) => storedStateAfter(post.storedState, 'account_needs_reauth'),
          ...(shouldContinue && { shouldContinue }),
        },
      ),
    markReconnected: (accountId, actor) =>
      changePosts(
        { accountId, needsReauth: false },
        {
          actor,
          from: storedStatesBefore('account_reconnected'),
          to: ({ post, ...circumstances }) =>
            restoredStoredState('account_reconnected', {
              storedState: post.storedState,
              ...circumstances,
              needsReauth: false,
            }),
        },
      ),
  };
}
