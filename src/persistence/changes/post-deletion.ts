import type { Change, PostWrite } from '../../domain/changes/change.js';
import { DETACHED, insertPostEvents, POST_EVENT_COLUMNS } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';
import { RollbackError } from './rollback-error.js';

/** The deletion of one post of a change. */
export type PostDeletion = Extract<PostWrite, { kind: 'delete' }>;

const eventColumnsOf = (row: string): string =>
  POST_EVENT_COLUMNS.map((column) => `${row}.${column}`).join(', ');

/**
 * All posts are deleted or none: those that are unchanged since they were read. Rows are locked in
 * the same order by all changes, which prevents deadlocks. Cap slots of deleted posts are released
 * (D39).
 */
const DELETE_POSTS =
  'WITH requested AS (SELECT * FROM unnest($1::bigint[], $2::int[], $3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS a(id, version, queued_at, armed_at, position)), ' +
  'locked AS MATERIALIZED (SELECT p.id, a.position FROM requested a JOIN post p ON p.id = a.id WHERE p.version = a.version AND p.queued_at IS NOT DISTINCT FROM a.queued_at AND p.armed_at IS NOT DISTINCT FROM a.armed_at AND p.deleted_at IS NULL ORDER BY p.id DESC FOR NO KEY UPDATE OF p), ' +
  `target AS (UPDATE post p SET deleted_at = $5::timestamptz FROM locked l WHERE p.id = l.id AND (SELECT count(*) FROM locked) = cardinality($1::bigint[]) RETURNING ${eventColumnsOf('p')}, l.position), ` +
  'released AS (DELETE FROM cap_slot USING target WHERE post_id = target.id)';

/** Remaining occurrences of a deleted series (published or failed) become independent posts (D23). */
const DETACH_OCCURRENCES = `orphans AS (UPDATE post c SET parent_id = NULL FROM target t WHERE c.parent_id = t.id AND c.deleted_at IS NULL AND NOT EXISTS (SELECT FROM target d WHERE d.id = c.id) RETURNING ${eventColumnsOf('c')})`;

/** Only series have occurrences. */
const deletesSeries = (deletions: readonly PostDeletion[]): boolean =>
  deletions.some(({ before }) => before.storedState === 'recurring');

/**
 * Deletes posts of a change in one statement. `withEvents`: with the events of the deletions, in
 * the order of the request.
 * @throws RollbackError if a row changed since it was read: another version, queued in the meantime
 * (D23), or deleted
 */
export async function deletePosts(
  sql: Sql,
  { actor, at }: Pick<Change, 'actor' | 'at'>,
  { deletions, withEvents }: { deletions: readonly PostDeletion[]; withEvents: boolean },
): Promise<void> {
  const posts = deletions.map(({ before }) => before);
  const parameters = new Parameters(
    posts.map(({ databaseId }) => databaseId),
    posts.map(({ version }) => version),
    posts.map(({ queuedAt }) => queuedAt),
    posts.map(({ armedAt }) => armedAt),
    at,
  );
  const steps = [DELETE_POSTS];
  // Without these steps, the statement is cheaper.
  if (deletesSeries(deletions)) {
    const detached = insertPostEvents({ ...DETACHED, rows: 'orphans', actor, at }, parameters);
    steps.push(DETACH_OCCURRENCES, `orphan_events AS (${detached})`);
  }
  if (withEvents) {
    const deleted = insertPostEvents(
      { type: 'post.deleted', rows: 'deleted', actor, at, changed: [], isDeleted: true },
      parameters,
    );
    steps.push('deleted AS (SELECT * FROM target ORDER BY position)', `events AS (${deleted})`);
  }
  const rows = await sql(`${steps.join(', ')} SELECT FROM target`, parameters.values);
  if (rows.length < posts.length) throw new RollbackError({ kind: 'conflict' });
}
