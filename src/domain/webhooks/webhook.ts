import type { VocabularyEntry } from '../enums.js';
import type { EventType } from '../events/event.js';

/** Whether a webhook receives events (D75). */
export const WEBHOOK_STATUSES = {
  active: { description: 'Events are sent to the receiver.', source: 'D75' },
  disabled: {
    description:
      'Nothing is sent. The gateway disables a webhook if its receiver responds with 410, or has failed for three days.',
    source: 'D75',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type WebhookStatus = keyof typeof WEBHOOK_STATUSES;

/** What became of a message of a webhook (D75). */
export const DELIVERY_STATUSES = {
  pending: { description: 'Waiting for its next attempt, or being sent.', source: 'D75' },
  delivered: {
    description: 'The receiver responded with a status from 200 to 299.',
    source: 'D75',
  },
  failed: {
    description: 'Not delivered. The gateway makes no further attempt unless it is requested.',
    source: 'D75',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type DeliveryStatus = keyof typeof DELIVERY_STATUSES;

/** A receiver of the events of a workspace. Its secret is never read by the APIs. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly status: WebhookStatus;
  readonly createdAt: Date;
}

/** One message to one receiver, and the result of its last attempt. */
export interface WebhookDelivery {
  readonly id: string;
  readonly eventType: EventType;
  /** Null for tests. */
  readonly eventId: string | null;
  readonly status: DeliveryStatus;
  /** Attempts since the message was last queued. */
  readonly attempts: number;
  /** Null if there was no response. */
  readonly responseStatus: number | null;
  /** The beginning of the response. */
  readonly responseBody: string | null;
  /** Why there was no response, or no further attempt. */
  readonly error: string | null;
  /** Milliseconds. */
  readonly durationMs: number | null;
  readonly lastAttemptAt: Date | null;
  /** Null unless the delivery is pending. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

/** What changes about a webhook. Absent fields keep their values. */
export interface WebhookChange {
  readonly url?: string;
  readonly types?: readonly EventType[];
  readonly status?: WebhookStatus;
}

/** Position in the deliveries of a webhook, which are ordered by time, newest first. */
export interface DeliveryPosition {
  readonly at: Date;
  readonly id: string;
}

/** A part of the deliveries of a webhook. */
export interface DeliveryWindow {
  readonly limit: number;
  /** Deliveries after this one, which are older. */
  readonly after?: DeliveryPosition;
  /** Deliveries to leave out. */
  readonly offset?: number;
}

/** The deliveries in a window. */
export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly hasNextPage: boolean;
}

/** Limits of webhooks (D75). */
export const WEBHOOK_LIMITS = {
  /** Webhooks of a workspace. */
  perWorkspace: 10,
  /** Characters of a URL. */
  urlLength: 2_048,
  /** Hours for which the secret before a rotation stays valid. */
  graceHours: { default: 24, max: 168 },
  /** Bytes of a response that the log keeps. */
  responseBytes: 1_024,
  /** Deliveries of one request to send messages again. */
  redeliveredIds: 100,
  /** Days for which the log keeps deliveries. */
  logDays: 30,
} as const;

const DAY_MS = 86_400_000;

/** How long a process has a delivery: longer than any attempt (networks/webhook-sender.ts). */
export const DELIVERY_LEASE_MS = 30_000;
/** A receiver that has failed for this long, without any success, is disabled. */
export const FAILING_LIMIT_MS = 3 * DAY_MS;

/** What is to be sent again, as a client asks for it. */
interface RedeliverySelection {
  readonly deliveryIds: readonly string[] | null;
  readonly since: Date | null;
}

/** The problem of a selection, which has either delivery IDs or a time; null if it is valid. */
export function redeliveryProblem({ deliveryIds, since }: RedeliverySelection): {
  readonly field: keyof RedeliverySelection;
  readonly message: string;
} | null {
  const { redeliveredIds: max } = WEBHOOK_LIMITS;
  if ((deliveryIds === null) === (since === null))
    return { field: 'since', message: 'must be sent if there are no delivery IDs, and only then' };
  return deliveryIds && (deliveryIds.length < 1 || deliveryIds.length > max)
    ? { field: 'deliveryIds', message: `must have 1 to ${max} IDs` }
    : null;
}

/** Whether the log has all deliveries since this time. */
export function isInLog(since: Date, now: Date): boolean {
  const ageMs = now.getTime() - since.getTime();
  return ageMs >= 0 && ageMs <= WEBHOOK_LIMITS.logDays * DAY_MS;
}
