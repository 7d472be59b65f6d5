import { enumKeys } from '../../domain/enums.js';
import { EVENT_TYPES, type EventType } from '../../domain/events/event.js';
import { integer, oneOf, line, webUrl } from '../../domain/input/readers.js';
import { timestamp, timestampOrNull } from '../../domain/timestamp.js';
import {
  DELIVERY_STATUSES,
  WEBHOOK_LIMITS,
  WEBHOOK_STATUSES,
  type Webhook,
  type WebhookDelivery,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.js';
import { field, presentFields, schemaOf } from '../body-fields.js';
import {
  listReader,
  nullableReader,
  objectReader,
  TIME,
  type BodyReader,
} from '../../http/body-readers.js';
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
} from '../../http/json-schema.js';

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

const URL_LIMIT = { maxLength: WEBHOOK_LIMITS.urlLength } as const;
const URL: BodyReader<string> = {
  schema: withDescription('Public https URL. Redirects are not followed.', {
    ...TEXT,
    ...URL_LIMIT,
  }),
  read: webUrl(URL_LIMIT),
};

const TYPE_NAMES = enumKeys<EventType>(EVENT_TYPES);
const TYPES = listReader<EventType>(
  { schema: enumOf(TYPE_NAMES), read: oneOf(TYPE_NAMES) },
  { minItems: 1, maxItems: TYPE_NAMES.length },
);

const STATUSES = enumKeys<WebhookStatus>(WEBHOOK_STATUSES);
const STATUS: BodyReader<WebhookStatus> = {
  schema: enumOf(STATUSES),
  read: oneOf(STATUSES),
};

/** Body of a new webhook. */
export const CREATE_READER = objectReader<{ url: string; types: EventType[] }>(
  { url: URL, types: TYPES },
  ['url', 'types'],
);

interface UpdateInput {
  url?: string | null;
  types?: EventType[] | null;
  status?: WebhookStatus | null;
}
/** Body of a change: keys that are absent or null are kept. */
export const UPDATE_READER = objectReader<UpdateInput>({
  url: nullableReader(URL),
  types: nullableReader(TYPES),
  status: nullableReader(STATUS),
});

const { graceHours, redeliveredIds } = WEBHOOK_LIMITS;
const HOURS = { minimum: 0, maximum: graceHours.max } as const;
/** Body of the rotation of a secret. */
export const ROTATE_READER = objectReader<{ grace_hours?: number | null }>({
  grace_hours: nullableReader({
    schema: withDescription(
      `Hours for which messages are signed with the old secret as well. Default: ${graceHours.default}.`,
      { ...INTEGER, ...HOURS },
    ),
    read: integer(HOURS),
  }),
});

interface RedeliverInput {
  delivery_ids?: string[] | null;
  since?: Date | null;
}
/** Body of a request to send messages again. */
export const REDELIVER_READER = objectReader<RedeliverInput>({
  delivery_ids: nullableReader(
    listReader<string>(
      { schema: TEXT, read: line({ maxLength: 100 }) },
      { minItems: 1, maxItems: redeliveredIds },
    ),
  ),
  since: nullableReader(TIME),
});
