import type { EventType } from '../../domain/events/event.js';
import type { ApiKind } from '../../domain/access/viewer.js';
import {
  STATE_FILTERS,
  storedStateByNumber,
  storedStateNumbers,
} from '../../domain/posts/states.js';
import { toWebhookMessage } from '../../domain/webhooks/webhook-message.js';
import { EVENT_ID } from '../events/event-store.js';
import type { Sql } from '../sql.js';

/** An event with what its message says about the post. */
export interface EventRow {
  readonly transaction: string;
  readonly sequence: string;
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  readonly workspaceId: string;
  readonly documentId: string | null;
  readonly accountId: string | null;
  readonly recordId: string | null;
  readonly version: number | null;
  readonly userId: string | null;
  readonly api: ApiKind;
  readonly stateBefore: number | null;
  readonly stateAfter: number | null;
  readonly visibleTo: string | null;
  readonly storedState: number | null;
  readonly network: string | null;
  readonly link: string | null;
  readonly errorCode: string | null;
  readonly notificationKind: string | null;
}

/** The events of a query on `event e`, in their order. */
export const selectEvents = (events: string): string => `
SELECT e.transaction_id::text AS transaction, e.sequence::text AS sequence, ${EVENT_ID} AS id, e.type, e.at, e.workspace_id AS "workspaceId",
       e.doc_id AS "documentId", e.account_id AS "accountId", e.record_id AS "recordId", e.version, e.user_id AS "userId", e.api,
       e.state_before AS "stateBefore", e.state_after AS "stateAfter", e.visible_to AS "visibleTo",
       p.stored_state AS "storedState", p.network::text AS network, p.post_link AS link, u.error->>'code' AS "errorCode", n.kind AS "notificationKind"
  FROM (${events}) e LEFT JOIN post p ON p.id = e.post_id LEFT JOIN publication u ON u.post_id = p.id
       LEFT JOIN notification n ON e.type = 'notification.created' AND n.id = e.record_id
 ORDER BY e.transaction_id, e.sequence`;

const toState = (number: number | null) =>
  number === null ? null : storedStateByNumber.get(number)!;

const PRIVATE_DRAFTS = storedStateNumbers(STATE_FILTERS.draft_private.storedStates);
/** Condition on `event e`: the post became a private draft, which members could see before. */
export const HIDES_POST = `(e.type LIKE 'post.%' AND e.visible_to IS NOT NULL AND e.state_before NOT IN (${PRIVATE_DRAFTS.join(', ')}))`;
/** The same for a row. */
const hidesPost = ({ type, visibleTo, stateBefore }: EventRow): boolean =>
  type.startsWith('post.') &&
  visibleTo !== null &&
  stateBefore !== null &&
  !PRIVATE_DRAFTS.includes(stateBefore);

/** The event as members know it: a post that became a private draft is deleted for them (D74). */
const asMembersSee = (event: EventRow): EventRow =>
  hidesPost(event)
    ? { ...event, type: 'post.deleted', stateAfter: null, visibleTo: null, storedState: null }
    : event;

/**
 * The message about an event that all members may know of, or about a notification; null about any
 * other.
 */
function messageOf({ stateBefore, stateAfter, storedState, ...event }: EventRow): string | null {
  const { type, visibleTo, network, link, errorCode, notificationKind: kind } = event;
  if (visibleTo !== null && type !== 'notification.created') return null;
  return toWebhookMessage({
    ...event,
    before: toState(stateBefore),
    after: toState(stateAfter),
    post:
      storedState === null
        ? null
        : { storedState: toState(storedState)!, network, link, errorCode },
    notification: kind === null ? null : { kind, recipientId: visibleTo! },
  });
}

const INSERT = `
INSERT INTO webhook_delivery (id, webhook_id, sequence, event_id, event_type, event_at, body, due_at, created_at, redelivery_id)
SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), $1, m.sequence, m.id, m.type, m.at, m.body, $2::timestamptz, $2::timestamptz, $3::text
  FROM jsonb_to_recordset($4::jsonb) AS m(sequence bigint, id text, type text, at timestamptz, body text)
    ON CONFLICT (webhook_id, sequence) DO NOTHING`;

interface Receiver {
  readonly webhookId: string;
  readonly types: readonly string[];
  /** The job that sends missed messages; null for new events. */
  readonly redeliveryId: string | null;
}

/** Writes the deliveries of the events that the webhook receives, once per event. */
export async function insertDeliveries(
  sql: Sql,
  { webhookId, types, redeliveryId }: Receiver,
  { events, now }: { events: readonly EventRow[]; now: Date },
): Promise<void> {
  const messages = events
    .map(asMembersSee)
    .filter(({ type }) => types.includes(type))
    .map((event) => ({ ...event, body: messageOf(event) }))
    .filter(({ body }) => body !== null)
    .map(({ sequence, id, type, at, body }) => ({ sequence, id, type, at, body }));
  if (messages.length > 0)
    await sql(INSERT, [webhookId, now, redeliveryId, JSON.stringify(messages)]);
}
