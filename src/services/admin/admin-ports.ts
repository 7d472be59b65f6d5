import type { Workspace } from '../../domain/access/viewer.js';
import type { Account } from '../../domain/posts/post.js';
import type { Plan, Role } from '../../domain/enums.js';
import type { KeyAdmin } from '../access/access-ports.js';
import type { CredentialStore } from '../networks/network-ports.js';

/** A user to create. */
export interface NewUser {
  id: string;
  name: string;
  email: string;
  plan: Plan;
  picture?: string | null;
  rateLimitOverride?: number | null;
}
/** The membership of a user in a workspace. */
export interface Membership {
  workspaceId: string;
  userId: string;
  role: Role;
  postActions?: boolean;
}
/** The settings of a workspace that operators can change. */
export type WorkspaceSettings = Pick<
  Workspace,
  'name' | 'timeZone' | 'requiresApproval' | 'locked'
>;

/**
 * Writes the records that only operators change; the gateway reads them. A change that affects the
 * grants of keys renews the grants versions of their users before the method returns (D33).
 */
export interface AdminStore extends KeyAdmin {
  addUser(user: NewUser): Promise<void>;
  /**
   * Creates a user, or overwrites the one with the same email address. Returns the ID, which an
   * existing user keeps.
   */
  restoreUser(user: NewUser): Promise<string>;
  /** Finds a user by ID or, case-insensitively, by email address; null if there is none. */
  findUser(idOrEmail: string): Promise<{ id: string; name: string } | null>;
  hasWorkspace(id: string): Promise<boolean>;
  /** Adds a workspace and the membership of its owner. */
  addWorkspace(workspace: Omit<Workspace, 'plan' | 'locked'>, ownerId: string): Promise<void>;
  /** Returns false if there is no such user. */
  updateUser(
    id: string,
    change: Partial<Pick<NewUser, 'plan' | 'rateLimitOverride'>>,
  ): Promise<boolean>;
  /** Returns false if there is no such workspace. */
  updateWorkspace(id: string, change: Partial<WorkspaceSettings>): Promise<boolean>;
  addMember(member: Membership): Promise<void>;
  /** Null if the user is not a member. */
  roleOf(workspaceId: string, userId: string): Promise<Role | null>;
  /** Returns false if the user is not a member. */
  updateMember(
    workspaceId: string,
    userId: string,
    change: Partial<Pick<Membership, 'role' | 'postActions'>>,
  ): Promise<boolean>;
  /** Returns false if the user is not a member. */
  removeMember(workspaceId: string, userId: string): Promise<boolean>;
  addAccount(workspaceId: string, account: Account): Promise<void>;
  /** Deletes these workspaces with their content, and these keys (by hash), in one transaction. */
  deleteWorkspacesAndKeys(
    workspaceIds: readonly string[],
    keyHashes: readonly Uint8Array[],
  ): Promise<void>;
}

/** Manages the credentials of accounts. */
export interface CredentialAdmin extends CredentialStore {
  /** @throws Error that names the setting to set, if no key can seal credentials */
  assertReady(): Promise<void>;
  /** Returns false if there were none. */
  delete(accountId: string): Promise<boolean>;
  /**
   * Reseals with the first key the credentials that another key sealed, each account separately.
   * Safe while a gateway is running, and safe to repeat. `failed` has the reason for each account
   * that could not be unsealed; it stays unchanged.
   */
  reseal(): Promise<{ resealed: number; upToDate: number; failed: string[] }>;
}
