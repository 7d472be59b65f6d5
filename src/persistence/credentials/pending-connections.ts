import type { Actor } from '../../domain/access/viewer.js';
import type {
  Connection,
  ConnectionChoice,
  ConnectionError,
  ConnectionStatus,
} from '../../domain/connections/connection.js';
import type { ConsentWay } from '../../domain/connections/oauth-rules.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Database } from '../database.js';
import { sealJson, unsealJson, type CredentialKeys } from './credential-keys.js';

/** Who started a connection, and what for. */
export interface ConnectionStart {
  readonly id: string;
  readonly workspaceId: string;
  readonly actor: Actor & { readonly userId: string };
  readonly network: Network;
  readonly way: ConsentWay;
  readonly server: string | null;
  /** The account to reconnect; null to connect any. */
  readonly accountId: string | null;
  /** The link that started it; null for a member. */
  readonly linkId: string | null;
  readonly returnUrl: string | null;
  readonly redirectUri: string;
  readonly expiresAt: Date;
}

/** Who may read and finish a connection: the member or the link that started it. */
export interface ConnectionStarter {
  readonly workspaceId: string;
  readonly userId: string;
  readonly linkId: string | null;
}

/** A connection whose person came back. `secrets`: what its consent needs. */
export interface ReturnedConnection extends ConnectionStart {
  readonly secrets: Readonly<Record<string, string>>;
}

/** Where a person goes on who came back again, or too late. */
export interface KnownConnection {
  /** Whether the person may complete it in this browser. */
  readonly isSameBrowser: boolean;
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly errorCode: string | null;
  readonly returnUrl: string | null;
}

/** How a connection ends, or waits for a choice. */
export type ConnectionEnd<Secret> =
  | { readonly status: 'connected'; readonly accountIds: readonly string[] }
  | { readonly status: 'failed'; readonly error: ConnectionError }
  | {
      readonly status: 'choose';
      readonly choices: readonly ConnectionChoice[];
      /** What the choices are connected with. */
      readonly secret: Secret;
      readonly expiresAt: Date;
    };

interface Row {
  readonly id: string;
  readonly network: Network;
  readonly status: ConnectionStatus;
  readonly choices: readonly ConnectionChoice[];
  readonly accountIds: readonly string[];
  readonly error: ConnectionError | null;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
}

/** One start at a time for a workspace, so that no two of them find the last free place. */
const LOCK_WORKSPACE = 'SELECT 1 FROM workspace WHERE id = $1 FOR NO KEY UPDATE';
const INSERT = `
INSERT INTO pending_connection (id, workspace_id, user_id, key_id, api, network, way, server, account_id, return_url, redirect_uri, state_hash, sealed, expires_at, browser_hash, link_id)
SELECT $1, $2, $3, $4, $5, $6::network, $7, $8, $9, $10, $11, $12, $13, $14::timestamptz, $15::bytea, $16
 WHERE (SELECT count(*) FROM pending_connection WHERE workspace_id = $2 AND link_id IS NOT DISTINCT FROM $16 AND expires_at > now() AND status = 'started') < $17::int
RETURNING 1`;

const COLUMNS =
  'id, network, status, choices, account_ids AS "accountIds", error, expires_at AS "expiresAt"';

/** Any, unless the connection was started on a page of the gateway. */
const IS_SAME_BROWSER = 'COALESCE(browser_hash IS NULL OR browser_hash = $2::bytea, false)';
/**
 * Uses up a state, if its person may still connect accounts and is in the same browser. SQL: of two
 * requests with one state, one gets the row.
 */
const TAKE = `
UPDATE pending_connection c SET returned_at = now()
 WHERE state_hash = $1 AND returned_at IS NULL AND expires_at > now() AND status = 'started' AND ${IS_SAME_BROWSER}
   AND EXISTS (SELECT FROM membership m WHERE m.workspace_id = c.workspace_id AND m.user_id = c.user_id AND m.role IN ('owner', 'admin'))
   AND NOT EXISTS (SELECT FROM connect_link l WHERE l.id = c.link_id AND l.revoked_at IS NOT NULL)
RETURNING id, workspace_id AS "workspaceId", user_id AS "userId", key_id AS "keyId", api, network, way, server, account_id AS "accountId", link_id AS "linkId",
  return_url AS "returnUrl", redirect_uri AS "redirectUri", expires_at AS "expiresAt", sealed`;

const FIND_KNOWN = `
SELECT id, CASE WHEN status IN ('started', 'choose') AND expires_at <= now() THEN 'expired' ELSE status::text END AS status,
       error->>'code' AS "errorCode", return_url AS "returnUrl", ${IS_SAME_BROWSER} AS "isSameBrowser"
  FROM pending_connection WHERE state_hash = $1`;

const END = `
UPDATE pending_connection SET status = $2::connection_status, account_ids = $3, error = $4::jsonb, choices = COALESCE($5::jsonb, choices),
       sealed = $6, expires_at = COALESCE($7::timestamptz, expires_at)
 WHERE id = $1 AND status IN ('started', 'choose')`;

