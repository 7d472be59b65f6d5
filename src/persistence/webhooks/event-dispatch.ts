import type { Database } from '../database.js';
import { DATABASE, SAFE_HORIZON } from '../events/event-store.js';
import type { Sql } from '../sql.js';
import { DATABASE_RESTORED, failPending, IS_RESTORED } from './pending-deliveries.js';
import { insertDeliveries, selectEvents, type EventRow } from './webhook-events.js';
import { PRESENT } from './webhook-store.js';

/** Writes deliveries for new events. */
export interface EventDispatch {
  /**
   * Writes the deliveries of the next events of some webhooks, in any process: each event is
   * recorded once per webhook. True if more events can be read now.
   */
  dispatch(now: Date): Promise<boolean>;
}

/** Events read in one transaction, of one webhook. */
const MAX_EVENTS = 200;
/** Webhooks served in one run. */
const MAX_WEBHOOKS = 100;

const IS_NEXT = `e.workspace_id = w.workspace_id AND (e.transaction_id, e.sequence) > (w.read_transaction, w.read_sequence)`;

/** Webhooks for which there are events that were not read, or whose position is invalid. */
const WAITING = `
SELECT w.id FROM webhook w
 WHERE w.status = 'active' AND NOT ${IS_RESTORED}
   AND (w.read_database IS DISTINCT FROM ${DATABASE}
        OR EXISTS (SELECT FROM event e WHERE ${IS_NEXT} AND e.transaction_id < ${SAFE_HORIZON}))
 LIMIT $1`;

/** Another process that serves the webhook at the moment reads its events. */
const LOCK = `
SELECT w.types, w.read_database IS NOT DISTINCT FROM ${DATABASE} AS "isPositioned"
  FROM webhook w WHERE w.id = $1 AND w.status = 'active' FOR NO KEY UPDATE SKIP LOCKED`;

const EVENTS = selectEvents(
  `SELECT e.* FROM webhook w JOIN event e ON ${IS_NEXT} AND e.transaction_id < ${SAFE_HORIZON}
    WHERE w.id = $1 ORDER BY e.transaction_id, e.sequence LIMIT ${MAX_EVENTS}`,
);

const START = `UPDATE webhook SET (read_database, read_transaction, read_sequence) = (SELECT ${PRESENT}) WHERE id = $1`;
const MOVE = 'UPDATE webhook SET read_transaction = $2, read_sequence = $3 WHERE id = $1';

/** Writes the deliveries of the next events of a webhook. True if there are more. */
async function dispatchTo(sql: Sql, webhookId: string, now: Date): Promise<boolean> {
  const [webhook] = await sql<{ types: string[]; isPositioned: boolean }>(LOCK, [webhookId]);
  if (!webhook) return false;
  if (!webhook.isPositioned) {
    await sql(START, [webhookId]);
    await failPending(sql, webhookId, DATABASE_RESTORED);
    return false;
  }
  const events = await sql<EventRow>(EVENTS, [webhookId]);
  const last = events.at(-1);
  if (!last) return false;
  const receiver = { webhookId, types: webhook.types, redeliveryId: null };
  await insertDeliveries(sql, receiver, { events, now });
  await sql(MOVE, [webhookId, last.transaction, last.sequence]);
  return events.length === MAX_EVENTS;
}

/**
 * Reads events in their order, up to the oldest running transaction, separately for each webhook.
 * The position moves in the transaction that writes the deliveries. SQL: many events in a statement.
 */
export const createEventDispatch = (database: Database): EventDispatch => ({
  async dispatch(now) {
    const waiting = await database.scan<{ id: string }>(WAITING, [MAX_WEBHOOKS]);
    let hasMore = waiting.length === MAX_WEBHOOKS;
    for (const { id } of waiting)
      if (await database.transaction((sql) => dispatchTo(sql, id, now))) hasMore = true;
    return hasMore;
  },
});
