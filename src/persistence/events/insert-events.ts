import type { Change } from '../../domain/changes/change.js';
import { SERVICE, type Actor } from '../../domain/access/viewer.js';
import type { Event, EventType, PostEventType } from '../../domain/events/event.js';
import {
  STATE_FILTERS,
  STORED_STATES,
  storedStateNumbers,
  type StoredState,
} from '../../domain/posts/states.js';
import type { Parameters } from '../sql.js';
import type { Log } from '../../domain/log.js';
import { notifiedSubjects } from '../connections/listen-notify.js';
import type { Database } from '../database.js';

const stateNumber = (state: StoredState | null): number | null =>
  state && STORED_STATES[state].number;

/** When, where and by whom a change was made. */
type ChangeOrigin = Pick<Change, 'workspaceId' | 'actor' | 'at'>;

/** A change, and the events that it has. */
interface ChangeEvents {
  readonly change: ChangeOrigin;
  readonly events: readonly Event[];
}

interface EventColumn<Source> {
  readonly name: string;
  readonly type: string;
  readonly valueOf: (source: Source) => unknown;
}

/** The columns that all events of a change have in common. */
const ORIGIN_COLUMNS: readonly EventColumn<ChangeOrigin>[] = [
  { name: 'at', type: 'timestamptz', valueOf: ({ at }) => at },
  { name: 'workspace_id', type: 'text', valueOf: ({ workspaceId }) => workspaceId },
  { name: 'user_id', type: 'text', valueOf: ({ actor }) => actor.userId },
  { name: 'key_id', type: 'text', valueOf: ({ actor }) => actor.keyId },
  { name: 'api', type: 'text', valueOf: ({ actor }) => actor.api },
];
/** The columns that differ between the events of a change. */
const EVENT_COLUMNS: readonly EventColumn<Event>[] = [
  { name: 'type', type: 'text', valueOf: ({ type }) => type },
  { name: 'post_id', type: 'bigint', valueOf: ({ postId }) => postId },
  { name: 'doc_id', type: 'text', valueOf: ({ documentId }) => documentId },
  { name: 'account_id', type: 'text', valueOf: ({ accountId }) => accountId },
  { name: 'record_id', type: 'text', valueOf: ({ recordId }) => recordId },
  { name: 'version', type: 'int', valueOf: ({ version }) => version },
  { name: 'changed', type: 'text[]', valueOf: ({ changed }) => changed },
  { name: 'state_before', type: 'smallint', valueOf: ({ before }) => stateNumber(before) },
  { name: 'state_after', type: 'smallint', valueOf: ({ after }) => stateNumber(after) },
  { name: 'visible_to', type: 'text', valueOf: ({ visibleTo }) => visibleTo },
];
const COLUMNS = [...ORIGIN_COLUMNS, ...EVENT_COLUMNS];

/** The INSERT that every event is written by. `values`: SQL of the columns, in their order. */
const insertInto = (values: readonly string[], from: string): string =>
  `INSERT INTO event (${COLUMNS.map(({ name }) => name).join(', ')}) SELECT ${values.join(', ')} FROM ${from}`;

/** The values of an object, apart from those that are null. */
function toRecord<Source>(
  columns: readonly EventColumn<Source>[],
  source: Source,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { name, valueOf } of columns) {
    const value = valueOf(source);
    if (value !== null) record[name] = value;
  }
  return record;
}

/**
 * An INSERT of the events of changes, to be run in their transaction, as a statement or as a part of
 * one. `posts`: a WITH query with the column `post_id`, whose posts alone have their events.
 */
export function insertEvents(
  all: readonly ChangeEvents[],
  parameters: Parameters,
  posts?: string,
): string {
  const [first, ...others] = all;
  // The events of one change need its columns once, not in each record. The text of a statement that
  // changes share does not depend on their number.
  const origin =
    first && others.length === 0 && posts === undefined
      ? ORIGIN_COLUMNS.map(({ type, valueOf }) => parameters.add(valueOf(first.change), type))
      : null;
  const records = all.flatMap(({ change, events }) => {
    const common = origin ? {} : toRecord(ORIGIN_COLUMNS, change);
    return events.map((event) => ({ ...common, ...toRecord(EVENT_COLUMNS, event) }));
  });
  const columns: readonly { readonly name: string; readonly type: string }[] = origin
    ? EVENT_COLUMNS
    : COLUMNS;
  const types = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  const source = `json_to_recordset(${parameters.add(JSON.stringify(records), 'json')}) AS e(${types})`;
  return insertInto(
    [...(origin ?? []), ...columns.map(({ name }) => `e.${name}`)],
    posts ? `${source} JOIN ${posts} USING (post_id)` : source,
  );
}

