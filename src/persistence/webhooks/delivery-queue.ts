import type { IdPrefix } from '../../domain/posts/post.js';
import { EMPTY_CHANGE } from '../../domain/changes/change.js';
import { SERVICE } from '../../domain/access/viewer.js';
import type { EventType } from '../../domain/events/event.js';
import { DELIVERY_LEASE_MS, FAILING_LIMIT_MS } from '../../domain/webhooks/webhook.js';
import type { Database } from '../database.js';
import { notificationStatements } from '../changes/change-records.js';
import { runEach, type Sql } from '../sql.js';
import { failPending, IS_RESTORED, lockWebhook, WEBHOOK_DISABLED } from './pending-deliveries.js';
import type { WebhookSecrets } from './webhook-secrets.js';

/** A delivery that this process has leased. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: EventType;
  /** Whether the receiver is failing or slow: such receivers have slots of their own. */
  readonly isSlow: boolean;
  /** 1 for the first since the message was last queued. */
  readonly attempt: number;
  readonly url: string;
  readonly body: string;
  /**
   * The current secret, and the previous one during a rotation; an error if they are unreadable.
   */
  readonly secrets: readonly string[] | Error;
}

/** Result of an attempt at a delivery. */
export interface AttemptResult {
  readonly at: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  /** Why there was no response. */
  readonly error: string | null;
}

/** What follows an attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly isSlow: boolean }
  /** The receiver failed; the next attempt is made at `dueAt`, or none if null. */
  | { readonly kind: 'failed'; readonly dueAt: Date | null }
  /** The receiver wants no messages any more. */
  | { readonly kind: 'gone' };

/** Free slots for receivers that respond quickly, and for slow or failing ones. */
export interface FreeSlots {
  readonly fast: number;
  readonly slow: number;
}

/** The deliveries that are due, in all processes. */
export interface DeliveryQueue {
  /** Leases due deliveries. A webhook gets only a few slots over all processes. */
  claim(now: Date, free: FreeSlots): Promise<readonly ClaimedDelivery[]>;
  /**
   * Records an attempt, unless the lease was lost, and disables a webhook whose receiver is gone or
   * has failed for too long, which notifies the owners of the workspace. True if it was disabled.
   */
  settle(
    delivery: ClaimedDelivery,
    result: AttemptResult,
    outcome: DeliveryOutcome,
  ): Promise<boolean>;
  /** Ends the lease without an attempt. */
  postpone(delivery: ClaimedDelivery, until: Date): Promise<void>;
}

/** Messages sent to one receiver at the same time, over all processes. */
const MAX_PER_WEBHOOK = { fast: 4, slow: 1 } as const;

/** One claim at a time over all processes: two would both count the same free slots. */
const ONE_CLAIM = "SELECT pg_advisory_xact_lock(hashtextextended('webhook claims', 0))";

/**
 * Leases due messages, of every webhook in turn. Slow and failing receivers have slots of their
 * own, so that they never delay the others.
 */
const CLAIM = `
WITH receiver AS MATERIALIZED (
  SELECT w.id, w.is_slow OR w.failing_since IS NOT NULL AS is_slow FROM webhook w WHERE w.status = 'active' AND NOT ${IS_RESTORED}
),
open AS MATERIALIZED (
  SELECT r.*, GREATEST(0, CASE WHEN r.is_slow THEN ${MAX_PER_WEBHOOK.slow} ELSE ${MAX_PER_WEBHOOK.fast} END
         - (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_id = r.id AND d.leased_until > now())) AS free
    FROM receiver r
),
due AS MATERIALIZED (
  SELECT d.id, o.is_slow, d.due_at, row_number() OVER (PARTITION BY o.id ORDER BY d.due_at, d.id) AS nth
    FROM open o, LATERAL (
      SELECT d.id, d.due_at FROM webhook_delivery d
       WHERE d.webhook_id = o.id AND d.status = 'pending' AND d.due_at <= $1 AND (d.leased_until IS NULL OR d.leased_until <= now())
       ORDER BY d.due_at LIMIT o.free FOR NO KEY UPDATE SKIP LOCKED
    ) d
),
chosen AS (
  (SELECT * FROM due WHERE NOT is_slow ORDER BY nth, due_at LIMIT $2) UNION ALL (SELECT * FROM due WHERE is_slow ORDER BY nth, due_at LIMIT $3)
)
UPDATE webhook_delivery d SET attempts = d.attempts + 1, leased_until = now() + interval '${DELIVERY_LEASE_MS} milliseconds'
  FROM chosen c, webhook w WHERE d.id = c.id AND w.id = d.webhook_id
RETURNING d.id, d.webhook_id AS "webhookId", d.event_type AS "eventType", c.is_slow AS "isSlow", d.attempts AS attempt, d.body, w.url, w.sealed_secret AS sealed,
          CASE WHEN w.previous_until > $1 THEN w.previous_secret END AS previous`;

interface ClaimRow {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: EventType;
  readonly isSlow: boolean;
  readonly attempt: number;
  readonly body: string;
  readonly url: string;
  readonly sealed: Buffer;
  readonly previous: Buffer | null;
}

