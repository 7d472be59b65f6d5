import { hasValidChecksum } from '../domain/api-key.js';
import { GatewayError } from '../domain/errors.js';
import { missingScopes, type Scope } from '../domain/scopes.js';
import type { Caller, Viewer } from '../domain/viewer.js';
import { keyHash } from './key-hash.js';
import type { Clock, KeyStore, RateState } from './ports.js';

/** What the request's Service-Workspace-Id came to; an unknown workspace and one of others are the same. */
export type WorkspaceStanding =
  | { readonly kind: 'missing' }
  | { readonly kind: 'stranger' }
  | { readonly kind: 'member'; readonly viewer: Viewer };

/** Who a request comes from, as its headers show. */
export interface Identity { readonly caller: Caller; readonly workspace: WorkspaceStanding }

/** A request that passed the gate: what each door is given. */
export interface Admission extends Identity { readonly rate: RateState }

/** Knows callers by their keys. */
export interface Access {
  /**
   * Reads the raw values of Authorization (`Bearer-API <key>`) and Service-Workspace-Id, with one query at most.
   * Null where there is no valid key, whatever the reason (D33).
   */
  identify(authorization: string | undefined, workspaceId: string | undefined): Promise<Identity | null>;
}

/** One longer than this is no workspace id, and is not worth a parameter. */
const LONGEST_WORKSPACE_ID = 255;

export function createAccess({ keys, clock }: { keys: KeyStore; clock: Clock }): Access {
  return {
    async identify(authorization = '', workspaceId = '') {
      const key = /^Bearer-API +(\S+)$/i.exec(authorization)?.[1];
      if (key === undefined || !hasValidChecksum(key)) return null;
      const wanted = workspaceId.length > LONGEST_WORKSPACE_ID ? null : workspaceId || null;
      const grant = await keys.grant(keyHash(key), wanted, clock.now());
      if (!grant) return null;
      return { caller: grant.caller, workspace: standing(workspaceId, grant.viewer) };
    },
  };
}

function standing(workspaceId: string, viewer: Viewer | null): WorkspaceStanding {
  if (workspaceId === '') return { kind: 'missing' };
  return viewer ? { kind: 'member', viewer } : { kind: 'stranger' };
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
  if (missing.length > 0) throw new GatewayError('MISSING_SCOPE', `The key lacks the scope ${missing.join(' and ')}.`);
}
