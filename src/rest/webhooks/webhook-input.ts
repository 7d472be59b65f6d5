import { oneOf } from '../../domain/changes/patch-enums.js';
import { enumKeys } from '../../domain/enums.js';
import { EVENT_TYPES, type EventType } from '../../domain/events/event-types.js';
import { integer } from '../../domain/input/readers.js';
import { line, webUrl } from '../../domain/input/text-readers.js';
import {
  WEBHOOK_LIMITS,
  WEBHOOK_STATUSES,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.js';
import { enumOf, INTEGER, TEXT, withDescription } from '../bodies/json-schema.js';
import { TIME } from '../creation/creation-body.js';
import {
  listReader,
  nullableReader,
  objectReader,
  type BodyReader,
} from '../requests/body-object-reader.js';

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
