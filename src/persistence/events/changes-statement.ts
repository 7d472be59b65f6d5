import type { Viewer } from '../../domain/access/viewer.js';
import { STATE_FILTERS, storedStateNumbers } from '../../domain/posts/states.js';
import type { ChangesQuery } from '../../services/events/event-ports.js';
import { toSelectList } from '../posts/post-select-list.js';
import { Parameters, type Statement } from '../sql.js';

/** The end of the events that can be read now, and the database that they are in. */
export const HORIZON = `pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
  (SELECT identity::text FROM database_identity) || ' ' || (SELECT system_identifier FROM pg_control_system()) || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS database`;

const PRIVATE_DRAFTS = storedStateNumbers(STATE_FILTERS.draft_private.storedStates).join(', ');

/**
 * A literal limit for the planner, which would otherwise expect a tenth of all events: one plan
 * serves all limits. Larger than any page.
 */
const MAX_ROWS = 128;

/** Events before which the post did not exist. */
const BEGINNINGS = "'post.created', 'post.restored'";
/** The state before an event. A new post can have a second event, before which it exists. */
const STATE_BEFORE = `COALESCE(e.state_before, CASE WHEN e.type NOT IN (${BEGINNINGS}) THEN e.state_after END)`;

/** Order of events, which is that of the primary key within a workspace. */
const ORDER = 'e.transaction_id, e.sequence';

/**
 * One statement, and therefore one snapshot, for a page of changes (D73): the next events of posts
 * that the viewer could see before or after, grouped by post, with the posts as they are now. Stops
 * before the oldest running transaction, so that no event can be added before the position of the
 * next page. Each row has the horizon; there is one row without a post if there are no events.
 */
export function changesStatement(
  viewer: Viewer,
  { after, limit, fields }: ChangesQuery,
): Statement {
  const p = new Parameters();
  const user = p.add(viewer.user.id, 'text');
  const position = `(${p.add(after.transactionId, 'bigint')}, ${p.add(after.sequence, 'bigint')})`;
  const size = p.add(limit, 'bigint');
  const wasVisible = `e.state_before NOT IN (${PRIVATE_DRAFTS})`;
  const { columns, join } = toSelectList(fields);
  const text = `
WITH upcoming AS MATERIALIZED (
  SELECT * FROM (
    SELECT e.transaction_id, e.sequence, e.at, e.post_id, e.doc_id, e.version, ${STATE_BEFORE} AS state_before, e.state_after, e.visible_to,
           COALESCE((e.state_after IS NULL OR e.visible_to <> ${user}) AND (${wasVisible} OR e.visible_to = ${user}), false) AS hides
      FROM event e
     WHERE e.workspace_id = ${p.add(viewer.workspace.id, 'text')} AND (${ORDER}) > ${position}
       AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
       AND e.post_id IS NOT NULL AND e.record_id IS NULL
       AND (e.visible_to IS NULL OR e.visible_to = ${user} OR ${wasVisible})
     ORDER BY ${ORDER} LIMIT ${MAX_ROWS}) first
  LIMIT ${size} + 1),
page AS (SELECT * FROM upcoming e ORDER BY ${ORDER} LIMIT ${size}),
changed AS (
  SELECT DISTINCT ON (e.post_id) e.*, bool_or(e.hides) OVER post AS was_hidden, first_value(e.state_before) OVER (post ORDER BY ${ORDER}) AS first_state
    FROM page e WINDOW post AS (PARTITION BY e.post_id)
   ORDER BY e.post_id, e.transaction_id DESC, e.sequence DESC)
SELECT totals.*, e.doc_id AS "documentId", e.at AS "changedAt", e.version AS "changedVersion", e.first_state AS "firstState", e.was_hidden AS "wasHidden", e.state_after IS NOT NULL AND (e.visible_to IS NULL OR e.visible_to = ${user}) AS "isVisible", e.visible_to AS "visibleTo",
       p.deleted_at IS NOT NULL AS "isDeleted", ${columns}
  FROM (SELECT ${HORIZON}, (SELECT count(*) > ${size} FROM upcoming) AS "hasMore", l.transaction_id::text AS "lastTransaction", l.sequence::text AS "lastSequence", l.at AS "lastAt"
          FROM (SELECT 1) one LEFT JOIN (SELECT * FROM page e ORDER BY e.transaction_id DESC, e.sequence DESC LIMIT 1) l ON true) totals
  LEFT JOIN changed e ON true
  LEFT JOIN LATERAL (SELECT * FROM post WHERE id = e.post_id OFFSET 0) p ON true ${join}
 ORDER BY ${ORDER}`;
  return { text, values: p.values };
}
