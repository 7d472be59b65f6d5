import type { Plan, Role } from '../enums.js';
import type { ApiKind } from '../events/actor.js';
import type { Scope } from './scopes.js';
import type { UserSummary } from '../posts/post.js';

/** The API key of a request, without its value. */
export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the value, which identify the key to its user. */
  prefix: string;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date | null;
}

/** The authenticated user and API key. */
export interface Caller {
  user: UserSummary;
  plan: Plan;
  key: ApiKey;
  /** Requests per window for this user (D37); null for the default. */
  rateLimitOverride: number | null;
}

/** A workspace, as its members see it. */
export interface Workspace {
  id: string;
  name: string;
  picture: string | null;
  /** The owner's plan (D34), which determines the daily caps. */
  plan: Plan;
  /** IANA name. */
  timeZone: string;
  /** Whether changes by members who cannot approve need approval (D24). */
  requiresApproval: boolean;
  /** Whether an operator locked the workspace: none of its posts is published (D57). */
  locked: boolean;
}

/** A caller as a member of a workspace. */
export interface Member extends Caller {
  workspace: Workspace;
  role: Role;
  /**
   * Whether the membership grants post-action access; counts for editors only (see hasPostActions).
   */
  postActions: boolean;
}

/** The member who sends a request: the subject of all rules about rights. */
export interface Viewer extends Member {
  /** The API that received the request. */
  api: ApiKind;
}

/**
 * Post-action access (D4): owners and admins always have it, editors if their membership grants it,
 * viewers never.
 */
export const hasPostActions = (viewer: Pick<Viewer, 'role' | 'postActions'>): boolean =>
  viewer.role === 'owner' ||
  viewer.role === 'admin' ||
  (viewer.role === 'editor' && viewer.postActions);

/** Whether the role can approve posts (D4). */
export const canApprove = (role: Role): boolean => role === 'owner' || role === 'admin';

/** Whether this viewer's changes require approval by another member (D24). */
export const needsApproval = (viewer: Pick<Viewer, 'role' | 'workspace'>): boolean =>
  viewer.workspace.requiresApproval && !canApprove(viewer.role);

/** Whether the role can see members' email addresses and accounts' social IDs (D44). */
export const canSeeSensitive = canApprove;

/** Whether the role can manage the webhooks of a workspace (D75). */
export const canManageWebhooks = canApprove;
