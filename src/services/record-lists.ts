import type { Workspace } from '../domain/access/viewer.js';
import type { Plan, Role } from '../domain/vocabulary.js';

/** A person as an operator sees them. */
export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly plan: Plan;
  readonly rateLimitOverride: number | null;
  readonly createdAt: Date;
}
/** A workspace as an operator sees it; its plan is its owner's (D34). Without an owner, which only a hand in the database brings about, `owner` is null. */
export interface WorkspaceRecord extends Omit<Workspace, 'picture' | 'plan'> {
  readonly owner: { readonly id: string; readonly name: string; readonly plan: Plan } | null;
  readonly members: number;
  readonly createdAt: Date;
}
export interface MemberRecord {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly postActions: boolean;
}

/** What there is, for the operator: oldest first, members by role. */
export interface RecordLists {
  users(): Promise<UserRecord[]>;
  workspaces(): Promise<WorkspaceRecord[]>;
  members(workspaceId: string): Promise<MemberRecord[]>;
}
