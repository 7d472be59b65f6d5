import type { Scope, Caller, Member } from '../../domain/access/viewer.js';
import type { Plan, Role } from '../../domain/enums.js';
import type { Database } from '../database.js';

/** A key's user and, if they are a member of the requested workspace, their membership. */
export interface Grant {
  readonly caller: Caller;
  readonly viewer: Member | null;
}

/** A key, and a workspace in which it is used. */
export interface KeyUse {
  readonly keyId: string;
  readonly workspaceId: string;
}

/**
 * Reads the grants of keys. That of a request is one prepared statement, since every uncached
 * request runs it, and always queries the database: a changed key, plan or membership is effective
 * for every request that starts after the change (D33).
 */
export function createKeyStore(database: Database) {
  const columnsOf = (uses: readonly KeyUse[], now: Date): unknown[] => [
    uses.map(({ keyId }) => keyId),
    uses.map(({ workspaceId }) => workspaceId),
    now,
  ];
  return {
    /** Null for unknown, revoked and expired keys alike (D33). */
    async findGrant(
      hash: Uint8Array,
      workspaceId: string | null,
      now: Date,
    ): Promise<Grant | null> {
      const [row] = await database.read<GrantRow>(GRANT, [Buffer.from(hash), workspaceId, now]);
      return row ? toGrant(row) : null;
    },
    /**
     * The grants of keys that were authenticated before, whose streams are open, in the order of
     * the uses. Null for revoked and expired keys.
     */
    async findGrants(uses: readonly KeyUse[], now: Date): Promise<readonly (Grant | null)[]> {
      const rows = await database.scan<GrantRow & IndexRow>(GRANTS, columnsOf(uses, now));
      const grants = new Map(rows.map((row) => [row.index, toGrant(row)]));
      return uses.map((_use, index) => grants.get(index) ?? null);
    },
    /** Indexes of the uses that are over: key, membership or API access has ended. */
    async findEnded(uses: readonly KeyUse[], now: Date): Promise<readonly number[]> {
      const rows = await database.scan<IndexRow>(ENDED, columnsOf(uses, now));
      return rows.map(({ index }) => index);
    },
  };
}
export type KeyStore = ReturnType<typeof createKeyStore>;

// The plan of a workspace is that of its owner (D34). Every workspace has one owner; if the key's
// user is not a member, no workspace is joined, and `workspace_plan` is not used.
const COLUMNS = `k.id AS key_id, k.name AS key_name, k.prefix, k.scopes, k.created_at, k.expires_at,
       u.id AS user_id, u.name AS user_name, u.picture AS user_picture, u.plan, u.rate_limit_override,
       m.role, m.post_actions, w.id AS workspace_id, w.name AS workspace_name, w.picture AS workspace_picture,
       w.time_zone, w.requires_approval, w.locked, COALESCE(o.plan, 'free') AS workspace_plan`;
const joins = (workspaceId: string): string => `
  JOIN app_user u ON u.id = k.user_id
  LEFT JOIN membership m ON m.workspace_id = ${workspaceId} AND m.user_id = k.user_id
  LEFT JOIN workspace w ON w.id = m.workspace_id
  LEFT JOIN membership om ON om.workspace_id = w.id AND om.role = 'owner'
  LEFT JOIN app_user o ON o.id = om.user_id`;
const isValid = (now: string): string =>
  `k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now})`;

const GRANT = `SELECT ${COLUMNS} FROM api_key k ${joins('$2')} WHERE k.hash = $1 AND ${isValid('$3')}`;
const USES = 'unnest($1::text[], $2::text[]) WITH ORDINALITY AS use(key_id, workspace_id, nth)';
const GRANTS = `
SELECT use.nth::int - 1 AS index, ${COLUMNS}
  FROM ${USES} JOIN api_key k ON k.id = use.key_id ${joins('use.workspace_id')} WHERE ${isValid('$3')}`;
const ENDED = `
SELECT use.nth::int - 1 AS index
  FROM ${USES}
  LEFT JOIN api_key k ON k.id = use.key_id AND ${isValid('$3')}
  LEFT JOIN app_user u ON u.id = k.user_id AND u.plan = 'business'
  LEFT JOIN membership m ON m.workspace_id = use.workspace_id AND m.user_id = u.id
 WHERE m.user_id IS NULL`;

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
interface IndexRow {
  readonly index: number;
}

function toGrant(row: GrantRow): Grant {
  const caller = toCaller(row);
  return { caller, viewer: toMember(caller, row) };
}

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