const PRIVATE_DRAFTS = storedStateNumbers(STATE_FILTERS.draft_private.storedStates).join(', ');

interface RowsEvent<Type extends EventType> {
  readonly type: Type;
  /** A WITH query of the changed rows. */
  readonly rows: string;
  readonly actor?: Actor;
  /** Time of the change; by default that of the transaction. */
  readonly at?: Date;
}

/** SQL of EVENT_COLUMNS but the type, in their order, for the rows `r` of a FROM item. */
interface RowSource {
  readonly values: readonly string[];
  readonly from: string;
}

function insertRows(
  { type, actor = SERVICE, at }: RowsEvent<EventType>,
  { values, from }: RowSource,
  parameters: Parameters,
): string {
  const origin = [
    at ? parameters.add(at, 'timestamptz') : 'now()',
    'r.workspace_id',
    ...[actor.userId, actor.keyId, actor.api].map((value) => parameters.add(value, 'text')),
  ];
  return insertInto([...origin, `'${type}'`, ...values], from);
}

/** One event for each post that a statement changes. */
interface PostRowsEvent extends RowsEvent<PostEventType> {
  readonly changed: readonly string[];
  readonly isDeleted?: boolean;
}

/** The columns of `post` that an event of a changed row needs. */
export const POST_EVENT_COLUMNS = [
  'id',
  'workspace_id',
  'doc_id',
  'account_id',
  'creator_id',
  'stored_state',
  'version',
] as const;

/**
 * An INSERT of one event for each post, for statements that change posts which were not read
 * before: `rows` has POST_EVENT_COLUMNS. The posts keep their state, unless they are deleted.
 */
export function insertPostEvents(event: PostRowsEvent, parameters: Parameters): string {
  const values = [
    'r.id, r.doc_id, r.account_id, NULL, r.version',
    parameters.add(event.changed, 'text[]'),
    `r.stored_state, ${event.isDeleted ? 'NULL' : 'r.stored_state'}, CASE WHEN r.stored_state IN (${PRIVATE_DRAFTS}) THEN r.creator_id END`,
  ];
  return insertRows(event, { values, from: `${event.rows} r` }, parameters);
}

/** What the events of occurrences that became independent posts have in common. */
export const DETACHED = { type: 'post.updated', changed: ['parent'] } as const;

/** The columns of `insertRecordEvents`, returned by a statement that changes accounts or jobs. */
export const ACCOUNT_COLUMNS =
  'workspace_id, id AS account_id, NULL::text AS record_id, NULL::bigint AS post_id';
export const JOB_COLUMNS = 'workspace_id, NULL::text AS account_id, id AS record_id, post_id';

/**
 * An INSERT of one event for each job or account that users know of: `rows` has the columns
 * `workspace_id`, `account_id`, `record_id` and `post_id`.
 */
export function insertRecordEvents(
  event: RowsEvent<Exclude<EventType, PostEventType>>,
  parameters: Parameters,
): string {
  const values = [
    "r.post_id, p.doc_id, COALESCE(r.account_id, p.account_id), r.record_id, NULL, '{}', NULL, NULL, NULL",
  ];
  const from = `${event.rows} r LEFT JOIN post p ON p.id = r.post_id WHERE r.workspace_id IS NOT NULL`;
  return insertRows(event, { values, from }, parameters);
}

/** Tells readers of events, in all processes, that there may be new events. */
export interface EventWakeups {
  /** Calls `wake` with the workspaces that have new events; null: any may have some. */
  listen(wake: (workspaceIds: readonly string[] | null) => void): { close(): Promise<void> };
}

/** Application name of the connections on which gateways listen for new events. */
const EVENTS_APPLICATION_NAME = 'posts-gateway events';
const CHANNEL = 'posts_gateway_events';

/**
 * Wakes the readers of events in all processes. To be called after the commit of a change that
 * wrote events. `workspaceId`: null if it is not known.
 */
export const announceEvents = (database: Database, workspaceId: string | null): void =>
  database.notify(CHANNEL, workspaceId);

/** The wake-ups of readers of events. */
export const createEventWakeups = (database: Database, log: Log): EventWakeups => ({
  listen: (wake) =>
    database.listen({
      channel: CHANNEL,
      applicationName: EVENTS_APPLICATION_NAME,
      onNotification: (payload) => wake(notifiedSubjects(payload)),
      onConnected: () => wake(null),
      onLost: (reason) =>
        log.warn(`Lost the LISTEN connection; polling for new events until it is back: ${reason}`),
    }),
});
