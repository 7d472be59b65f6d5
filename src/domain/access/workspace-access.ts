import { GatewayError } from '../errors.js';
import { missingScopes, type Scope } from './scopes.js';
import type { ApiKind } from '../events/actor.js';
import type { Caller, Member, Viewer } from './viewer.js';

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
