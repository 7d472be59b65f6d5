import { enumKeys } from '../domain/enums.js';
import { oneOf } from '../domain/input/readers.js';
import { CALENDAR_FEED_LIMITS, type CalendarFeed } from '../domain/posts/calendar-feed.js';
import { STATE_FILTERS, type StateFilter } from '../domain/posts/states.js';
import { timestamp } from '../domain/timestamp.js';
import { listReader, nullableReader, objectReader, RECORD_ID } from '../http/body-readers.js';
import {
  arrayOf,
  BOOLEAN,
  enumOf,
  objectOf,
  TEXT,
  TIMESTAMP,
  withDescription,
  type JsonSchema,
} from '../http/json-schema.js';
import { toFeedOwner } from '../services/posts/calendar-feeds.js';
import { field, presentFields, schemaOf } from './body-fields.js';
import { presentRefusals } from './errors.js';
import { assertNoParams, inWorkspace, readBodyOnly, type Route } from './route.js';

const STATES = enumKeys<StateFilter>(STATE_FILTERS);

const FEED = {
  id: field(TEXT, ({ id }: CalendarFeed) => id),
  account_ids: field(
    withDescription('Only posts of these accounts. Empty for all.', arrayOf(TEXT)),
    ({ accountIds }: CalendarFeed) => accountIds,
  ),
  states: field(
    withDescription(
      'Only posts in any of these states or groups of states. Empty for all.',
      arrayOf(enumOf(STATES)),
    ),
    ({ states }: CalendarFeed) => states,
  ),
  created_at: field(TIMESTAMP, ({ createdAt }: CalendarFeed) => timestamp(createdAt)),
  revoked: field(BOOLEAN, ({ revoked }: CalendarFeed) => revoked),
};
/** Presents a feed without its secret. */
export const presentCalendarFeed = (feed: CalendarFeed): Record<string, unknown> =>
  presentFields(FEED, feed);

interface CreatedCalendarFeed {
  readonly feed: CalendarFeed;
  readonly url: string;
}
const CREATED_FEED = {
  feed: field(schemaOf(FEED), ({ feed }: CreatedCalendarFeed) => presentCalendarFeed(feed)),
  url: field(
    withDescription(
      'Address for the calendar program. Anyone who knows it can read the feed. It is only returned here.',
      TEXT,
    ),
    ({ url }: CreatedCalendarFeed) => url,
  ),
};
/** Presents a new feed with its secret. */
export const presentCreatedCalendarFeed = (created: CreatedCalendarFeed): Record<string, unknown> =>
  presentFields(CREATED_FEED, created);

/** Body of the creation of a feed. */
const FEED_READER = objectReader<{
  account_ids?: string[] | null;
  states?: StateFilter[] | null;
}>(
  {
    account_ids: nullableReader(listReader(RECORD_ID, { maxItems: CALENDAR_FEED_LIMITS.accounts })),
    states: nullableReader(
      listReader({ schema: enumOf(STATES), read: oneOf(STATES) }, { maxItems: STATES.length }),
    ),
  },
  [],
);

/** Schemas of calendar feeds by component name. */
export const CALENDAR_FEED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  CalendarFeed: schemaOf(FEED),
  CalendarFeedList: objectOf({ feeds: arrayOf(schemaOf(FEED)) }),
  CreateCalendarFeed: FEED_READER.schema,
  CreatedCalendarFeed: schemaOf(CREATED_FEED),
};

const COMMON = { tag: 'Calendar feeds', scopes: [['posts:read']] } as const;

/** Routes of calendar feeds (D96). */
export const CALENDAR_FEED_ROUTES: readonly Route[] = [
  inWorkspace(
    {
      ...COMMON,
      method: 'GET',
      path: '/v1/calendar-feeds',
      operationId: 'listCalendarFeeds',
      summary: 'List calendar feeds',
      description: 'Your feeds of the workspace that can be used, newest first.',
      responseSchema: 'CalendarFeedList',
    },
    async (viewer, request, { services }) => {
      assertNoParams(request);
      const feeds = await services.calendarFeeds.list(toFeedOwner(viewer));
      return { status: 200, body: { feeds: feeds.map(presentCalendarFeed) } };
    },
  ),
  inWorkspace(
    {
      ...COMMON,
      method: 'POST',
      path: '/v1/calendar-feeds',
      operationId: 'createCalendarFeed',
      summary: 'Create calendar feed',
      description:
        'Creates an address from which a calendar program reads the posts that you see: those of 30 past days and of 180 days ahead, at most 2,000. It ends with your membership, and when the key that created it is revoked.',
      requestSchema: 'CreateCalendarFeed',
      responseSchema: 'CreatedCalendarFeed',
      errorCodes: ['RULE_VIOLATION', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    },
    async (viewer, request, { services, fieldMapping }) => {
      const { account_ids: accountIds, states } = readBodyOnly(FEED_READER, request);
      const outcome = await services.calendarFeeds.create(toFeedOwner(viewer), {
        accountIds: accountIds ?? [],
        states: states ?? [],
      });
      return outcome.kind === 'refused'
        ? presentRefusals(outcome.refusals, fieldMapping.toV1Message)
        : { status: 200, body: presentCreatedCalendarFeed(outcome) };
    },
  ),
  inWorkspace(
    {
      ...COMMON,
      method: 'DELETE',
      path: '/v1/calendar-feeds/{feed_id}',
      operationId: 'revokeCalendarFeed',
      summary: 'Revoke calendar feed',
      description: 'From now on, the address of one of your feeds leads to nothing.',
      responseSchema: 'CalendarFeed',
      errorCodes: ['RULE_VIOLATION'],
    },
    async (viewer, request, { services, fieldMapping }) => {
      assertNoParams(request);
      const outcome = await services.calendarFeeds.revoke(toFeedOwner(viewer), request.id);
      return outcome.kind === 'refused'
        ? presentRefusals(outcome.refusals, fieldMapping.toV1Message)
        : { status: 200, body: presentCalendarFeed(outcome.feed) };
    },
  ),
];
