import type { Change } from '../../domain/changes/change.js';
import { SERVICE, type Actor } from '../../domain/events/actor.js';
import type { Event } from '../../domain/events/event.js';
import type { EventType, PostEventType } from '../../domain/events/event-types.js';
import {
  STATE_FILTERS,
  STORED_STATES,
  storedStateNumbers,
  type StoredState,
} from '../../domain/posts/states.js';
import type { Parameters } from '../sql.js';

const stateNumber = (state: StoredState | null): number | null =>
  state && STORED_STATES[state].number;

type ChangeOrigin = Pick<Change, 'workspaceId' | 'actor' | 'at'>;

interface CommonColumn {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

interface EventColumn {
  readonly name: string;
  readonly type: string;
  readonly valueOf: (event: Event) => unknown;
}

/** The columns that differ between the events of a change. */
const EVENT_COLUMNS: readonly EventColumn[] = [
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
const COLUMNS = ['at', 'workspace_id', 'user_id', 'key_id', 'api']
  .concat(EVENT_COLUMNS.map(({ name }) => name))
  .join(', ');
const RECORD = EVENT_COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ');

/** The values of an event, apart from those that are null. */
function toRecord(event: Event): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { name, valueOf } of EVENT_COLUMNS) {
    const value = valueOf(event);
    if (value !== null) record[name] = value;
  }
  return record;
}

/** Columns that all events of a change have in common. */
const commonColumns = ({ workspaceId, actor, at }: ChangeOrigin): readonly CommonColumn[] => [
  { name: 'at', type: 'timestamptz', value: at },
  { name: 'workspace_id', type: 'text', value: workspaceId },
  { name: 'user_id', type: 'text', value: actor.userId },
  { name: 'key_id', type: 'text', value: actor.keyId },
  { name: 'api', type: 'text', value: actor.api },
];

/**
 * An INSERT of events, to be run in the transaction of their change, as a statement or as a part of
 * one.
 */
export function insertEvents(
  change: ChangeOrigin,
  events: readonly Event[],
  parameters: Parameters,
): string {
  const [event, ...others] = events;
  if (event && others.length === 0) return insertEvent(change, event, { parameters });
  const common = commonColumns(change).map(({ type, value }) => parameters.add(value, type));
  const records = parameters.add(JSON.stringify(events.map(toRecord)), 'json');
  return `INSERT INTO event (${COLUMNS}) SELECT ${common.join(', ')}, e.* FROM json_to_recordset(${records}) AS e(${RECORD})`;
}

/**
 * An INSERT of the events of several changes of posts, each for its own workspace and time: those
 * of the posts in `rows`, a WITH query with the column `post_id`.
 */
export function insertEventsOfPosts(
  changes: readonly { readonly change: ChangeOrigin; readonly event: Event }[],
  rows: string,
  parameters: Parameters,
): string {
  const records = changes.map(({ change, event }) => ({
    ...Object.fromEntries(commonColumns(change).map(({ name, value }) => [name, value])),
    ...toRecord(event),
  }));
  const columns = [...commonColumns(changes[0]!.change), ...EVENT_COLUMNS];
  const record = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  return `INSERT INTO event (${COLUMNS}) SELECT e.* FROM json_to_recordset(${parameters.add(JSON.stringify(records), 'json')}) AS e(${record}) JOIN ${rows} USING (post_id)`;
}

/**
 * An INSERT of one event, as most changes have. It needs no JSON, and takes from the statement that
 * it is a part of what that has already (`known`: SQL by column): both make it cheaper.
 */
export function insertEvent(
  change: ChangeOrigin,
  event: Event,
  { parameters, known = {} }: { parameters: Parameters; known?: Readonly<Record<string, string>> },
): string {
  const values = [
    ...commonColumns(change),
    ...EVENT_COLUMNS.map(({ name, type, valueOf }) => ({ name, type, value: valueOf(event) })),
  ].map(({ name, type, value }) => known[name] ?? parameters.add(value, type));
  return `INSERT INTO event (${COLUMNS}) SELECT ${values.join(', ')}`;
}

const PRIVATE_DRAFTS = storedStateNumbers(STATE_FILTERS.draft_private.storedStates).join(', ');

interface RowsEvent<Type extends EventType> {
  readonly type: Type;
  /** A WITH query of the changed rows. */
  readonly rows: string;
  readonly actor?: Actor;
}

/** SQL of when and by whom rows were changed. */
interface Origin {
  readonly at: string;
  readonly userId: string;
  readonly keyId: string;
  readonly api: string;
}

/** `at`: by default the time of the transaction. */
const originOf = ({ userId, keyId, api }: Actor, parameters: Parameters, at?: Date): Origin => ({
  at: at ? parameters.add(at, 'timestamptz') : 'now()',
  userId: parameters.add(userId, 'text'),
  keyId: parameters.add(keyId, 'text'),
  api: parameters.add(api, 'text'),
});

interface RowColumns {
  readonly type: EventType;
  readonly origin: Origin;
  readonly columns: readonly string[];
  readonly from: string;
}
const insertRows = ({ type, origin, columns, from }: RowColumns): string =>
  `INSERT INTO event (${COLUMNS}) SELECT ${origin.at}, r.workspace_id, ${origin.userId}, ${origin.keyId}, ${origin.api}, ` +
  `'${type}', ${columns.join(', ')} FROM ${from}`;

/** One event for each post that a statement changes. */
interface PostRowsEvent extends RowsEvent<PostEventType> {
  readonly changed: readonly string[];
  /** Time of the change; by default that of the transaction. */
  readonly at?: Date;
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
export const insertPostEvents = (
  { type, rows, actor = SERVICE, changed, at, isDeleted }: PostRowsEvent,
  parameters: Parameters,
): string =>
  insertRows({
    type,
    origin: originOf(actor, parameters, at),
    columns: [
      'r.id, r.doc_id, r.account_id, NULL, r.version',
      parameters.add(changed, 'text[]'),
      `r.stored_state, ${isDeleted ? 'NULL' : 'r.stored_state'}, CASE WHEN r.stored_state IN (${PRIVATE_DRAFTS}) THEN r.creator_id END`,
    ],
    from: `${rows} r`,
  });

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
export const insertRecordEvents = (
  { type, rows, actor = SERVICE }: RowsEvent<Exclude<EventType, PostEventType>>,
  parameters: Parameters,
): string =>
  insertRows({
    type,
    origin: originOf(actor, parameters),
    columns: [
      "r.post_id, p.doc_id, COALESCE(r.account_id, p.account_id), r.record_id, NULL, '{}', NULL, NULL, NULL",
    ],
    from: `${rows} r LEFT JOIN post p ON p.id = r.post_id WHERE r.workspace_id IS NOT NULL`,
  });