/** Removes what is not needed any more: tokens at once, the rest after a day. */
const CLEAN_UP = `
WITH deleted AS (DELETE FROM pending_connection WHERE expires_at < now() - interval '1 day'),
deleted_links AS (DELETE FROM connect_link WHERE expires_at < now() - interval '1 day')
UPDATE pending_connection SET sealed = NULL WHERE expires_at <= now() AND sealed IS NOT NULL`;

/** Connections by consent, from their start until the accounts are connected. */
export function createPendingConnections(database: Database, keys: CredentialKeys) {
  const toConnection = ({ isExpired, ...row }: Row): Connection => ({
    ...row,
    status: isExpired ? 'expired' : row.status,
    choices: isExpired ? [] : row.choices,
  });

  return {
    /**
     * Remembers a connection whose person is sent to the network. False if the link, or the members
     * of the workspace, have `max` that wait for their persons.
     */
    async start(
      { id, workspaceId, actor, ...start }: ConnectionStart,
      consent: {
        readonly stateHash: Uint8Array;
        /** Null: any browser completes it. */
        readonly browserHash: Uint8Array | null;
        readonly secrets: Readonly<Record<string, string>>;
      },
      max: number,
    ): Promise<boolean> {
      const sealed = sealJson(await keys.sealingKey(), id, consent.secrets);
      const { network, way, server, accountId, linkId, returnUrl, redirectUri, expiresAt } = start;
      return database.transaction(async (sql) => {
        await sql(LOCK_WORKSPACE, [workspaceId]);
        const inserted = await sql(INSERT, [
          id,
          workspaceId,
          actor.userId,
          actor.keyId,
          actor.api,
          network,
          way,
          server,
          accountId,
          returnUrl,
          redirectUri,
          consent.stateHash,
          sealed,
          expiresAt,
          consent.browserHash,
          linkId,
          max,
        ]);
        return inserted.length > 0;
      });
    },
    /**
     * The connection of a state, once: null if the state is unknown, used, expired or of another
     * browser, or if its user can no longer connect accounts of the workspace.
     */
    async take(
      stateHash: Uint8Array,
      browserHash: Uint8Array | null,
    ): Promise<ReturnedConnection | null> {
      interface TakenRow extends Omit<ReturnedConnection, 'actor' | 'secrets'> {
        readonly userId: string;
        readonly keyId: string | null;
        readonly api: Actor['api'];
        readonly sealed: Uint8Array;
      }
      const [row] = await database.change<TakenRow>(TAKE, [stateHash, browserHash]);
      if (!row) return null;
      const { userId, keyId, api, sealed, ...start } = row;
      const secrets = unsealJson(await keys.unsealingKeys(), row.id, sealed);
      return {
        ...start,
        actor: { userId, keyId, api },
        secrets: secrets as ReturnedConnection['secrets'],
      };
    },
    /** What is known of a state that cannot be used; null if it is unknown. */
    async findKnown(
      stateHash: Uint8Array,
      browserHash: Uint8Array | null,
    ): Promise<KnownConnection | null> {
      const [row] = await database.scan<KnownConnection>(FIND_KNOWN, [stateHash, browserHash]);
      return row ?? null;
    },
    /** The connection that a member or a link started in a workspace; null if there is none. */
    async find(
      { workspaceId, userId, linkId }: ConnectionStarter,
      id: string,
    ): Promise<Connection | null> {
      const [row] = await database.scan<Row>(
        `SELECT ${COLUMNS}, status IN ('started', 'choose') AND expires_at <= now() AS "isExpired"
           FROM pending_connection WHERE id = $1 AND workspace_id = $2 AND user_id = $3 AND link_id IS NOT DISTINCT FROM $4`,
        [id, workspaceId, userId, linkId],
      );
      return row ? toConnection(row) : null;
    },
    /** What a connection that waits for a choice is connected with; null if it does not wait. */
    async openChoices<Secret>(
      id: string,
    ): Promise<{ secret: Secret; accountId: string | null } | null> {
      const [row] = await database.scan<{ sealed: Uint8Array; accountId: string | null }>(
        `SELECT sealed, account_id AS "accountId" FROM pending_connection
          WHERE id = $1 AND status = 'choose' AND expires_at > now() AND sealed IS NOT NULL`,
        [id],
      );
      return (
        (row && {
          secret: unsealJson(await keys.unsealingKeys(), id, row.sealed) as Secret,
          accountId: row.accountId,
        }) ??
        null
      );
    },
    /** Ends a connection, or lets it wait for a choice. Its secrets are deleted with its end. */
    async end<Secret>(id: string, end: ConnectionEnd<Secret>): Promise<void> {
      const isOpen = end.status === 'choose';
      await database.change(END, [
        id,
        end.status,
        end.status === 'connected' ? end.accountIds : [],
        end.status === 'failed' ? JSON.stringify(end.error) : null,
        isOpen ? JSON.stringify(end.choices) : null,
        isOpen ? sealJson(await keys.sealingKey(), id, end.secret) : null,
        isOpen ? end.expiresAt : null,
      ]);
    },
    /** Deletes the secrets of expired connections, and the records of those of yesterday. */
    async cleanUp(): Promise<void> {
      await database.change(CLEAN_UP);
    },
  };
}
export type PendingConnections = ReturnType<typeof createPendingConnections>;
