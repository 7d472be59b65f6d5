import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DeliveryMetric, WebhookMetrics } from '../services/webhooks/send-delivery.js';
import { DURATION_BUCKETS } from './duration-buckets.js';

const OUTCOMES = ['delivered', 'retried', 'failed'] as const satisfies readonly DeliveryMetric[];

/** Counts and times the messages that this process sends to the receivers of webhooks. */
export function createWebhookMetrics(register: Registry): WebhookMetrics {
  const attempts = new Counter({
    name: 'posts_gateway_webhook_attempts_total',
    labelNames: ['outcome'],
    registers: [register],
    help: 'Attempts of this process to deliver messages of webhooks, by outcome: delivered, retried (another attempt follows), failed.',
  });
  const durations = new Histogram({
    name: 'posts_gateway_webhook_attempt_duration_seconds',
    buckets: DURATION_BUCKETS,
    registers: [register],
    help: 'Time until receivers of webhooks responded, or until the attempt was given up.',
  });
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  return {
    deliveryEnded(outcome, seconds) {
      attempts.inc({ outcome });
      durations.observe(seconds);
    },
  };
}

/** Reports how long the first due message waits; NaN while the database is unavailable. */
export function collectOldestDelivery(
  register: Registry,
  oldestDelivery: () => Promise<number | null>,
): void {
  new Gauge({
    name: 'posts_gateway_webhook_oldest_due_seconds',
    registers: [register],
    help: 'Time since the oldest undelivered message of a webhook became due; 0 if there is none, NaN while the database is unavailable. Receivers that fail or respond slowly make it grow.',
    async collect() {
      this.set((await oldestDelivery()) ?? NaN);
    },
  });
}
