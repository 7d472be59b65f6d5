import type { Pool } from 'pg';
import type { Scope } from '../../domain/access/scopes.js';
import type { Caller, Member } from '../../domain/access/viewer.js';
import type { Plan, Role } from '../../domain/enums.js';
import type { KeyStore } from '../../services/access/access-ports.js';
import { run } from '../sql.js';

/**
 * Reads the grant of a key. It is one prepared statement, since every uncached request runs it, and
 * always queries the database: a changed key, plan or membership is effective for every request
 * that starts after the change (D33).
 */
export function createKeyStore(pool: Pool): KeyStore {
  return {
    async findGrant(hash, workspaceId, now) {
      const [row] = await run<GrantRow>(pool, GRANT, [Buffer.from(hash), workspaceId, now]);
      if (!row) return null;
      const caller = toCaller(row);
      return { caller, viewer: toMember(caller, row) };
    },
  };
}

// The plan of a workspace is that of its owner (D34). Every workspace has one owner; if the key's
// user is not a member, no workspace is joined, and `workspace_plan` is not used.
const GRANT = `
SELECT k.id AS key_id, k.name AS key_name, k.prefix, k.scopes, k.created_at, k.expires_at,
       u.id AS user_id, u.name AS user_name, u.picture AS user_picture, u.plan, u.rate_limit_override,
       m.role, m.post_actions, w.id AS workspace_id, w.name AS workspace_name, w.picture AS workspace_picture,
       w.time_zone, w.requires_approval, w.locked, COALESCE(o.plan, 'free') AS workspace_plan
  FROM api_key k
  JOIN app_user u ON u.id = k.user_id
  LEFT JOIN membership m ON m.workspace_id = $2 AND m.user_id = k.user_id
  LEFT JOIN workspace w ON w.id = m.workspace_id
  LEFT JOIN membership om ON om.workspace_id = w.id AND om.role = 'owner'
  LEFT JOIN app_user o ON o.id = om.user_id
 WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $3)`;

interface KeyRow {
  key_id: string;
  key_name: string;
  prefix: string;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date | null;
  user_id: string;
  user_name: string;
  user_picture: string | null;
  plan: Plan;
  rate_limit_override: number | null;
}
interface MemberRow {
  role: Role;
  post_actions: boolean;
  workspace_id: string;
  workspace_name: string;
  workspace_picture: string | null;
  workspace_plan: Plan;
  time_zone: string;
  requires_approval: boolean;
  locked: boolean;
}
type GrantRow = KeyRow & (MemberRow | { role: null });

const toCaller = (row: KeyRow): Caller => ({
  user: { id: row.user_id, name: row.user_name, picture: row.user_picture },
  plan: row.plan,
  key: {
    id: row.key_id,
    name: row.key_name,
    prefix: row.prefix,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  },
  rateLimitOverride: row.rate_limit_override,
});

const toMember = (caller: Caller, row: GrantRow): Member | null =>
  row.role === null
    ? null
    : {
        ...caller,
        workspace: {
          id: row.workspace_id,
          name: row.workspace_name,
          picture: row.workspace_picture,
          plan: row.workspace_plan,
          timeZone: row.time_zone,
          requiresApproval: row.requires_approval,
          locked: row.locked,
        },
        role: row.role,
        postActions: row.post_actions,
      };
