import type { Plan, Role } from '../vocabulary.js';
import type { Scope } from './scopes.js';
import type { UserSummary } from '../posts/post.js';

/** The key a request came with; never its value. */
export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the value, to tell keys apart. */
  prefix: string;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date | null;
}

/** Who calls: a user, through a key. */
export interface Caller {
  user: UserSummary;
  plan: Plan;
  key: ApiKey;
  /** Requests per window where the user has an own limit (D37); null for the default. */
  rateLimitOverride: number | null;
}

export interface Workspace {
  id: string;
  name: string;
  picture: string | null;
  /** The owner's plan (D34): daily caps follow it. */
  plan: Plan;
  /** IANA name. */
  timeZone: string;
  requiresApproval: boolean;
}

/** A caller inside a workspace: what every rule about rights asks. */
export interface Viewer extends Caller {
  workspace: Workspace;
  role: Role;
  postActions: boolean;
}

/** Post-action access (D4): owners and admins always, editors when their membership says so, viewers never. */
export const hasPostActions = (viewer: Pick<Viewer, 'role' | 'postActions'>): boolean =>
  viewer.role === 'owner' ||
  viewer.role === 'admin' ||
  (viewer.role === 'editor' && viewer.postActions);

/** Who may approve (D4). */
export const mayApprove = (role: Role): boolean => role === 'owner' || role === 'admin';

/** Whether what this viewer changes has to be approved by somebody else (D24). */
export const needsApproval = (viewer: Pick<Viewer, 'role' | 'workspace'>): boolean =>
  viewer.workspace.requiresApproval && !mayApprove(viewer.role);

/** Who sees members' e-mail addresses and accounts' social ids (D44). */
export const seesSensitive = mayApprove;

/** Restricted roles (D4; delete rule 3). */
export const isRestricted = (role: Role): boolean => role === 'editor' || role === 'viewer';
