import {
  DELIVERY_FAILURES,
  deliveryRetryDelayMs,
  type DeliveryFailureCode,
} from '../../domain/jobs/notification-delivery.js';
import type { JobHandler, JobOutcome, NotificationStore, Webhook } from './job-ports.js';

export interface DeliveryDependencies {
  readonly notifications: NotificationStore;
  /** Null if none is configured. */
  readonly webhook: Webhook | null;
  /** A random number from 0 to 1. */
  readonly random: () => number;
}

const COMPLETED: JobOutcome = { kind: 'completed', failures: [] };

/**
 * Delivers a notification to the webhook, with the same ID in every attempt, because a worker may
 * stop before it records a delivery. DELIVERY_FAILURES defines which failures are retried.
 */
export const createNotificationDelivery =
  ({ notifications, webhook, random }: DeliveryDependencies): JobHandler =>
  async ({ notificationId, subjectId, attempt }) => {
    const failed = (code: DeliveryFailureCode, message: string): JobOutcome => ({
      kind: 'failed',
      failures: [{ id: subjectId, code, message }],
    });
    const notification =
      notificationId === null ? null : await notifications.findMessage(notificationId);
    if (!notification) return COMPLETED;
    if (!webhook) return failed('WEBHOOK_NOT_SET', DELIVERY_FAILURES.WEBHOOK_NOT_SET.description);
    const result = await webhook.deliver(notification);
    if (result.kind === 'delivered') return COMPLETED;
    const { code, message, retryAfterMs: requestedMs = 0 } = result;
    const delayMs = DELIVERY_FAILURES[code].retried
      ? deliveryRetryDelayMs(attempt, { requestedMs, random: random() })
      : null;
    return delayMs === null ? failed(code, message) : { kind: 'retried', inMs: delayMs };
  };