const IS_LEASE_HELD = 'id = $1 AND attempts = $2 AND leased_until IS NOT NULL';

const SETTLE = `
UPDATE webhook_delivery SET status = $3::delivery_status, due_at = COALESCE($4, due_at), leased_until = NULL,
       last_attempt_at = $5, duration_ms = $6, response_status = $7, response_body = $8, error = $9
 WHERE ${IS_LEASE_HELD} RETURNING 1`;

const POSTPONE = `UPDATE webhook_delivery SET attempts = attempts - 1, leased_until = NULL, due_at = $3 WHERE ${IS_LEASE_HELD}`;

const DISABLE = `
UPDATE webhook SET status = 'disabled' WHERE id = $1 AND status = 'active' AND ($2 OR failing_since <= $3)
RETURNING workspace_id AS "workspaceId", url`;

interface DisabledWebhook {
  readonly workspaceId: string;
  readonly url: string;
}

interface QueueDependencies {
  readonly secrets: WebhookSecrets;
  readonly ids: { prefixed(prefix: IdPrefix): string };
}

/** The deliveries in PostgreSQL. SQL: a queue, whose workers lock webhooks and skip locked messages. */
export function createDeliveryQueue(
  database: Database,
  { secrets, ids }: QueueDependencies,
): DeliveryQueue {
  async function notifyOwners(
    sql: Sql,
    { workspaceId, url }: DisabledWebhook,
    { at, reason }: { at: Date; reason: string },
  ): Promise<void> {
    const owners = await sql<{ userId: string }>(
      'SELECT user_id AS "userId" FROM membership WHERE workspace_id = $1 AND role = \'owner\'',
      [workspaceId],
    );
    const notifications = owners.map(({ userId }) => ({
      id: ids.prefixed('ntf'),
      userId,
      kind: 'webhook_disabled',
      message: `The webhook to ${new URL(url).host} was disabled: ${reason}`,
      postId: null,
    }));
    const change = { ...EMPTY_CHANGE, workspaceId, actor: SERVICE, at, posts: [], notifications };
    await runEach(sql, notificationStatements(change));
  }

  /** Disables the webhook if its receiver is gone or has failed for too long. */
  async function disable(
    sql: Sql,
    webhookId: string,
    { isGone, at }: { isGone: boolean; at: Date },
  ): Promise<boolean> {
    const limit = new Date(at.getTime() - FAILING_LIMIT_MS);
    const [disabled] = await sql<DisabledWebhook>(DISABLE, [webhookId, isGone, limit]);
    if (!disabled) return false;
    await failPending(sql, webhookId, WEBHOOK_DISABLED);
    const reason = isGone
      ? 'its receiver responded with 410.'
      : 'its receiver has failed for three days.';
    await notifyOwners(sql, disabled, { at, reason });
    return true;
  }

  async function recordReceiver(
    sql: Sql,
    webhookId: string,
    { outcome, at }: { outcome: DeliveryOutcome; at: Date },
  ): Promise<boolean> {
    if (outcome.kind === 'delivered') {
      await sql(
        'UPDATE webhook SET failing_since = NULL, is_slow = $2 WHERE id = $1 AND (failing_since IS NOT NULL OR is_slow <> $2)',
        [webhookId, outcome.isSlow],
      );
      return false;
    }
    await sql('UPDATE webhook SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL', [
      webhookId,
      at,
    ]);
    return disable(sql, webhookId, { isGone: outcome.kind === 'gone', at });
  }

  return {
    async claim(now, { fast, slow }) {
      const rows = await database.transaction(async (sql) => {
        await sql(ONE_CLAIM);
        return sql<ClaimRow>(CLAIM, [now, fast, slow]);
      });
      return Promise.all(
        rows.map(async ({ sealed, previous, ...row }) => ({
          ...row,
          secrets: await secrets.open(row.webhookId, previous ? [sealed, previous] : [sealed]),
        })),
      );
    },
    settle: ({ id, webhookId, attempt }, result, outcome) =>
      database.transaction(async (sql) => {
        if (!(await lockWebhook(sql, webhookId))) return false;
        const settled = await sql(SETTLE, [id, attempt, ...settlement(result, outcome)]);
        if (settled.length === 0) return false;
        return recordReceiver(sql, webhookId, { outcome, at: result.at });
      }),
    async postpone({ id, attempt }, until) {
      await database.change(POSTPONE, [id, attempt, until]);
    },
  };
}

/** The values of `SETTLE` from $3 on. */
function settlement(
  { at, durationMs, responseStatus, responseBody, error }: AttemptResult,
  outcome: DeliveryOutcome,
): unknown[] {
  const dueAt = outcome.kind === 'failed' ? outcome.dueAt : null;
  const ended = outcome.kind === 'delivered' ? 'delivered' : 'failed';
  return [
    dueAt === null ? ended : 'pending',
    dueAt,
    at,
    durationMs,
    responseStatus,
    responseBody,
    error,
  ];
}
