import type { Change, PostWrite } from '../../domain/changes/change.js';
import {
  DETACHED,
  insertPostEvents,
  ORIGIN_COLUMNS,
  POST_EVENT_COLUMNS,
  type OriginColumn,
  type PostRowsEvent,
} from '../events/insert-events.js';
import { Parameters, run, type SqlRunner } from '../sql.js';
import { RollbackError } from './rollback-error.js';

/** The deletion of one post of a change. */
export type PostDeletion = Extract<PostWrite, { kind: 'delete' }>;

/** The posts that a change deletes. */
export interface Deletion {
  readonly change: Change;
  readonly deletions: readonly PostDeletion[];
}

/** Only series have occurrences. */
const deletesSeries = ({ deletions }: Deletion): boolean =>
  deletions.some(({ before }) => before.storedState === 'recurring');

interface DeletionOptions {
  /** Whether the statement also writes the events of the deletions, in the order of the request. */
  readonly withEvents: boolean;
  /** Whether the statement leaves out deletions of posts that another transaction has locked. */
  readonly skipsLocked: boolean;
}

/**
 * When and by whom each deletion was made, as SQL: `l` is a row of `locked`, and the numbers are those
 * of the parameters in `deleteRows`.
 */
const ORIGINS = {
  at: '($7::timestamptz[])[l.deletion]',
  user_id: '($8::text[])[l.deletion]',
  key_id: '($9::text[])[l.deletion]',
  api: '($10::text[])[l.deletion]',
} as const satisfies Record<OriginColumn, string>;

const columnsOf = (row: string, columns: readonly string[]): string =>
  columns.map((column) => `${row}.${column}`).join(', ');
const originColumns = ORIGIN_COLUMNS.map((column) => `${ORIGINS[column]} AS ${column}`).join(', ');

/**
 * For each deletion, all posts are deleted or none. Rows are locked in the same order by all
 * changes, which prevents deadlocks, and must be unchanged since they were read. Cap slots of
 * deleted posts are released (D39). The values of a deletion are array elements, read by its number:
 * a join would compare each deletion with every post.
 */
const deletePostRows = (skipsLocked: boolean): string =>
  'WITH requested AS (SELECT * FROM unnest($1::bigint[], $2::int[], $3::timestamptz[], $4::timestamptz[], $5::int[]) WITH ORDINALITY AS a(id, version, queued_at, armed_at, deletion, position)), ' +
  `locked AS MATERIALIZED (SELECT p.id, a.deletion, a.position FROM requested a JOIN post p ON p.id = a.id WHERE p.version = a.version AND p.queued_at IS NOT DISTINCT FROM a.queued_at AND p.armed_at IS NOT DISTINCT FROM a.armed_at AND p.deleted_at IS NULL ORDER BY p.id DESC FOR NO KEY UPDATE OF p${skipsLocked ? ' SKIP LOCKED' : ''}), ` +
  'complete AS MATERIALIZED (SELECT deletion FROM locked GROUP BY deletion HAVING count(*) = ($6::int[])[deletion]), ' +
  `target AS (UPDATE post p SET deleted_at = ${ORIGINS.at} FROM locked l WHERE p.id = l.id AND l.deletion = ANY (ARRAY(SELECT deletion FROM complete)) RETURNING ${columnsOf('p', POST_EVENT_COLUMNS)}, l.position, ${originColumns}), ` +
  'released AS (DELETE FROM cap_slot USING target WHERE post_id = target.id)';

/** Remaining occurrences of a deleted series (published or failed) become independent posts (D23). */
const DETACH_OCCURRENCES = `orphans AS (UPDATE post c SET parent_id = NULL FROM target t WHERE c.parent_id = t.id AND c.deleted_at IS NULL AND NOT EXISTS (SELECT FROM target d WHERE d.id = c.id) RETURNING ${columnsOf('c', POST_EVENT_COLUMNS)}, ${columnsOf('t', ORIGIN_COLUMNS)})`;

/**
 * Deletes posts in one statement: of each deletion, all posts or none.
 * @returns for each deletion, whether its posts were deleted
 */
export async function deleteRows(
  sql: SqlRunner,
  all: readonly Deletion[],
  { withEvents, skipsLocked }: DeletionOptions,
): Promise<boolean[]> {
  const posts = all.flatMap(({ deletions }) => deletions.map(({ before }) => before));
  const parameters = new Parameters(
    posts.map(({ databaseId }) => databaseId),
    posts.map(({ version }) => version),
    posts.map(({ queuedAt }) => queuedAt),
    posts.map(({ armedAt }) => armedAt),
    // PostgreSQL counts the elements of arrays from 1.
    all.flatMap(({ deletions }, index) => deletions.map(() => index + 1)),
    all.map(({ deletions }) => deletions.length),
    all.map(({ change }) => change.at),
    all.map(({ change }) => change.actor.userId),
    all.map(({ change }) => change.actor.keyId),
    all.map(({ change }) => change.actor.api),
  );
  const steps = [deletePostRows(skipsLocked)];
  const events = (event: PostRowsEvent): string =>
    insertPostEvents({ ...event, haveOrigin: true }, parameters);
  // Without these steps, the statement is cheaper.
  if (all.some(deletesSeries))
    steps.push(
      DETACH_OCCURRENCES,
      `orphan_events AS (${events({ ...DETACHED, rows: 'orphans' })})`,
    );
  if (withEvents) {
    const deleted = {
      type: 'post.deleted',
      rows: 'deleted',
      changed: [],
      isDeleted: true,
    } as const;
    steps.push(
      'deleted AS (SELECT * FROM target ORDER BY position)',
      `events AS (${events(deleted)})`,
    );
  }
  const rows = await run<{ deletion: number }>(
    sql,
    `${steps.join(', ')} SELECT deletion FROM complete`,
    parameters.values,
  );
  const made = new Set(rows.map(({ deletion }) => deletion));
  return all.map((_, index) => made.has(index + 1));
}

/**
 * Deletes the posts of a change. `withEvents`: with the events of the deletions.
 * @throws RollbackError if a row changed since it was read: another version, queued in the meantime
 * (D23), or deleted
 */
export async function deletePosts(
  sql: SqlRunner,
  deletion: Deletion,
  { withEvents = false } = {},
): Promise<void> {
  const [isMade] = await deleteRows(sql, [deletion], { withEvents, skipsLocked: false });
  if (!isMade) throw new RollbackError({ kind: 'conflict' });
}
