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

const COLUMNS =
  'at, workspace_id, user_id, key_id, api, type, post_id, doc_id, account_id, record_id, version, changed, state_before, state_after, visible_to';

const stateNumber = (state: StoredState | null): number | null =>
  state && STORED_STATES[state].number;

/** Events as JSON, with the names of the columns as keys; absent columns are null. */
const toRows = (events: readonly Event[]): string =>
  JSON.stringify(
    events.map((event) => ({
      type: event.type,
      post_id: event.postId,
      doc_id: event.documentId,
      account_id: event.accountId,
      record_id: event.recordId,
      version: event.version,
      changed: event.changed,
      state_before: stateNumber(event.before),
      state_after: stateNumber(event.after),
      visible_to: event.visibleTo,
    })),
  );

/**
 * An INSERT of events, to be run in the transaction of their change, as a statement or as a part of
 * one.
 */
export function insertEvents(
  { workspaceId, actor, at }: Pick<Change, 'workspaceId' | 'actor' | 'at'>,
  events: readonly Event[],
  parameters: Parameters,
): string {
  const common = [
    parameters.add(at, 'timestamptz'),
    parameters.add(workspaceId, 'text'),
    parameters.add(actor.userId, 'text'),
    parameters.add(actor.keyId, 'text'),
    parameters.add(actor.api, 'text'),
  ];
  return (
    `INSERT INTO event (${COLUMNS}) SELECT ${common.join(', ')}, e.* FROM jsonb_to_recordset(${parameters.add(toRows(events), 'jsonb')}) ` +
    'AS e(type text, post_id bigint, doc_id text, account_id text, record_id text, version int, changed text[], state_before smallint, state_after smallint, visible_to text)'
  );
}

const PRIVATE_DRAFTS = storedStateNumbers(STATE_FILTERS.draft_private.storedStates).join(', ');

interface RowsEvent<Type extends EventType> {
  readonly type: Type;
  /** A WITH query of the changed rows. */
  readonly rows: string;
  readonly actor?: Actor;
}

interface RowColumns {
  readonly type: EventType;
  readonly actor: Actor;
  readonly columns: readonly string[];
  readonly from: string;
}
const insertRows = ({ type, actor, columns, from }: RowColumns, parameters: Parameters): string =>
  `INSERT INTO event (${COLUMNS}) SELECT now(), r.workspace_id, ${parameters.add(actor.userId, 'text')}, ${parameters.add(actor.keyId, 'text')}, ${parameters.add(actor.api, 'text')}, ` +
  `'${type}', ${columns.join(', ')} FROM ${from}`;

/**
 * An INSERT of one event for each post, for statements that change posts which were not read before:
 * `rows` has the columns of the table, and the state does not change.
 */
export const insertPostEvents = (
  {
    type,
    rows,
    actor = SERVICE,
    changed,
  }: RowsEvent<PostEventType> & { readonly changed: readonly string[] },
  parameters: Parameters,
): string =>
  insertRows(
    {
      type,
      actor,
      columns: [
        'r.id, r.doc_id, r.account_id, NULL, r.version',
        parameters.add(changed, 'text[]'),
        `r.stored_state, r.stored_state, CASE WHEN r.stored_state IN (${PRIVATE_DRAFTS}) THEN r.creator_id END`,
      ],
      from: `${rows} r`,
    },
    parameters,
  );

/** The events of occurrences that became independent posts. */
export const detachedEvents = (
  rows: string,
  { actor }: Pick<Change, 'actor'>,
  parameters: Parameters,
): string =>
  insertPostEvents({ type: 'post.updated', rows, actor, changed: ['parent'] }, parameters);

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
  insertRows(
    {
      type,
      actor,
      columns: [
        "r.post_id, p.doc_id, COALESCE(r.account_id, p.account_id), r.record_id, NULL, '{}', NULL, NULL, NULL",
      ],
      from: `${rows} r LEFT JOIN post p ON p.id = r.post_id WHERE r.workspace_id IS NOT NULL`,
    },
    parameters,
  );
