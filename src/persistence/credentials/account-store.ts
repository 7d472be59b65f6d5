import type { Actor } from '../../domain/access/viewer.js';
import type {
  ConnectionFacts,
  ConnectMethod,
} from '../../domain/connections/account-connection.js';
import { nextCareTime, renewalTime } from '../../domain/connections/connection-care.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import type { Database } from '../database.js';
import { ACCOUNT_COLUMNS, announceEvents, insertRecordEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';
import { seal, type CredentialKeys } from './credential-keys.js';

/** An account, for those who manage it. */
export interface AccountRecord extends Account {
  workspaceId: string;
  /** When its credentials were stored; null if it has none. */
  connectedAt: Date | null;
}

/** An account, and what it is to be connected with. */
export interface AccountToConnect {
  readonly account: Account;
  readonly credentials: Credentials;
  readonly method: ConnectMethod;
  readonly grantedScopes: readonly string[];
  /** When the access ends unless it is renewed; null if it has no end, or if that is not known. */
  readonly expiresAt: Date | null;
  readonly renewsItself: boolean;
}

/**
 * Result of connecting accounts. Unless it is `connected`, nothing was changed. `elsewhere`: one of
 * them is connected in another workspace. `changed`: an account of the network was created since
 * the accounts were read.
 */
export type ConnectResult = 'connected' | 'elsewhere' | 'changed';

/** What the network said about the credentials of an account. */
export interface CheckResult {
  readonly at: Date;
  /** Null if it confirmed the account. */
  readonly problem: string | null;
}

const RECORD = {
  id: true,
  workspaceId: true,
  type: true,
  name: true,
  picture: true,
  network: true,
  socialId: true,
  needsReauth: true,
  sandbox: true,
  credential: { select: { updatedAt: true } },
} as const;
type Row = Omit<AccountRecord, 'connectedAt'> & { credential: { updatedAt: Date } | null };

/** Two connections of one account of a network happen one after the other. */
const LOCK_IDENTITY =
  "SELECT pg_advisory_xact_lock(hashtextextended('account ' || $1 || ' ' || $2, 0))";
/** The other accounts with this identity, and whether they are connected. */
const SAME_IDENTITY = `
SELECT a.workspace_id = $3 AS "isHere", c.account_id IS NOT NULL AS "isConnected"
  FROM account a LEFT JOIN account_credential c ON c.account_id = a.id
 WHERE a.network = $1::network AND a.social_id = $2 AND a.id <> $4 AND NOT a.sandbox`;
const UPSERT_ACCOUNT = `
INSERT INTO account (id, workspace_id, network, type, name, social_id, picture, needs_reauth, sandbox)
VALUES ($1, $2, $3::network, $4::account_type, $5, $6, $7, false, false)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, social_id = excluded.social_id, picture = excluded.picture, needs_reauth = false`;
const UPSERT_CREDENTIAL = `
INSERT INTO account_credential (account_id, sealed, updated_at) VALUES ($1, $2, now())
ON CONFLICT (account_id) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at`;
const UPSERT_CONNECTION = `
INSERT INTO account_connection (account_id, method, granted_scopes, expires_at, renews_itself, renew_at, due_at, checked_at)
VALUES ($1, $2::connect_method, $3, $4, $5, $6, $7, now())
ON CONFLICT (account_id) DO UPDATE SET method = excluded.method, granted_scopes = excluded.granted_scopes,
  expires_at = excluded.expires_at, renews_itself = excluded.renews_itself, renew_at = excluded.renew_at, due_at = excluded.due_at, warned_days = NULL, checked_at = excluded.checked_at, problem = NULL`;

/**
 * What is known of the connections of accounts. Accounts that an earlier release connected have no
 * row: their credentials were entered.
 */
const FACTS = `
SELECT a.id, c.account_id IS NOT NULL AS "hasCredentials", a.needs_reauth AS "needsReauth",
       COALESCE(s.method, 'credentials') AS method, COALESCE(s.granted_scopes, '{}') AS "grantedScopes", s.expires_at AS "expiresAt",
       COALESCE(s.renews_itself, false) AS "renewsItself", s.checked_at AS "checkedAt", s.problem
  FROM account a LEFT JOIN account_credential c ON c.account_id = a.id LEFT JOIN account_connection s ON s.account_id = a.id
 WHERE a.id = ANY($1::text[]) AND NOT a.sandbox AND (c.account_id IS NOT NULL OR s.account_id IS NOT NULL)`;

/** Writes an event of an account, in the transaction that changes it. */
async function writeEvent(
  sql: Sql,
  accountId: string,
  event: { readonly type: 'account.connected' | 'account.disconnected'; readonly actor: Actor },
): Promise<void> {
  const parameters = new Parameters(accountId);
  const events = insertRecordEvents({ ...event, rows: 'changed' }, parameters);
  await sql(
    `WITH changed AS (SELECT ${ACCOUNT_COLUMNS} FROM account WHERE id = $1) ${events}`,
    parameters.values,
  );
}

/** Stores accounts with their credentials. SQL: identities are locked and compared. */
export function createAccountStore(database: Database, keys: CredentialKeys) {
  const { prisma } = database;

  async function store(
    sql: Sql,
    workspaceId: string,
    { account, credentials, ...connection }: AccountToConnect,
  ): Promise<ConnectResult> {
    const { id, network, type, name, socialId, picture } = account;
    const others = await sql<{ isHere: boolean; isConnected: boolean }>(SAME_IDENTITY, [
      network,
      socialId,
      workspaceId,
      id,
    ]);
    if (others.some(({ isHere }) => isHere)) return 'changed';
    if (others.some(({ isConnected }) => isConnected)) return 'elsewhere';
    const sealed = seal(await keys.sealingKey(), id, credentials);
    await sql(UPSERT_ACCOUNT, [id, workspaceId, network, type, name, socialId, picture]);
    await sql(UPSERT_CREDENTIAL, [id, sealed]);
    const { method, grantedScopes, expiresAt, renewsItself } = connection;
    // The clock of this process may differ from that of others.
    const [{ now }] = (await sql<{ now: Date }>('SELECT now() AS now')) as [{ now: Date }];
    const renewAt = renewalTime({ expiresAt, renewsItself }, now);
    const dueAt = nextCareTime({ expiresAt, renewsItself }, { renewAt, now });
    const values = [id, method, grantedScopes, expiresAt, renewsItself, renewAt, dueAt];
    await sql(UPSERT_CONNECTION, values);
    return 'connected';
  }

  return {
    /** Accounts of one workspace or of all, oldest first. */
    async accounts(workspaceId?: string): Promise<AccountRecord[]> {
      const rows = await prisma.account.findMany({
        where: workspaceId === undefined ? {} : { workspaceId },
        select: RECORD,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      return rows.map(toRecord);
    },
    /**
     * Finds an account by its ID, of any or of one workspace, or by the network's ID of it; null if
     * there is none.
     */
    async find(
      by:
        | { id: string; workspaceId?: string }
        | { workspaceId: string; network: Network; socialId: string },
    ): Promise<AccountRecord | null> {
      const row = await prisma.account.findUnique({
        where: 'id' in by ? by : { workspaceId_network_socialId: by },
        select: RECORD,
      });
      return row && toRecord(row);
    },
    /** What is known of the connections of accounts that are or were connected, by account ID. */
    async facts(accountIds: readonly string[]): Promise<ReadonlyMap<string, ConnectionFacts>> {
      const rows = await database.read<ConnectionFacts & { id: string }>(FACTS, [accountIds]);
      return new Map(rows.map(({ id, ...facts }) => [id, facts]));
    },
    /**
     * Inserts or updates accounts and stores their credentials: all of them or none. None needs
     * reauthorization afterwards.
     */
    async connect(
      workspaceId: string,
      accounts: readonly AccountToConnect[],
      actor: Actor,
    ): Promise<ConnectResult> {
      const inOrder = accounts.toSorted((a, b) =>
        a.account.socialId < b.account.socialId ? -1 : 1,
      );
      const result = await database
        .transaction(async (sql): Promise<ConnectResult> => {
          for (const { account } of inOrder)
            await sql(LOCK_IDENTITY, [account.network, account.socialId]);
          for (const toConnect of inOrder) {
            const stored = await store(sql, workspaceId, toConnect);
            if (stored !== 'connected') throw new RollBack(stored);
            await writeEvent(sql, toConnect.account.id, { type: 'account.connected', actor });
          }
          return 'connected';
        })
        .catch((error: unknown) => {
          if (error instanceof RollBack) return error.result;
          throw error;
        });
      if (result === 'connected') announceEvents(database, workspaceId);
      return result;
    },
    /** Deletes the credentials of an account. Returns false if it had none. */
    async disconnect(accountId: string, actor: Actor): Promise<boolean> {
      const isDeleted = await database.transaction(async (sql) => {
        const deleted = await sql(
          'DELETE FROM account_credential WHERE account_id = $1 RETURNING 1',
          [accountId],
        );
        if (deleted.length === 0) return false;
        await sql('UPDATE account_connection SET problem = NULL WHERE account_id = $1', [
          accountId,
        ]);
        await writeEvent(sql, accountId, { type: 'account.disconnected', actor });
        return true;
      });
      if (isDeleted) announceEvents(database, null);
      return isDeleted;
    },
    /** Remembers what the network said, unless the account was disconnected meanwhile. */
    async recordCheck(accountId: string, { at, problem }: CheckResult): Promise<void> {
      await database.change(
        `INSERT INTO account_connection (account_id, method, checked_at, problem)
         SELECT account_id, 'credentials', $2, $3 FROM account_credential WHERE account_id = $1
         ON CONFLICT (account_id) DO UPDATE SET checked_at = excluded.checked_at, problem = excluded.problem,
           due_at = COALESCE(account_connection.due_at, CASE WHEN excluded.problem IS NULL THEN excluded.checked_at + interval '1 day' END)`,
        [accountId, at, problem],
      );
    },
  };
}
export type AccountStore = ReturnType<typeof createAccountStore>;

/** Rolls a transaction back whose result is known. */
class RollBack extends Error {
  constructor(readonly result: ConnectResult) {
    super(result);
  }
}

const toRecord = ({ credential, ...account }: Row): AccountRecord => ({
  ...account,
  connectedAt: credential?.updatedAt ?? null,
});
