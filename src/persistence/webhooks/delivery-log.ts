import type { EventType } from '../../domain/events/event.js';
import { isPrefixedId } from '../../domain/posts/post.js';
import type {
  WebhookDelivery,
  DeliveryPage,
  DeliveryWindow,
} from '../../domain/webhooks/webhook.js';
import type { Database } from '../database.js';
import { WAKE_WORKERS } from '../jobs/job-wakeups.js';
import { Parameters, type Statement } from '../sql.js';

/** A message that waits for its first attempt. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: EventType;
  readonly body: string;
  readonly at: Date;
}

/** What is to be sent again: some deliveries, or everything since a time. */
export interface Redelivery {
  readonly jobId: string;
  readonly webhookId: string;
  readonly deliveryIds: readonly string[] | null;
  readonly since: Date | null;
  readonly requestedAt: Date;
}

/** The log of deliveries. */
export interface DeliveryLog {
  add(delivery: NewDelivery): Promise<WebhookDelivery>;
  /** Newest first, by webhook ID. */
  pages(
    webhookIds: readonly string[],
    window: DeliveryWindow,
  ): Promise<ReadonlyMap<string, DeliveryPage>>;
  /** Which of the IDs belong to no delivery of the webhook. */
  unknownIds(webhookId: string, ids: readonly string[]): Promise<string[]>;
  /** Creates the job that sends messages again. */
  addRedelivery(
    redelivery: Redelivery,
    owner: { workspaceId: string; userId: string | null },
  ): Promise<void>;
}

const COLUMNS = `d.id, d.event_type AS "eventType", d.event_id AS "eventId", d.status::text AS status, d.attempts, d.response_status AS "responseStatus",
  d.response_body AS "responseBody", d.error, d.duration_ms AS "durationMs", d.last_attempt_at AS "lastAttemptAt",
  CASE WHEN d.status = 'pending' THEN d.due_at END AS "nextAttemptAt", d.created_at AS "createdAt"`;

/** SQL: returns the columns of a page. */
const INSERT = `
INSERT INTO webhook_delivery AS d (id, webhook_id, event_type, event_at, body, due_at, created_at)
VALUES ($1, $2, $3, $5::timestamptz, $4, $5::timestamptz, $5::timestamptz) RETURNING ${COLUMNS}`;

type DeliveryRow = WebhookDelivery & { readonly webhookId: string };

/**
 * The deliveries of each webhook in a window, and one more. SQL: one statement for all webhooks, for
 * which Prisma would read their whole logs.
 */
function pagesStatement(webhookIds: readonly string[], window: DeliveryWindow): Statement {
  const { limit, after, offset = 0 } = window;
  const p = new Parameters(webhookIds);
  const isAfter = after
    ? `AND (d.created_at, d.id) < (${p.add(after.at, 'timestamptz')}, ${p.add(after.id, 'text')})`
    : '';
  const text = `
SELECT w.id AS "webhookId", d.* FROM unnest($1::text[]) AS w(id), LATERAL (
  SELECT ${COLUMNS} FROM webhook_delivery d WHERE d.webhook_id = w.id ${isAfter}
   ORDER BY d.created_at DESC, d.id DESC LIMIT ${p.add(limit + 1, 'int')} OFFSET ${p.add(offset, 'int')}) d`;
  return { text, values: p.values };
}

/**
 * The log of deliveries in PostgreSQL. `traceparent`: the span of the current request, for the jobs
 * that send deliveries again.
 */
export const createDeliveryLog = (
  database: Database,
  traceparent = (): string | null => null,
): DeliveryLog => ({
  async add({ id, webhookId, eventType, body, at }) {
    const [delivery] = await database.change<WebhookDelivery>(INSERT, [
      id,
      webhookId,
      eventType,
      body,
      at,
    ]);
    return delivery!;
  },
  async pages(webhookIds, window) {
    const { text, values } = pagesStatement(webhookIds, window);
    const rows = await database.scan<DeliveryRow>(text, values);
    return new Map(
      webhookIds.map((id) => {
        const ofWebhook = rows.filter(({ webhookId }) => webhookId === id);
        return [
          id,
          {
            deliveries: ofWebhook.slice(0, window.limit),
            hasNextPage: ofWebhook.length > window.limit,
          },
        ];
      }),
    );
  },
  async unknownIds(webhookId, ids) {
    const found = await database.prisma.webhookDelivery.findMany({
      where: { webhookId, id: { in: ids.filter((id) => isPrefixedId('dlv', id)) } },
      select: { id: true },
    });
    const known = new Set(found.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  },
  async addRedelivery(
    { jobId, webhookId, deliveryIds, since, requestedAt },
    { workspaceId, userId },
  ) {
    await database.transaction(async (sql) => {
      await sql(
        `INSERT INTO job (id, workspace_id, user_id, kind, created_at, traceparent) VALUES ($1, $2, $3, 'webhook', $4, $5) RETURNING ${WAKE_WORKERS}`,
        [jobId, workspaceId, userId, requestedAt, traceparent()],
      );
      await sql(
        'INSERT INTO webhook_redelivery (job_id, webhook_id, delivery_ids, since, requested_at) VALUES ($1, $2, $3::text[], $4, $5)',
        [jobId, webhookId, deliveryIds, since, requestedAt],
      );
    });
  },
});
