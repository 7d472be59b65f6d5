import type pg from 'pg';
import { SERVICE } from '../../domain/access/viewer.js';
import type { Access, LastCheck } from '../../domain/connections/connection-care.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import type { Network } from '../../domain/networks/networks.js';
import { notificationStatements } from '../changes/change-records.js';
import type { Database } from '../database.js';
import { ACCOUNT_COLUMNS, announceEvents, insertRecordEvents } from '../events/insert-events.js';
import { Parameters, runEach } from '../sql.js';
import { seal, unseal, type CredentialKeys } from './credential-keys.js';

/** A connection that is to be looked after. */
export interface ConnectionInCare extends Access, LastCheck {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly network: Network;
  readonly socialId: string;
  readonly name: string;
  /** When its access is to be renewed; null if it is not. */
  readonly renewAt: Date | null;
  /** How many days before the end of the access people were warned last; null if they were not. */
  readonly warnedDays: number | null;
}

/** An account whose renewal no other process can do meanwhile. */
export interface LockedAccess {
  readonly network: Network;
  readonly credentials: Credentials;
  readonly renewAt: Date | null;
  readonly renewsItself: boolean;
}

/** What is stored of a renewed access. */
export interface RenewedAccess extends Access {
  readonly credentials: Credentials;
  readonly renewAt: Date | null;
  readonly dueAt: Date;
}

/**
 * How long another process leaves a connection alone that one is looking after: longer than that
 * takes.
 */
const CARE = "interval '5 minutes'";

const DUE = `
SELECT d.account_id FROM account_connection d JOIN account b ON b.id = d.account_id JOIN account_credential c ON c.account_id = d.account_id
 WHERE d.due_at <= now() AND NOT b.needs_reauth AND NOT b.sandbox`;

/** SQL: of two processes, one gets the connection. */
const TAKE = `
UPDATE account_connection s SET due_at = now() + ${CARE}
  FROM account a
 WHERE a.id = s.account_id AND s.account_id = (${DUE} ORDER BY d.due_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
RETURNING s.account_id AS "accountId", a.workspace_id AS "workspaceId", a.network, a.social_id AS "socialId", a.name,
  s.expires_at AS "expiresAt", s.renews_itself AS "renewsItself", s.renew_at AS "renewAt", s.warned_days AS "warnedDays",
  s.checked_at AS "checkedAt", s.problem`;

/** At most one job a minute over all processes, and only if there is something to do. */
const SCHEDULE = `
INSERT INTO job (id, kind)
SELECT to_char(now() AT TIME ZONE 'UTC', '"job_connection"YYYYMMDDHH24MI'), 'connection' WHERE EXISTS (${DUE})
ON CONFLICT (id) DO NOTHING`;

const LOCK = `
SELECT c.sealed, a.network, s.renew_at AS "renewAt", s.renews_itself AS "renewsItself"
  FROM account_credential c JOIN account a ON a.id = c.account_id JOIN account_connection s ON s.account_id = c.account_id
 WHERE c.account_id = $1 FOR UPDATE OF c`;
const STORE = 'UPDATE account_credential SET sealed = $2, updated_at = now() WHERE account_id = $1';
const STORE_ACCESS = `
UPDATE account_connection SET expires_at = $2, renews_itself = $3, renew_at = $4, due_at = $5, warned_days = NULL
 WHERE account_id = $1`;

interface LockedRow extends Omit<LockedAccess, 'credentials'> {
  readonly sealed: Buffer;
}

const WAIT = 'UPDATE account_connection SET due_at = NULL, renew_at = NULL WHERE account_id = $1';
const SET_DUE = `
UPDATE account_connection SET due_at = LEAST($2::timestamptz, CASE WHEN renew_at > now() THEN renew_at END) WHERE account_id = $1`;
const WARN = `
UPDATE account_connection SET warned_days = $2 WHERE account_id = $1 AND warned_days IS DISTINCT FROM $2 RETURNING 1`;
const EXPIRING = `WITH changed AS (SELECT ${ACCOUNT_COLUMNS} FROM account WHERE id = $1)`;
const MANAGERS = `
SELECT user_id AS "userId" FROM membership WHERE workspace_id = $1 AND role IN ('owner', 'admin') ORDER BY user_id`;

/** What the owners and admins of a workspace are told of an account. */
interface ConnectionMessage {
  /** Of a warning, the days before the end of the access; otherwise null. */
  readonly warnedDays: number | null;
  readonly kind: string;
  readonly message: string;
  readonly at: Date;
  /** Creates the ID of a notification. */
  readonly newId: () => string;
}

