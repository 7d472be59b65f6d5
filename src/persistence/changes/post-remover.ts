import type { Change, PostWrite } from '../../domain/changes/change.js';
import { run, type SqlRunner } from '../sql.js';
import { Stop } from './rollback-error.js';

export type Removal = Extract<PostWrite, { kind: 'remove' }>;

/**
 * All of them or none, in one statement: each row is locked in the order given, so that no two changes lock each other
 * out, and has to be as it was read. What is left of a series stands on its own (D23): published, failed. Slots of a
 * removed post are free again (D39).
 */
const REMOVE =
  'WITH asked AS (SELECT * FROM unnest($1::bigint[], $2::int[], $3::timestamptz[]) WITH ORDINALITY AS a(id, version, queued_at, place)), ' +
  'held AS MATERIALIZED (SELECT p.id FROM asked a JOIN post p ON p.id = a.id WHERE p.version = a.version AND p.queued_at IS NOT DISTINCT FROM a.queued_at AND p.deleted_at IS NULL ORDER BY a.place FOR NO KEY UPDATE OF p), ' +
  'target AS (UPDATE post SET deleted_at = $4::timestamptz WHERE id IN (SELECT id FROM held) AND (SELECT count(*) FROM held) = cardinality($1) RETURNING id), ' +
  'orphans AS (UPDATE post c SET parent_id = NULL FROM target WHERE c.parent_id = target.id AND c.deleted_at IS NULL AND c.id <> ALL($1)), ' +
  'freed AS (DELETE FROM cap_slot USING target WHERE post_id = target.id) SELECT id FROM target';

/** @throws Stop where a row is no longer as it was read: another version, queued meanwhile (D23), or gone */
export async function removePosts(
  sql: SqlRunner,
  { at }: Change,
  removals: readonly Removal[],
): Promise<void> {
  const before = removals.map((one) => one.before);
  const rows = await run(sql, REMOVE, [
    before.map(({ databaseId }) => databaseId),
    before.map(({ version }) => version),
    before.map(({ queuedAt }) => queuedAt),
    at,
  ]);
  if (rows.length < removals.length) throw new Stop({ kind: 'conflict' });
}
