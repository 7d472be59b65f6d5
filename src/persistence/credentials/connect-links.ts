import type { ConnectLink } from '../../domain/connections/connect-link.js';
import type { Role } from '../../domain/enums.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Database } from '../database.js';

/** A link, and who created it with which key. */
export interface NewConnectLink extends Omit<ConnectLink, 'revoked'> {
  readonly workspaceId: string;
  readonly userId: string;
  /** Null if no key was used. */
  readonly keyId: string | null;
  /** SHA-256 of its secret. */
  readonly tokenHash: Uint8Array;
}

/** A link that can be used, with the rights of the member who created it. */
export interface OpenConnectLink extends Omit<ConnectLink, 'revoked'> {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly userId: string;
  readonly role: Role;
}

/** One creation at a time for a workspace, so that no two of them find the last free place. */
const LOCK_WORKSPACE = 'SELECT 1 FROM workspace WHERE id = $1 FOR NO KEY UPDATE';
/** SQL: the links that can be used are counted in the statement. */
const INSERT = `
INSERT INTO connect_link (id, workspace_id, user_id, key_id, networks, token_hash, expires_at)
SELECT $1, $2, $3, $4, $5::text[]::network[], $6, $7::timestamptz
 WHERE (SELECT count(*) FROM connect_link WHERE workspace_id = $2 AND expires_at > now() AND revoked_at IS NULL) < $8::int
RETURNING 1`;

/**
 * A link ends with the rights of its creator: the plan, the role, and the key, unless the key expired
 * since. SQL: Prisma reads the five tables with five statements.
 */
const OPEN = `
SELECT l.id, l.networks::text[] AS networks, l.expires_at AS "expiresAt", l.workspace_id AS "workspaceId", w.name AS "workspaceName",
       l.user_id AS "userId", m.role::text AS role
  FROM connect_link l
  JOIN workspace w ON w.id = l.workspace_id
  JOIN app_user u ON u.id = l.user_id AND u.plan = 'business'
  JOIN membership m ON m.workspace_id = l.workspace_id AND m.user_id = l.user_id AND m.role IN ('owner', 'admin')
 WHERE l.token_hash = $1 AND l.expires_at > now() AND l.revoked_at IS NULL
   AND NOT EXISTS (SELECT FROM api_key k WHERE k.id = l.key_id AND k.revoked_at IS NOT NULL)`;

const SELECTED = { id: true, networks: true, expiresAt: true, revokedAt: true } as const;

interface Row {
  readonly id: string;
  readonly networks: readonly string[];
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}
const toLink = ({ id, networks, expiresAt, revokedAt }: Row): ConnectLink => ({
  id,
  networks: networks as readonly Network[],
  expiresAt,
  revoked: revokedAt !== null,
});

/** Connect links, whose secrets are stored as hashes. */
export function createConnectLinkStore(database: Database) {
  const { prisma, changeRecords } = database;
  return {
    /** False if the workspace has `max` links that can be used. */
    create: (
      { id, workspaceId, userId, keyId, networks, tokenHash, expiresAt }: NewConnectLink,
      max: number,
    ): Promise<boolean> =>
      database.transaction(async (sql) => {
        await sql(LOCK_WORKSPACE, [workspaceId]);
        const values = [id, workspaceId, userId, keyId, networks, tokenHash, expiresAt, max];
        return (await sql(INSERT, values)).length > 0;
      }),
    /** The links of a workspace that can be used, in the order in which they expire. */
    async list(workspaceId: string, now: Date): Promise<readonly ConnectLink[]> {
      const links = await prisma.connectLink.findMany({
        where: { workspaceId, revokedAt: null, expiresAt: { gt: now } },
        select: SELECTED,
        orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
      });
      return links.map(toLink);
    },
    /** A link that was revoked before keeps the first time. Null if there is none. */
    async revoke(workspaceId: string, id: string, now: Date): Promise<ConnectLink | null> {
      await changeRecords(({ connectLink }) =>
        connectLink.updateMany({
          where: { workspaceId, id, revokedAt: null },
          data: { revokedAt: now },
        }),
      );
      const link = await prisma.connectLink.findUnique({
        where: { workspaceId, id },
        select: SELECTED,
      });
      return link && toLink(link);
    },
    /** The link with a secret; null if it is unknown or cannot be used. */
    async open(tokenHash: Uint8Array): Promise<OpenConnectLink | null> {
      return (await database.scan<OpenConnectLink>(OPEN, [tokenHash]))[0] ?? null;
    },
  };
}
export type ConnectLinkStore = ReturnType<typeof createConnectLinkStore>;
