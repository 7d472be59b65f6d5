import { hasValidChecksum } from '../domain/api-key.js';
import type { Identity, WorkspaceStanding } from '../domain/identity.js';
import type { Viewer } from '../domain/viewer.js';
import { keyHash } from './key-hash.js';
import type { Clock, KeyStore, RateState } from './ports.js';

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
