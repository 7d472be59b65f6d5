import { enumKeys } from '../../domain/enums.js';
import { EVENT_TYPES } from '../../domain/events/event-types.js';
import { timestamp, timestampOrNull } from '../../domain/timestamp.js';
import {
  DELIVERY_STATUSES,
  WEBHOOK_STATUSES,
  type Webhook,
  type WebhookDelivery,
} from '../../domain/webhooks/webhook.js';
import { field, presentFields, schemaOf } from '../bodies/body-fields.js';
import {
  arrayOf,
  enumOf,
  INTEGER,
  nullable,
  objectOf,
  ref,
  TEXT,
  TIMESTAMP,
  withDescription,
  type JsonSchema,
} from '../bodies/json-schema.js';

const TYPE = enumOf(enumKeys(EVENT_TYPES));

const WEBHOOK = {
  id: field<Webhook>(TEXT, ({ id }) => id),
  url: field<Webhook>(TEXT, ({ url }) => url),
  types: field<Webhook>(arrayOf(TYPE), ({ types }) => types),
  status: field<Webhook>(enumOf(enumKeys(WEBHOOK_STATUSES)), ({ status }) => status),
  created_at: field<Webhook>(TIMESTAMP, ({ createdAt }) => timestamp(createdAt)),
};

const SECRET = withDescription(
  'Secret that signs messages: `whsec_` and base64. It is shown only here.',
  TEXT,
);

const DELIVERY = {
  id: field<WebhookDelivery>(
    withDescription('The message has it as `webhook-id`.', TEXT),
    ({ id }) => id,
  ),
  event_type: field<WebhookDelivery>(TYPE, ({ eventType }) => eventType),
  event_id: field<WebhookDelivery>(
    withDescription('Null for a test.', nullable(TEXT)),
    ({ eventId }) => eventId,
  ),
  status: field<WebhookDelivery>(enumOf(enumKeys(DELIVERY_STATUSES)), ({ status }) => status),
  attempts: field<WebhookDelivery>(
    withDescription('Attempts since the message was last queued.', INTEGER),
    ({ attempts }) => attempts,
  ),
  response_status: field<WebhookDelivery>(
    nullable(INTEGER),
    ({ responseStatus }) => responseStatus,
  ),
  response_body: field<WebhookDelivery>(
    withDescription('First 1,024 bytes of the last response.', nullable(TEXT)),
    ({ responseBody }) => responseBody,
  ),
  error: field<WebhookDelivery>(
    withDescription('Reason why there was no response, or no further attempt.', nullable(TEXT)),
    ({ error }) => error,
  ),
  duration_ms: field<WebhookDelivery>(nullable(INTEGER), ({ durationMs }) => durationMs),
  last_attempt_at: field<WebhookDelivery>(nullable(TIMESTAMP), ({ lastAttemptAt }) =>
    timestampOrNull(lastAttemptAt),
  ),
  next_attempt_at: field<WebhookDelivery>(nullable(TIMESTAMP), ({ nextAttemptAt }) =>
    timestampOrNull(nextAttemptAt),
  ),
};

/** Presents a webhook. */
export const presentWebhook = (webhook: Webhook): Record<string, unknown> =>
  presentFields(WEBHOOK, webhook);

/** Presents a webhook with its secret. */
export const presentSecret = (webhook: Webhook, secret: string): Record<string, unknown> => ({
  ...presentWebhook(webhook),
  secret,
});

/** Presents a delivery. */
export const presentDelivery = (delivery: WebhookDelivery): Record<string, unknown> =>
  presentFields(DELIVERY, delivery);

/** Schemas of webhooks by component name. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Webhook: schemaOf(WEBHOOK),
  WebhookWithSecret: objectOf({
    ...Object.fromEntries(Object.entries(WEBHOOK).map(([name, { schema }]) => [name, schema])),
    secret: SECRET,
  }),
  WebhookList: objectOf({ webhooks: arrayOf(ref('Webhook')) }),
  DeletedWebhook: objectOf({ deleted_id: TEXT }),
  WebhookDelivery: schemaOf(DELIVERY),
  WebhookDeliveryList: objectOf({ deliveries: arrayOf(ref('WebhookDelivery')) }),
  RedeliveryJob: objectOf({
    job_id: withDescription('Job that queues the messages.', TEXT),
  }),
};
