import type { Viewer } from '../../domain/access/viewer.js';
import { STATE_FILTERS, storedStateNumbers } from '../../domain/posts/states.js';
import type { EventsQuery } from '../../services/events/event-ports.js';
import { toSelectList } from '../posts/post-select-list.js';
import { Parameters, type Statement } from '../sql.js';

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
const MAX_ROWS = 128;

/** Order of events, which is that of the primary key within a workspace. */
export const EVENT_ORDER = 'e.transaction_id, e.sequence';

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
     ORDER BY ${EVENT_ORDER} LIMIT ${MAX_ROWS}) first
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
