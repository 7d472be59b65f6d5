import { DELIVERY_LEASE_MS } from '../../domain/webhooks/webhook.js';
import type {
  AttemptResult,
  ClaimedDelivery,
  DeliveryOutcome,
  DeliveryQueue,
} from '../../persistence/webhooks/delivery-queue.js';
import type { Clock } from '../clock.js';
import { retryUnavailable } from '../retry-unavailable.js';
import type { ReceiverResponse, WebhookSender } from './webhook-sender.js';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/**
 * The pauses after failed attempts that Standard Webhooks proposes: long enough for an outage over
 * a weekend.
 */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Longer Retry-After values of a receiver are capped at one day. */
const MAX_REQUESTED_PAUSE = 24 * HOUR;

/**
 * Milliseconds until the next attempt after the nth one (1 is the first), or null if it was the
 * last; not shorter than the pause that the receiver requested. `random`, from 0 to 1, adds up to
 * 20 %, so that messages that failed together are not retried together.
 */
export function deliveryRetryDelayMs(
  attempt: number,
  { requestedMs = 0, random }: { requestedMs?: number; random: number },
): number | null {
  const pause = PAUSES[attempt - 1];
  return pause === undefined
    ? null
    : Math.round(Math.max(pause, Math.min(requestedMs, MAX_REQUESTED_PAUSE)) * (1 + random / 5));
}

/** Metrics of deliveries. */
export interface WebhookMetrics {
  deliveryEnded(outcome: DeliveryMetric, seconds: number): void;
}

/** Outcomes in the metrics: `retried` if another attempt follows. */
export type DeliveryMetric = 'delivered' | 'retried' | 'failed';

interface SendDependencies {
  readonly queue: Pick<DeliveryQueue, 'settle' | 'postpone'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
  readonly logError: (message: string) => void;
  /** Absent if metrics are off. */
  readonly metrics?: WebhookMetrics | undefined;
}

const GONE = 410;
/** A receiver that needs longer to respond shares the slots of slow receivers. */
const SLOW_MS = 2_000;
/** Pause after which a message is tried again whose secret this process cannot read. */
const UNREADABLE_PAUSE_MS = 300_000;

const isSuccess = (response: ReceiverResponse): boolean =>
  response.kind === 'response' && response.status >= 200 && response.status < 300;

const toResult = (
  response: ReceiverResponse,
  { at, durationMs }: Pick<AttemptResult, 'at' | 'durationMs'>,
): AttemptResult =>
  response.kind === 'response'
    ? { at, durationMs, responseStatus: response.status, responseBody: response.body, error: null }
    : { at, durationMs, responseStatus: null, responseBody: null, error: response.reason };

/**
 * Makes one attempt at a delivery and records it (D75), as soon as the database is available. If
 * the worker stops in between, or the lease expires, the message is sent again, with the same ID.
 */
export function createDeliverySender({
  queue,
  sender,
  clock,
  random,
  now,
  logError,
  metrics,
}: SendDependencies): (delivery: ClaimedDelivery) => Promise<void> {
  function outcomeOf(
    { attempt }: ClaimedDelivery,
    response: ReceiverResponse,
    durationMs: number,
  ): DeliveryOutcome {
    if (isSuccess(response)) return { kind: 'delivered', isSlow: durationMs > SLOW_MS };
    if (response.kind === 'response' && response.status === GONE) return { kind: 'gone' };
    const requestedMs = response.kind === 'response' ? (response.retryAfterMs ?? 0) : 0;
    const delayMs = deliveryRetryDelayMs(attempt, { requestedMs, random: random() });
    return {
      kind: 'failed',
      dueAt: delayMs === null ? null : new Date(clock.now().getTime() + delayMs),
    };
  }

  return async (delivery) => {
    const { id, url, body, secrets, webhookId } = delivery;
    const at = clock.now();
    if (secrets instanceof Error) {
      logError(secrets.message);
      return queue.postpone(delivery, new Date(at.getTime() + UNREADABLE_PAUSE_MS));
    }
    const startedAt = now();
    const response = await sender.send({ id, url, body, secrets });
    const durationMs = Math.round(now() - startedAt);
    const outcome = outcomeOf(delivery, response, durationMs);
    const result = toResult(response, { at, durationMs });
    const isDisabled = await retryUnavailable(
      () => queue.settle(delivery, result, outcome),
      DELIVERY_LEASE_MS - durationMs,
    );
    if (isDisabled) logError(`Disabled the webhook ${webhookId}: its receiver has failed`);
    const isRetried = outcome.kind === 'failed' && outcome.dueAt !== null && !isDisabled;
    metrics?.deliveryEnded(
      outcome.kind === 'delivered' ? 'delivered' : isRetried ? 'retried' : 'failed',
      durationMs / 1000,
    );
  };
}
