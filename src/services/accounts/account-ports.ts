import type { AccountStatus } from '../../domain/changes/change.js';
import type { Actor } from '../../domain/events/actor.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account, Post } from '../../domain/posts/post.js';
import type { StoredState } from '../../domain/posts/states.js';
import type { SuspendedPost } from '../../domain/rules/state-rules.js';
import type { Credentials } from '../networks/network-ports.js';

/** An account, for operators. */
export interface AccountRecord extends Account {
  workspaceId: string;
  /** When its credentials were stored; null if it has none. */
  connectedAt: Date | null;
}

/** Administration of accounts by operators. */
export interface AccountAdmin {
  /** Accounts of one workspace or of all, oldest first. */
  accounts(workspaceId?: string): Promise<AccountRecord[]>;
  /** Finds an account by its ID, or by the network's ID of it; null if there is none. */
  find(
    by: { id: string } | { workspaceId: string; network: Network; socialId: string },
  ): Promise<AccountRecord | null>;
  /**
   * Inserts or updates the account and stores its credentials, in one transaction. It needs no
   * reauthorization afterwards.
   */
  connect(workspaceId: string, account: Account, credentials: Credentials): Promise<void>;
}

/** A post of an account, and what its state depends on if it is suspended. */
export interface AccountPost extends Omit<SuspendedPost, 'storedState' | 'needsReauth'> {
  readonly post: Post;
}

/** Stores the status of accounts, and finds the posts that it affects. */
export interface AccountStatusStore {
  /** Writes an event of the actor if the status changes. */
  setStatus(status: AccountStatus, actor: Actor): Promise<void>;
  /**
   * The first posts of the account in these stored states; none if the account's status has changed
   * since.
   */
  postsOf(
    status: AccountStatus,
    storedStates: readonly StoredState[],
    max: number,
  ): Promise<AccountPost[]>;
}
