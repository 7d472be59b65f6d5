import type { CapSlot } from '../../domain/changes/change.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Media, Label } from '../../domain/posts/post-content.js';
import type { Account, UserSummary } from '../../domain/posts/post.js';
import type { Viewer, Workspace } from '../../domain/access/viewer.js';
import type { Plan, Role } from '../../domain/enums.js';

/** A keyset window of a small list. */
export interface Slice {
  readonly limit: number;
  readonly after?: SlicePosition;
  readonly before?: SlicePosition;
  readonly fromEnd: boolean;
}
/** The sort value (a name, or an ISO time) and the ID that breaks ties. */
export interface SlicePosition {
  readonly sortValue: string;
  readonly id: string;
}
/** The items of a slice, in list order. */
export interface SlicePage<T> {
  readonly items: readonly T[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** A member of a workspace. */
export interface Member {
  user: UserSummary;
  role: Role;
  postActions: boolean;
  email: string;
}
/** A notification of a user. */
export interface Notification {
  id: string;
  kind: string;
  message: string;
  postId: number | null;
  createdAt: Date;
}
/** A media item of the library with its sort time. */
export interface LibraryMedia extends Media {
  createdAt: Date;
}

/** How the posts of a workspace are published. */
export interface PublicationSettings {
  /** A post whose time has passed by more minutes is not published (D56). */
  readonly lateMinutes: number;
  /** Whether an operator has locked the workspace: nothing is published (D57). */
  readonly locked: boolean;
}

/**
 * Accounts, labels, media, notifications and members. Every query but `workspacesOf`, `membersOf`
 * and `publicationSettingsOf` is limited to one workspace.
 */
export interface WorkspaceRecordStore {
  workspacesOf(userId: string): Promise<Workspace[]>;
  membersOf(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Member[]>>;
  /** Of any workspaces: callers ask for those of the user only. */
  publicationSettingsOf(
    workspaceIds: readonly string[],
  ): Promise<ReadonlyMap<string, PublicationSettings>>;
  accounts(
    workspaceId: string,
    networks: readonly Network[] | null,
    limit: number,
    offset: number,
  ): Promise<Account[]>;
  accountsById(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /** Members of the workspace, and creators of its posts. */
  usersById(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, UserSummary>>;
  /** Labels that the viewer can see: not those that only other users' private drafts have (D13). */
  labels(viewer: Viewer, slice: Slice): Promise<SlicePage<Label>>;
  countLabels(viewer: Viewer): Promise<number>;
  labelsById(viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, Label>>;
  /** The library, newest first. */
  media(workspaceId: string, slice: Slice): Promise<SlicePage<LibraryMedia>>;
  mediaPage(workspaceId: string, limit: number, offset: number): Promise<Media[]>;
  countMedia(workspaceId: string): Promise<number>;
  /** Media of the library, or of a post that the viewer can see. */
  mediaById(viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, Media>>;
  notifications(viewer: Viewer, slice: Slice): Promise<SlicePage<Notification>>;
  notificationsById(
    viewer: Viewer,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Notification>>;
  /** IDs of the members who can approve in this workspace (D24). */
  approvers(workspaceId: string): Promise<string[]>;
  /** Cap slots of the accounts from `since` on. */
  capSlots(accountIds: readonly string[], since: Date): Promise<CapSlot[]>;
}

/** A user, for operators. */
export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly plan: Plan;
  readonly rateLimitOverride: number | null;
  readonly createdAt: Date;
}
/**
 * A workspace, for operators; its plan is its owner's (D34). `owner` is null only after a manual
 * change of the database.
 */
export interface WorkspaceRecord extends Omit<Workspace, 'picture' | 'plan'> {
  readonly owner: { readonly id: string; readonly name: string; readonly plan: Plan } | null;
  readonly members: number;
  readonly createdAt: Date;
}
/** A member of a workspace, for operators. */
export interface MemberRecord {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly postActions: boolean;
}

/** Lists for operators: oldest first, members ordered by role. */
export interface AdminLists {
  users(): Promise<UserRecord[]>;
  workspaces(): Promise<WorkspaceRecord[]>;
  members(workspaceId: string): Promise<MemberRecord[]>;
}
