import type { Change, PostWrite } from '../../domain/changes/change.js';
import { detachedEvents, insertPostEvents } from '../events/insert-events.js';
import { Parameters, run, type SqlRunner } from '../sql.js';
import { RollbackError } from './rollback-error.js';

/** The deletion of one post of a change. */
export type PostDeletion = Extract<PostWrite, { kind: 'delete' }>;

/**
 * Deletes all posts or none, in one statement. Rows are locked in the same order by all changes,
 * which prevents deadlocks, and must be unchanged since they were read. Cap slots of deleted posts
 * are released (D39).
 */
const DELETE_POSTS =
  'WITH requested AS (SELECT * FROM unnest($1::bigint[], $2::int[], $3::timestamptz[], $5::timestamptz[]) WITH ORDINALITY AS a(id, version, queued_at, armed_at, position)), ' +
  'locked AS MATERIALIZED (SELECT p.id FROM requested a JOIN post p ON p.id = a.id WHERE p.version = a.version AND p.queued_at IS NOT DISTINCT FROM a.queued_at AND p.armed_at IS NOT DISTINCT FROM a.armed_at AND p.deleted_at IS NULL ORDER BY p.id DESC FOR NO KEY UPDATE OF p), ' +
  'target AS (UPDATE post p SET deleted_at = $4::timestamptz FROM locked WHERE p.id = locked.id AND (SELECT count(*) FROM locked) = cardinality($1) RETURNING p.*), ' +
  'released AS (DELETE FROM cap_slot USING target WHERE post_id = target.id)';

/** Remaining occurrences of a deleted series (published or failed) become independent posts (D23). */
const DETACH_OCCURRENCES =
  'orphans AS (UPDATE post c SET parent_id = NULL FROM target WHERE c.parent_id = target.id AND c.deleted_at IS NULL AND c.id <> ALL($1) RETURNING c.*)';

/**
 * Deletes posts of a change. `withEvents`: also writes the events of the deletions, in the order of
 * the request and in the same statement.
 * @throws RollbackError if a row changed since it was read: another version, queued in the meantime
 * (D23), or deleted
 */
export async function deletePosts(
  sql: SqlRunner,
  change: Change,
  { deletions, withEvents }: { deletions: readonly PostDeletion[]; withEvents: boolean },
): Promise<void> {
  const { actor, at } = change;
  const before = deletions.map((deletion) => deletion.before);
  const parameters = new Parameters(
    before.map(({ databaseId }) => databaseId),
    before.map(({ version }) => version),
    before.map(({ queuedAt }) => queuedAt),
    at,
    before.map(({ armedAt }) => armedAt),
  );
  const steps = [DELETE_POSTS];
  // Only series have occurrences. Without these steps, the statement is cheaper.
  if (before.some(({ storedState }) => storedState === 'recurring'))
    steps.push(
      DETACH_OCCURRENCES,
      `orphan_events AS (${detachedEvents('orphans', change, parameters)})`,
    );
  if (withEvents) {
    const deleted = { rows: 'deleted', actor, at, changed: [], isDeleted: true } as const;
    steps.push(
      'deleted AS (SELECT p.* FROM target p JOIN requested a ON a.id = p.id ORDER BY a.position)',
      `events AS (${insertPostEvents({ type: 'post.deleted', ...deleted }, parameters)})`,
    );
  }
  const rows = await run(sql, `${steps.join(', ')} SELECT id FROM target`, parameters.values);
  if (rows.length < deletions.length) throw new RollbackError({ kind: 'conflict' });
}
