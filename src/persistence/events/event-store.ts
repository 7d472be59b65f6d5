import type { Viewer, ApiKind } from '../../domain/access/viewer.js';
import type { EventType, EventPosition } from '../../domain/events/event.js';
import type { ChangedPost } from '../../domain/events/post-change.js';
import type { StoredEvent } from '../../domain/events/visible-event.js';
import type { UserSummary, Post } from '../../domain/posts/post.js';
import {
  STATE_FILTERS,
  type StoredState,
  storedStateByNumber,
  storedStateNumbers,
} from '../../domain/posts/states.js';
import { isHidden } from '../../domain/rules/edit-rules.js';
import type { Database } from '../database.js';
import { type PostRow, toPostView, toSelectList } from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';
import { Parameters, type Statement } from '../sql.js';

/** The end of the events that can be read now. */
export interface EventHorizon {
  /** Identifies the database. A restore of a backup changes it. */
  readonly database: string;
  /** The oldest running transaction: no event of an earlier one can be added any more. */
  readonly transactionId: bigint;
}

/** Which events to read. */
export interface EventsQuery {
  readonly after: EventPosition;
  /** Maximum number of events. */
  readonly limit: number;
  /** Properties of the posts. */
  readonly fields: ReadonlySet<keyof Post>;
}

/** The posts of the next events, ordered by their last event. */
export interface ChangedPosts extends EventHorizon {
  readonly posts: readonly ChangedPost[];
  /** Position of the last event that was read, if more events follow; else null. */
  readonly next: EventPosition | null;
}

/** The next events of a workspace, in the order in which readers read them. */
export interface EventPage extends EventHorizon {
  readonly events: readonly StoredEvent[];
  /** Whether more events can be read now. */
  readonly hasMore: boolean;
  /** Whether there are events that cannot be read yet, because of a running transaction. */
  readonly hasPending: boolean;
}

/** Reads events. */
export interface EventStore {
  horizon(): Promise<EventHorizon>;
  /** Reads the events of a workspace up to the horizon, for all its members. */
  eventsOf(workspaceId: string, query: EventsQuery): Promise<EventPage>;
  /** Which of the workspaces may have events after these positions. */
  changedWorkspaces(positions: ReadonlyMap<string, EventPosition>): Promise<readonly string[]>;
  /** Reads events that the viewer may know of, up to the horizon. */
  changedPosts(viewer: Viewer, query: EventsQuery): Promise<ChangedPosts>;
}

/** Order of events, which is that of the primary key within a workspace. */
const EVENT_ORDER = 'e.transaction_id, e.sequence';
/** A literal limit for the planner, see `MAX_CHANGES`. Larger than any page. */
const MAX_EVENTS = 512;

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
function eventsStatement(workspaceId: string, { after, limit, fields }: EventsQuery): Statement {
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
     ORDER BY ${EVENT_ORDER} LIMIT ${MAX_EVENTS}) first
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
const CHANGED_WORKSPACES = `
SELECT w.id FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS w(id, transaction_id, sequence)
 WHERE EXISTS (SELECT FROM event e WHERE e.workspace_id = w.id AND (${EVENT_ORDER}) > (w.transaction_id, w.sequence))`;

