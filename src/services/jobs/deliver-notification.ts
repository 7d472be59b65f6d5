import {
  DELIVERY_FAILURES,
  deliveryPause,
  type DeliveryFailureCode,
} from '../../domain/jobs/deliveries.js';
import type { JobEnding, JobHandler } from './job-ports.js';
import type { NotificationStore, Webhook } from './notification-ports.js';

export interface DeliveryParts {
  readonly notifications: NotificationStore;
  /** Null where none is set. */
  readonly webhook: Webhook | null;
  /** A number from 0 to 1 that nobody can foresee. */
  readonly chance: () => number;
}

const COMPLETED: JobEnding = { kind: 'completed', failures: [] };

/**
 * Delivers a notification to the webhook: with the same id at every attempt, for a worker may be gone before it can tell
 * that it was taken. What the receiver does not take now is offered again; what it refuses is not (DELIVERY_FAILURES).
 */
export const createDeliveries =
  ({ notifications, webhook, chance }: DeliveryParts): JobHandler =>
  async ({ notificationId, about, attempt }) => {
    const failed = (code: DeliveryFailureCode, message: string): JobEnding => ({
      kind: 'failed',
      failures: [{ id: about, code, message }],
    });
    const note = notificationId === null ? null : await notifications.note(notificationId);
    if (!note) return COMPLETED;
    if (!webhook) return failed('WEBHOOK_NOT_SET', DELIVERY_FAILURES.WEBHOOK_NOT_SET.meaning);
    const result = await webhook.deliver(note);
    if (result.kind === 'delivered') return COMPLETED;
    const { code, message, retryAfterMs: askedMs = 0 } = result;
    const pause = DELIVERY_FAILURES[code].retried
      ? deliveryPause(attempt, { askedMs, chance: chance() })
      : null;
    return pause === null ? failed(code, message) : { kind: 'again', inMs: pause };
  };
