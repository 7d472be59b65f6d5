import { GatewayError } from '../errors.js';
import { missingScopes, type Scope } from './scopes.js';
import type { Caller, Viewer } from './viewer.js';

/** What the request's Service-Workspace-Id came to; an unknown workspace and one of others are the same. */
export type WorkspaceStanding =
  | { readonly kind: 'missing' }
  | { readonly kind: 'stranger' }
  | { readonly kind: 'member'; readonly viewer: Viewer };

/** Who a request comes from, as its headers show. */
export interface Identity {
  readonly caller: Caller;
  readonly workspace: WorkspaceStanding;
}

/**
 * The caller inside the workspace that the request names.
 * @throws GatewayError MISSING_WORKSPACE, NOT_A_MEMBER (D35)
 */
export function viewerOf({ workspace }: Identity): Viewer {
  if (workspace.kind === 'missing') throw new GatewayError('MISSING_WORKSPACE');
  if (workspace.kind === 'stranger') throw new GatewayError('NOT_A_MEMBER');
  return workspace.viewer;
}

/**
 * Holds a key to a requirement in the form of `@requiresScopes`: the outer list is OR, the inner AND.
 * @throws GatewayError MISSING_SCOPE, naming the scopes that are missing (D5, D35)
 */
export function assertScopes(caller: Caller, required: readonly (readonly Scope[])[]): void {
  const missing = missingScopes(caller.key.scopes, required);
  if (missing.length > 0)
    throw new GatewayError('MISSING_SCOPE', `The key lacks the scope ${missing.join(' and ')}.`);
}
