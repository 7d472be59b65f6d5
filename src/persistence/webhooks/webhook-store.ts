import type { Webhook, WebhookChange } from '../../domain/webhooks/webhook.js';
import type { Database } from '../database.js';
import { DATABASE, SAFE_HORIZON } from '../events/event-store.js';
import { failPending, WEBHOOK_DISABLED } from './pending-deliveries.js';
import type { WebhookSecrets } from './webhook-secrets.js';

/** The webhooks of workspaces. Secrets are stored sealed. */
export interface WebhookStore {
  /** In the order of their creation. */
  list(workspaceId: string): Promise<Webhook[]>;
  find(workspaceId: string, id: string): Promise<Webhook | null>;
  /** The workspace of a webhook; null if there is no such webhook. */
  workspaceOf(id: string): Promise<string | null>;
  /**
   * Creates a webhook, to which events are sent from now on. False if the workspace has `max`.
   * @throws GatewayError UNAVAILABLE if secrets cannot be sealed
   */
  create(workspaceId: string, webhook: NewWebhook, max: number): Promise<boolean>;
  /**
   * Events are sent again from now on to a webhook that becomes active. Null if it does not exist.
   */
  update(workspaceId: string, id: string, change: WebhookChange): Promise<Webhook | null>;
  delete(workspaceId: string, id: string): Promise<boolean>;
  /**
   * Replaces the secret; the old one signs messages too until `previousUntil`. Null if the webhook
   * does not exist.
   * @throws GatewayError UNAVAILABLE if secrets cannot be sealed
   */
  replaceSecret(workspaceId: string, id: string, secret: NewSecret): Promise<Webhook | null>;
}

/** A webhook with its secret. */
export interface NewWebhook extends Omit<Webhook, 'status'> {
  readonly secret: string;
}

/** A secret that replaces another one. */
export interface NewSecret {
  readonly secret: string;
  readonly previousUntil: Date;
}

const WEBHOOK = { id: true, url: true, types: true, status: true, createdAt: true } as const;

/** The present, as the position from which events are read. */
export const PRESENT = `${DATABASE}, ${SAFE_HORIZON}, 0`;

/** SQL: the server knows the present, and the webhooks are counted in the statement. */
const INSERT = `
INSERT INTO webhook (id, workspace_id, url, types, sealed_secret, created_at, read_database, read_transaction, read_sequence)
SELECT $1, $2, $3, $4::text[], $5::bytea, $6::timestamptz, ${PRESENT}
 WHERE (SELECT count(*) FROM webhook WHERE workspace_id = $2) < $7::int
RETURNING 1`;

/**
 * A webhook that becomes active, or gets another URL, starts without failures. SQL: what changes
 * depends on the row, and the server knows the present.
 */
const UPDATE = `
UPDATE webhook w SET url = COALESCE($3, w.url), types = COALESCE($4::text[], w.types), status = COALESCE($5::webhook_status, w.status),
       failing_since = CASE WHEN $3 <> w.url OR $5::webhook_status <> w.status THEN NULL ELSE w.failing_since END,
       (read_database, read_transaction, read_sequence) = (
         SELECT p.d, p.t, p.s FROM (VALUES (true, ${PRESENT}), (false, w.read_database, w.read_transaction, w.read_sequence)) p (is_present, d, t, s)
          WHERE p.is_present = (w.status = 'disabled' AND $5::webhook_status = 'active'))
 WHERE w.workspace_id = $1 AND w.id = $2 RETURNING w.status::text AS status`;

/** SQL: copies a column. */
const REPLACE_SECRET = `
UPDATE webhook SET previous_secret = sealed_secret, previous_until = $4, sealed_secret = $3
 WHERE workspace_id = $1 AND id = $2`;

/** The webhooks of workspaces in PostgreSQL. */
export function createWebhookStore(database: Database, secrets: WebhookSecrets): WebhookStore {
  const { prisma, changeRecords } = database;
  const find = async (workspaceId: string, id: string): Promise<Webhook | null> =>
    (await prisma.webhook.findUnique({
      where: { workspaceId, id },
      select: WEBHOOK,
    })) as Webhook | null;
  return {
    list: async (workspaceId) =>
      (await prisma.webhook.findMany({
        where: { workspaceId },
        select: WEBHOOK,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })) as Webhook[],
    find,
    async workspaceOf(id) {
      const webhook = await prisma.webhook.findUnique({
        where: { id },
        select: { workspaceId: true },
      });
      return webhook?.workspaceId ?? null;
    },
    async create(workspaceId, { id, url, types, createdAt, secret }, max) {
      const sealed = await secrets.seal(id, secret);
      return database.transaction(async (sql) => {
        // One creation at a time: two would both find the last free place. Prisma cannot lock rows.
        await sql('SELECT 1 FROM workspace WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
        const values = [id, workspaceId, url, types, sealed, createdAt, max];
        return (await sql(INSERT, values)).length > 0;
      });
    },
    async update(workspaceId, id, { url = null, types = null, status = null }) {
      await database.transaction(async (sql) => {
        const [webhook] = await sql<Webhook>(UPDATE, [workspaceId, id, url, types, status]);
        if (webhook?.status === 'disabled') await failPending(sql, id, WEBHOOK_DISABLED);
      });
      return find(workspaceId, id);
    },
    async delete(workspaceId, id) {
      const { count } = await changeRecords(({ webhook }) =>
        webhook.deleteMany({ where: { workspaceId, id } }),
      );
      return count > 0;
    },
    async replaceSecret(workspaceId, id, { secret, previousUntil }) {
      const sealed = await secrets.seal(id, secret);
      await database.change(REPLACE_SECRET, [workspaceId, id, sealed, previousUntil]);
      return find(workspaceId, id);
    },
  };
}
