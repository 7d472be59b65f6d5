import type { VocabularyEntry, Plan, Role } from '../enums.js';
import type { UserSummary } from '../posts/post.js';
import { GatewayError } from '../errors.js';

interface ScopeEntry extends VocabularyEntry {
  /** Further scopes that this one includes. */
  readonly implies: readonly string[];
}

/** Scopes of a key. They are chosen when the key is created and cannot be changed (D5). */
export const SCOPES = {
  workspaces: { description: 'Read the user’s workspaces.', source: 'Authentication', implies: [] },
  accounts: {
    description: 'Read the accounts of the selected workspace.',
    source: 'Authentication',
    implies: [],
  },
  posts: {
    description: 'Read, create, update and delete posts. Includes `posts:read` and `posts:write`.',
    source: 'Authentication',
    implies: ['posts:read', 'posts:write'],
  },
  'posts:read': { description: 'Read posts, jobs and labels.', source: 'D5', implies: [] },
  'posts:write': { description: 'Create, update and delete posts.', source: 'D5', implies: [] },
  media: {
    description: 'Read the media library, and add media.',
    source: 'Authentication',
    implies: [],
  },
  webhooks: {
    description: 'Manage the webhooks of the workspace. For owners and admins.',
    source: 'D75',
    implies: [],
  },
  connections: {
    description: 'Connect and disconnect accounts. For owners and admins.',
    source: 'D82',
    implies: [],
  },
} as const satisfies Record<string, ScopeEntry>;
export type Scope = keyof typeof SCOPES;

const grants = (held: Scope, required: Scope): boolean =>
  held === required || (SCOPES[held].implies as readonly string[]).includes(required);

/**
 * The scopes that a key lacks for the requirement of `@requiresScopes`: the outer list is OR, the
 * inner AND.
 * @returns the missing scopes of the alternative with the fewest, or an empty list if the
 * requirement is satisfied
 */
export function missingScopes(
  held: readonly Scope[],
  required: readonly (readonly Scope[])[],
): readonly Scope[] {
  const missingByAlternative = required.map((scopes) =>
    scopes.filter((scope) => !held.some((heldScope) => grants(heldScope, scope))),
  );
  return (
    missingByAlternative.reduce<readonly Scope[] | null>(
      (fewest, missing) => (fewest === null || missing.length < fewest.length ? missing : fewest),
      null,
    ) ?? []
  );
}

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

/** Whether the role can connect and disconnect the accounts of a workspace (D82). */
export const canManageConnections = canApprove;

/**
 * Access to the workspace of Service-Workspace-Id. An unknown workspace and one of other users are
 * both `non_member`.
 */
export type WorkspaceAccess<M extends Member = Viewer> =
  | { readonly kind: 'missing' }
  | { readonly kind: 'non_member' }
  | { readonly kind: 'member'; readonly viewer: M };

/** The caller and workspace of a request; as a `Member`, of a key. */
export interface Identity<M extends Member = Viewer> {
  readonly caller: Caller;
  readonly workspace: WorkspaceAccess<M>;
}

/** Adds the API that received the request. */
export const throughApi = (workspace: WorkspaceAccess<Member>, api: ApiKind): WorkspaceAccess =>
  workspace.kind === 'member'
    ? { kind: 'member', viewer: { ...workspace.viewer, api } }
    : workspace;

/**
 * The caller as a member of the requested workspace.
 * @throws GatewayError MISSING_WORKSPACE, NOT_A_MEMBER (D35)
 */
export function viewerOf({ workspace }: Identity): Viewer {
  if (workspace.kind === 'missing') throw new GatewayError('MISSING_WORKSPACE');
  if (workspace.kind === 'non_member') throw new GatewayError('NOT_A_MEMBER');
  return workspace.viewer;
}

/**
 * Checks a key against the requirement of `@requiresScopes`: the outer list is OR, the inner AND.
 * @throws GatewayError MISSING_SCOPE, with the missing scopes (D5, D35)
 */
export function assertScopes(caller: Caller, required: readonly (readonly Scope[])[]): void {
  const missing = missingScopes(caller.key.scopes, required);
  if (missing.length > 0)
    throw new GatewayError(
      'MISSING_SCOPE',
      `The key does not have the scope ${missing.join(' and ')}.`,
    );
}

/** Whether a key may read posts, and so gets them in the responses to its changes. */
export const canReadPosts = ({ key }: Pick<Caller, 'key'>): boolean =>
  missingScopes(key.scopes, [['posts:read']]).length === 0;

/**
 * Checks a key before a dry run whose result is a post: it changes nothing, and so would only read.
 * @throws GatewayError MISSING_SCOPE
 */
export function assertReadsDryRun(caller: Caller, dryRun: boolean): void {
  if (dryRun) assertScopes(caller, [['posts:read']]);
}

/** The ways in which changes reach the service. */
export const API_KINDS = {
  graphql: { description: 'The GraphQL API.', source: 'D70' },
  rest: { description: 'REST v1.', source: 'D70' },
  link: { description: 'The page of a connect link of the user.', source: 'D83' },
  mcp: { description: 'The MCP server, which agents use.', source: 'D80' },
  cli: { description: 'An operator command.', source: 'D70' },
  import: { description: 'An import from an export file.', source: 'D70' },
  service: { description: 'The gateway itself, for example a worker.', source: 'D70' },
} as const satisfies Record<string, VocabularyEntry>;
export type ApiKind = keyof typeof API_KINDS;

/** Who makes a change, and through which API. */
export interface Actor {
  /** Null if no user makes the change. */
  readonly userId: string | null;
  /** The ID of the API key; null if none is used. */
  readonly keyId: string | null;
  readonly api: ApiKind;
}

/** The service itself: a change that follows from a network's response, or from the time. */
export const SERVICE: Actor = { userId: null, keyId: null, api: 'service' };

/** An operator's command. */
export const OPERATOR: Actor = { userId: null, keyId: null, api: 'cli' };

/** What an actor has of a viewer. */
interface ActingViewer {
  readonly user: { readonly id: string };
  readonly key: { readonly id: string };
  readonly api: ApiKind;
}

/** The viewer, with the API key and the API of the request. */
export const toActor = ({ user, key, api }: ActingViewer): Actor => ({
  userId: user.id,
  keyId: key.id,
  api,
});
