/** What is deleted with a workspace. Includes deleted posts that wait for the purge. */
export interface WorkspaceContents {
  readonly id: string;
  readonly name: string;
  readonly posts: number;
  readonly accounts: number;
  readonly members: number;
}

/** What is deleted with a user, and what the user has in workspaces that remain. */
export interface UserContents {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** IDs of the workspaces that the user owns, which prevent the deletion. */
  readonly ownedWorkspaces: readonly string[];
  readonly keys: number;
  readonly memberships: number;
  /** Posts that the user created, in all workspaces, private drafts included. */
  readonly posts: number;
  readonly privateDrafts: number;
}

/** Called after each batch with the completed share of the posts, from 0 to 1. */
export type ProgressListener = (done: number) => void;

/**
 * Deletes workspaces and users permanently, in batches of one transaction each, so that other users
 * never wait for long. Members lose access before the first batch. An interrupted deletion
 * continues when it is started again.
 */
export interface DeletionStore {
  /** Null if there is no such workspace. */
  workspace(id: string): Promise<WorkspaceContents | null>;
  /** Null if there is no such user. */
  user(id: string): Promise<UserContents | null>;
  deleteWorkspace(id: string, onProgress: ProgressListener): Promise<void>;
  /**
   * Deletes a user with all of their posts (`posts`), or only with their private drafts, which no
   * other user can see. `remaining` is true if records of a workspace still refer to the user: the
   * user is then kept without name and address.
   */
  deleteUser(
    id: string,
    options: { readonly posts: boolean },
    onProgress: ProgressListener,
  ): Promise<{ readonly remaining: boolean }>;
}