/** An event and its post; the columns of the post are null if there is none. */
type StoredEventRow = {
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
function toStoredEvent(row: StoredEventRow): StoredEvent {
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

/**
 * SQL expression of the oldest running transaction, before which no event can be added any more.
 */
export const SAFE_HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/** SQL expression that identifies this database. Positions in the events of another are invalid. */
export const DATABASE =
  "((SELECT identity::text FROM database_identity) || ' ' || (SELECT system_identifier FROM pg_control_system()) || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database()))";

/**
 * SQL expression of the public ID of the event `e`, which is the same in all APIs and messages. It
 * does not show the position of the event, which would tell how much happens in other workspaces.
 */
export const EVENT_ID = `('evt_' || left(encode(sha256(convert_to('event ' || ${DATABASE} || ' ' || e.transaction_id || ' ' || e.sequence, 'UTF8')), 'hex'), 24))`;

/** The end of the events that can be read now, and the database that they are in. */
export const HORIZON = `${SAFE_HORIZON}::text AS horizon, ${DATABASE} AS database`;

const PRIVATE_DRAFTS = storedStateNumbers(STATE_FILTERS.draft_private.storedStates).join(', ');

/**
 * A literal limit for the planner, which would otherwise expect a tenth of all events: one plan
 * serves all limits. Larger than any page.
 */
const MAX_CHANGES = 128;

/**
 * One statement, and therefore one snapshot, for a page of changes (D73): the next events of posts
 * that the viewer could see before or after, grouped by post, with the posts as they are now. Stops
 * before the oldest running transaction, so that no event can be added before the position of the
 * next page. Each row has the horizon; there is one row without a post if there are no events.
 */
export function changesStatement(viewer: Viewer, { after, limit, fields }: EventsQuery): Statement {
  const p = new Parameters();
  const user = p.add(viewer.user.id, 'text');
  const position = `(${p.add(after.transactionId, 'bigint')}, ${p.add(after.sequence, 'bigint')})`;
  const size = p.add(limit, 'bigint');
  const wasVisible = `e.state_before NOT IN (${PRIVATE_DRAFTS})`;
  const { columns, join } = toSelectList(fields);
  const text = `
WITH upcoming AS MATERIALIZED (
  SELECT * FROM (
    SELECT e.transaction_id, e.sequence, e.at, e.post_id, e.doc_id, e.version, e.state_after, e.visible_to,
           COALESCE((e.state_after IS NULL OR e.visible_to <> ${user}) AND (${wasVisible} OR e.visible_to = ${user}), false) AS hides
      FROM event e
     WHERE e.workspace_id = ${p.add(viewer.workspace.id, 'text')} AND (${EVENT_ORDER}) > ${position}
       AND e.transaction_id < ${SAFE_HORIZON}
       AND e.post_id IS NOT NULL AND e.record_id IS NULL
       AND (e.visible_to IS NULL OR e.visible_to = ${user} OR ${wasVisible})
     ORDER BY ${EVENT_ORDER} LIMIT ${MAX_CHANGES}) first
  LIMIT ${size} + 1),
page AS (SELECT * FROM upcoming e ORDER BY ${EVENT_ORDER} LIMIT ${size}),
changed AS (
  SELECT DISTINCT ON (e.post_id) e.*, bool_or(e.hides) OVER post AS was_hidden
    FROM page e WINDOW post AS (PARTITION BY e.post_id)
   ORDER BY e.post_id, e.transaction_id DESC, e.sequence DESC)
SELECT totals.*, e.doc_id AS "documentId", e.at AS "changedAt", e.version AS "changedVersion", e.was_hidden AS "wasHidden", e.state_after IS NOT NULL AND (e.visible_to IS NULL OR e.visible_to = ${user}) AS "isVisible",
       p.deleted_at IS NOT NULL AS "isDeleted", ${columns}
  FROM (SELECT ${HORIZON}, (SELECT count(*) > ${size} FROM upcoming) AS "hasMore", l.transaction_id::text AS "lastTransaction", l.sequence::text AS "lastSequence", l.at AS "lastAt"
          FROM (SELECT 1) one LEFT JOIN (SELECT * FROM page e ORDER BY e.transaction_id DESC, e.sequence DESC LIMIT 1) l ON true) totals
  LEFT JOIN changed e ON true
  LEFT JOIN LATERAL (SELECT * FROM post WHERE id = e.post_id OFFSET 0) p ON true ${join}
 ORDER BY ${EVENT_ORDER}`;
  return { text, values: p.values };
}

interface HorizonRow {
  readonly horizon: string;
  readonly database: string;
}

/** A row of `changesStatement`; the columns of an event are null if there is none. */
type ChangeRow = HorizonRow & {
  readonly hasMore: boolean;
  readonly lastTransaction: string;
  readonly lastSequence: string;
  readonly lastAt: Date;
  readonly documentId: string | null;
  readonly changedAt: Date;
  readonly changedVersion: number | null;
  readonly wasHidden: boolean;
  readonly isVisible: boolean;
  readonly isDeleted: boolean;
} & PostRow;

/** A row of `eventsStatement`; the columns of an event are null if there is none. */
type EventRow = HorizonRow & {
  readonly hasMore: boolean;
  readonly hasPending: boolean;
} & StoredEventRow;

const toHorizon = ({ horizon, database }: HorizonRow): EventHorizon => ({
  database,
  transactionId: BigInt(horizon),
});

function toChangedPost(viewer: Viewer, row: ChangeRow): ChangedPost {
  const post = row.id && !row.isDeleted ? toPostView(row) : null;
  return {
    documentId: row.documentId!,
    version: row.changedVersion,
    at: row.changedAt,
    isVisible: row.isVisible,
    wasHidden: row.wasHidden,
    post: post && !isHidden(post, viewer) ? post : null,
  };
}

/** Reads events from PostgreSQL. */
export const createEventStore = (database: Database): EventStore => ({
  async horizon() {
    const [row] = await database.read<HorizonRow>(`SELECT ${HORIZON}`);
    return toHorizon(row!);
  },
  async eventsOf(workspaceId, query) {
    const statement = eventsStatement(workspaceId, query);
    const rows = await readPostRows<EventRow>(database, statement, query.fields);
    const { hasMore, hasPending } = rows[0]!;
    return {
      ...toHorizon(rows[0]!),
      events: rows.filter(({ eventType }) => eventType !== null).map(toStoredEvent),
      hasMore,
      hasPending,
    };
  },
  async changedWorkspaces(positions) {
    const rows = await database.read<{ id: string }>(CHANGED_WORKSPACES, [
      [...positions.keys()],
      [...positions.values()].map(({ transactionId }) => transactionId),
      [...positions.values()].map(({ sequence }) => sequence),
    ]);
    return rows.map(({ id }) => id);
  },
  async changedPosts(viewer, query) {
    const statement = changesStatement(viewer, query);
    const rows = await readPostRows<ChangeRow>(database, statement, query.fields);
    const { hasMore, lastTransaction, lastSequence, lastAt } = rows[0]!;
    const posts = rows
      .filter(({ documentId }) => documentId !== null)
      .map((row) => toChangedPost(viewer, row));
    if (posts.length > 0) await database.acknowledge();
    return {
      ...toHorizon(rows[0]!),
      posts,
      next: hasMore
        ? { transactionId: BigInt(lastTransaction), sequence: BigInt(lastSequence), at: lastAt }
        : null,
    };
  },
});
