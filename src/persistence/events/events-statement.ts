import type { ApiKind } from '../../domain/events/actor.js';
import type { EventType } from '../../domain/events/event-types.js';
import type { StoredEvent } from '../../domain/events/visible-event.js';
import type { UserSummary } from '../../domain/posts/post.js';
import { storedStateByNumber, type StoredState } from '../../domain/posts/states.js';
import type { EventsQuery } from '../../services/events/event-ports.js';
import { toSelectList } from '../posts/post-select-list.js';
import { Parameters, type Statement } from '../sql.js';
import { EVENT_ORDER, HORIZON, SAFE_HORIZON } from './changes-statement.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';

/** A literal limit for the planner, see `changes-statement.ts`. Larger than any page. */
const MAX_ROWS = 512;

const COLUMNS = [
  'e.transaction_id::text AS "transactionId"',
  'e.sequence::text AS "sequence"',
  'e.type AS "eventType"',
  'e.at AS "eventAt"',
  'e.doc_id AS "documentId"',
  'e.account_id AS "eventAccountId"',
  'e.record_id AS "recordId"',
  'e.version AS "eventVersion"',
  'e.api AS "eventApi"',
  'e.changed AS "changed"',
  'e.state_before AS "stateBefore"',
  'e.state_after AS "stateAfter"',
  'e.visible_to AS "visibleTo"',
  `CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name, 'picture', u.picture) END AS "eventUser"`,
  'p.deleted_at IS NOT NULL AS "isDeleted"',
].join(', ');

/**
 * The next events of a workspace, for all its members, with their posts as they are now. One
 * statement, and therefore one snapshot. Stops before the oldest running transaction, so that no
 * event can be added before the position of the next page. Each row has the horizon; there is one
 * row without an event if there are no events.
 */
export function eventsStatement(
  workspaceId: string,
  { after, limit, fields }: EventsQuery,
): Statement {
  const p = new Parameters();
  const workspace = p.add(workspaceId, 'text');
  const position = `(${p.add(after.transactionId, 'bigint')}, ${p.add(after.sequence, 'bigint')})`;
  const size = p.add(limit, 'bigint');
  const { columns, join } = toSelectList(fields);
  const text = `
WITH page AS MATERIALIZED (
  SELECT * FROM (
    SELECT e.* FROM event e
     WHERE e.workspace_id = ${workspace} AND (${EVENT_ORDER}) > ${position} AND e.transaction_id < ${SAFE_HORIZON}
     ORDER BY ${EVENT_ORDER} LIMIT ${MAX_ROWS}) first
  LIMIT ${size})
SELECT totals.*, ${COLUMNS}, ${columns}
  FROM (SELECT ${HORIZON}, (SELECT count(*) >= ${size} FROM page) AS "hasMore",
               EXISTS (SELECT FROM event e WHERE e.workspace_id = ${workspace} AND e.transaction_id >= ${SAFE_HORIZON}) AS "hasPending") totals
  LEFT JOIN page e ON true
  LEFT JOIN app_user u ON u.id = e.user_id
  LEFT JOIN LATERAL (SELECT * FROM post WHERE id = e.post_id OFFSET 0) p ON true ${join}
 ORDER BY ${EVENT_ORDER}`;
  return { text, values: p.values };
}

/**
 * Which of the workspaces $1 have events after the positions of transactions $2 and sequences $3.
 */
export const CHANGED_WORKSPACES = `
SELECT w.id FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS w(id, transaction_id, sequence)
 WHERE EXISTS (SELECT FROM event e WHERE e.workspace_id = w.id AND (${EVENT_ORDER}) > (w.transaction_id, w.sequence))`;

/** An event and its post; the columns of the post are null if there is none. */
export type StoredEventRow = {
  readonly transactionId: string;
  readonly sequence: string;
  readonly eventType: EventType;
  readonly eventAt: Date;
  readonly documentId: string | null;
  readonly eventAccountId: string | null;
  readonly recordId: string | null;
  readonly eventVersion: number | null;
  readonly eventApi: ApiKind;
  readonly changed: readonly string[];
  readonly stateBefore: number | null;
  readonly stateAfter: number | null;
  readonly visibleTo: string | null;
  readonly eventUser: UserSummary | null;
  readonly isDeleted: boolean;
} & PostRow;

const stateOf = (number: number | null): StoredState | null =>
  number === null ? null : storedStateByNumber.get(number)!;

/** Converts a row to an event. */
export function toStoredEvent(row: StoredEventRow): StoredEvent {
  const { transactionId, sequence, eventAt: at } = row;
  // Null without a post: the type of its columns leaves that out.
  const post = (row.id as string | null) === null ? null : toPostView(row);
  return {
    position: { transactionId: BigInt(transactionId), sequence: BigInt(sequence), at },
    type: row.eventType,
    at,
    documentId: row.documentId,
    accountId: row.eventAccountId,
    recordId: row.recordId,
    version: row.eventVersion,
    user: row.eventUser,
    api: row.eventApi,
    changed: row.changed,
    before: stateOf(row.stateBefore),
    after: stateOf(row.stateAfter),
    visibleTo: row.visibleTo,
    current: post,
    post: row.isDeleted ? null : post,
  };
}