/** Attempts to store what a network has given out, which it will not do again. */
const STORE_ATTEMPTS = 10;
const STORE_PAUSE_MS = 1_000;

/** Renews the access to accounts, and remembers when to look after their connections. */
export function createRenewalStore(database: Database, keys: CredentialKeys) {
  const inTransaction = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
    database.session(async (client) => {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    });

  async function lock(client: pg.Client, accountId: string): Promise<LockedRow | null> {
    const { rows } = await client.query<LockedRow>(LOCK, [accountId]);
    return rows[0] ?? null;
  }

  async function store(
    client: pg.Client,
    accountId: string,
    { credentials, expiresAt, renewsItself, renewAt, dueAt }: RenewedAccess,
  ): Promise<void> {
    await client.query(STORE, [accountId, seal(await keys.sealingKey(), accountId, credentials)]);
    await client.query(STORE_ACCESS, [accountId, expiresAt, renewsItself, renewAt, dueAt]);
  }

  /** Stores what a transaction could not, unless the account was connected again meanwhile. */
  async function storeLater(
    accountId: string,
    used: Buffer,
    renewed: RenewedAccess,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTransaction(async (client) => {
          const row = await lock(client, accountId);
          if (row?.sealed.equals(used)) await store(client, accountId, renewed);
        });
      } catch (error) {
        if (attempt === STORE_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, STORE_PAUSE_MS));
      }
    }
  }

  return {
    /** Enqueues a job for the connections that are due, if there are any. */
    async schedule(): Promise<void> {
      await database.change(SCHEDULE);
    },
    /** The next connection that is due, which other processes leave alone for 5 minutes. */
    async take(): Promise<ConnectionInCare | null> {
      return (await database.change<ConnectionInCare>(TAKE))[0] ?? null;
    },
    /**
     * Renews the access to an account: `renew` calls its network, once, while no other process can
     * do the same, and what it returns is stored in the same transaction; null stores nothing.
     * Returns null if the account is not connected.
     * @throws Error if the keys cannot decrypt the credentials, or if nothing can be stored
     */
    async renew<T extends { readonly access: RenewedAccess | null }>(
      accountId: string,
      renew: (locked: LockedAccess) => Promise<T>,
    ): Promise<T | null> {
      let called: { readonly used: Buffer; readonly result: T } | null = null;
      try {
        await inTransaction(async (client) => {
          const row = await lock(client, accountId);
          if (!row) return;
          const { sealed, ...locked } = row;
          const credentials = unseal(await keys.unsealingKeys(), accountId, sealed);
          called = { used: sealed, result: await renew({ ...locked, credentials }) };
          const { access } = called.result;
          if (access) await store(client, accountId, access);
        });
      } catch (error) {
        // The network has replaced the token: only this process knows the new one.
        const lost = called as { readonly used: Buffer; readonly result: T } | null;
        if (!lost?.result.access) throw error;
        await storeLater(accountId, lost.used, lost.result.access);
      }
      return (called as { readonly result: T } | null)?.result ?? null;
    },
    /**
     * Sets when a connection is looked after next, at the latest; null: it waits for a person, and
     * is not renewed. SQL: another process may have renewed it meanwhile.
     */
    async setDue(accountId: string, dueAt: Date | null): Promise<void> {
      await database.change(dueAt === null ? WAIT : SET_DUE, [
        accountId,
        ...(dueAt ? [dueAt] : []),
      ]);
    },
    /**
     * Tells the owners and admins of the workspace, once: with a notification for each of them. A
     * warning before the end of the access also has an event.
     */
    async tell(
      { accountId, workspaceId }: Pick<ConnectionInCare, 'accountId' | 'workspaceId'>,
      { warnedDays, newId, kind, message, at }: ConnectionMessage,
    ): Promise<void> {
      await database.transaction(async (sql) => {
        if (warnedDays !== null) {
          const warned = await sql(WARN, [accountId, warnedDays]);
          if (warned.length === 0) return;
          const parameters = new Parameters(accountId);
          const event = { type: 'account.token_expiring', rows: 'changed', at } as const;
          const events = insertRecordEvents(event, parameters);
          await sql(`${EXPIRING} ${events}`, parameters.values);
        }
        const managers = await sql<{ userId: string }>(MANAGERS, [workspaceId]);
        const notifications = managers.map(({ userId }) => ({
          id: newId(),
          userId,
          kind,
          message,
          postId: null,
        }));
        await runEach(
          sql,
          notificationStatements({ workspaceId, actor: SERVICE, notifications, at }),
        );
      });
      announceEvents(database, workspaceId);
    },
  };
}
export type RenewalStore = ReturnType<typeof createRenewalStore>;
