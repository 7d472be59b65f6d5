import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { createDeliveryLoop, type DeliveryLoop } from '../jobs/delivery-loop.js';
import { createWebhookSender } from '../networks/webhook-sender.js';
import type { CredentialKeys } from '../persistence/credentials/credential-keys.js';
import type { Database } from '../persistence/database.js';
import { createDeliveryLog } from '../persistence/webhooks/delivery-log.js';
import { createDeliveryQueue } from '../persistence/webhooks/delivery-queue.js';
import { createEventDispatch } from '../persistence/webhooks/event-dispatch.js';
import { createWebhookSecrets } from '../persistence/webhooks/webhook-secrets.js';
import { createWebhookStore } from '../persistence/webhooks/webhook-store.js';
import type { Clock } from '../services/clock.js';
import type { Ids } from '../services/ids.js';
import { createDeliverySender, type WebhookMetrics } from '../services/webhooks/send-delivery.js';
import type { WebhookSender } from '../services/webhooks/webhook-sender.js';
import { createWebhooks, type Webhooks } from '../services/webhooks/webhooks.js';
import type { Tracing } from '../tracing/process-tracing.js';
import { NO_TRACING } from './telemetry.js';

interface WebhookDependencies {
  readonly database: Database;
  readonly keys: CredentialKeys;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly tracing?: Tracing | undefined;
}

const composeSender = (
  { networksAllowLoopback: allowLoopback }: Config,
  { clock, tracing = NO_TRACING }: Pick<WebhookDependencies, 'clock' | 'tracing'>,
): WebhookSender =>
  tracing.webhookSender(
    createWebhookSender({ allowLoopback, clock, traceparent: () => tracing.traceparent() }),
  );

/** The use cases of webhooks. */
export const composeWebhooks = (
  config: Config,
  { database, keys, ids, clock, tracing = NO_TRACING }: WebhookDependencies,
): Webhooks =>
  createWebhooks({
    store: createWebhookStore(database, createWebhookSecrets(keys)),
    log: createDeliveryLog(database, () => tracing.traceparent()),
    sender: composeSender(config, { clock, tracing }),
    ids,
    clock,
  });

/** What sends the messages of webhooks, in every worker. */
export function composeDeliveryLoop(
  config: Config,
  {
    database,
    keys,
    ids,
    clock,
    log,
    metrics,
    tracing,
  }: WebhookDependencies & { log: Logger; metrics: WebhookMetrics | undefined },
): DeliveryLoop {
  const queue = createDeliveryQueue(database, {
    secrets: createWebhookSecrets(keys),
    ids,
  });
  return createDeliveryLoop({
    events: createEventDispatch(database),
    queue,
    send: createDeliverySender({
      queue,
      sender: composeSender(config, { clock, tracing }),
      clock,
      random: Math.random,
      now: () => performance.now(),
      logError: (message) => log.error(message),
      metrics,
    }),
    clock,
    log,
  });
}
