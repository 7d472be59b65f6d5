import type { Database } from '../database.js';
import type { Sql } from '../sql.js';
import { lockWebhook } from './pending-deliveries.js';
import { HIDES_POST, insertDeliveries, selectEvents, type EventRow } from './webhook-events.js';

/** A position in the events that a redelivery reads. */
export interface MissedPosition {
  readonly transaction: string;
  readonly sequence: string;
}

/** Queues messages for a job of kind `webhook`, in batches. */
export interface RedeliveryQueue {
  /**
   * Writes deliveries for the next events that have none, because the webhook was disabled or did
   * not have their type. Returns where to go on; null at the end.
   */
  addMissed(jobId: string, now: Date, after: MissedPosition): Promise<MissedPosition | null>;
  /** Queues the next deliveries again, each once per job. True if there may be more. */
  requeue(jobId: string, now: Date): Promise<boolean>;
}

/** Events or deliveries queued in one transaction. */
const BATCH = 500;

interface RedeliveryRow {
  readonly webhookId: string;
  readonly types: string[];
  readonly isSince: boolean;
}

const REDELIVERY = `
SELECT r.webhook_id AS "webhookId", w.types, r.since IS NOT NULL AS "isSince"
  FROM webhook_redelivery r JOIN webhook w ON w.id = r.webhook_id WHERE r.job_id = $1 AND w.status = 'active'`;

/** Events in the time of the redelivery that all members may know of, without a delivery. */
const MISSED = selectEvents(`
SELECT e.* FROM webhook_redelivery r JOIN webhook w ON w.id = r.webhook_id
  JOIN event e ON e.workspace_id = w.workspace_id AND e.at >= r.since AND e.at <= r.requested_at AND (e.transaction_id, e.sequence) <= (w.read_transaction, w.read_sequence)
 WHERE r.job_id = $1 AND (e.visible_to IS NULL AND e.type = ANY(w.types) OR ${HIDES_POST} AND 'post.deleted' = ANY(w.types)) AND (e.transaction_id, e.sequence) > ($2::bigint, $3::bigint)
   AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.sequence = e.sequence)
 ORDER BY e.transaction_id, e.sequence LIMIT ${BATCH}`);

/** Deliveries of the redelivery that were not queued for it. Those being sent now are left. */
const REQUEUE = `
UPDATE webhook_delivery SET status = 'pending', attempts = 0, due_at = $2, leased_until = NULL, redelivery_id = $1
 WHERE id = ANY(ARRAY(
   SELECT d.id FROM webhook_redelivery r JOIN webhook_delivery d ON d.webhook_id = r.webhook_id
    WHERE r.job_id = $1 AND (d.id = ANY(r.delivery_ids) OR (d.event_at >= r.since AND d.created_at <= r.requested_at))
      AND d.redelivery_id IS DISTINCT FROM $1 AND (d.leased_until IS NULL OR d.leased_until <= now())
    LIMIT ${BATCH}))
RETURNING 1`;

/** Messages that are sent again, in PostgreSQL. SQL: many events and deliveries in a statement. */
export function createRedeliveryQueue(database: Database): RedeliveryQueue {
  const find = async (sql: Sql, jobId: string): Promise<RedeliveryRow | null> =>
    (await sql<RedeliveryRow>(REDELIVERY, [jobId]))[0] ?? null;
  return {
    addMissed: (jobId, now, { transaction, sequence }) =>
      database.transaction(async (sql) => {
        const redelivery = await find(sql, jobId);
        if (!redelivery?.isSince) return null;
        const events = await sql<EventRow>(MISSED, [jobId, transaction, sequence]);
        const { webhookId, types } = redelivery;
        await insertDeliveries(sql, { webhookId, types, redeliveryId: jobId }, { events, now });
        return events.length === BATCH ? events.at(-1)! : null;
      }),
    requeue: (jobId, now) =>
      database.transaction(async (sql) => {
        const redelivery = await find(sql, jobId);
        if (!redelivery || !(await lockWebhook(sql, redelivery.webhookId))) return false;
        return (await sql(REQUEUE, [jobId, now])).length === BATCH;
      }),
  };
}
