import type { Change } from '../../domain/changes/change.js';
import { eventsOf, updateEventOf } from '../../domain/events/events-of.js';
import { insertEventsOfPosts } from '../events/insert-events.js';
import type { PostColumn } from '../post-columns.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';
import { Parameters, type Sql } from '../sql.js';
import { revisionChanges, type UpdateWrite } from './post-writer.js';

/** A change of one post that needs a single statement. */
export interface PostUpdate {
  readonly change: Change;
  readonly write: UpdateWrite;
}

/** Further columns of `read`, with the definitions of their types. */
export interface MoreColumns<Update extends PostUpdate> {
  readonly types: string;
  readonly valuesOf: (update: Update) => object;
}

/**
 * What the updates of a statement have in common. Its WITH query `read` has one row, with the values
 * of the update, for each post that is as it was read; `updates` has those that are made.
 */
export interface UpdateShape<Update extends PostUpdate> {
  /** The changed columns of the posts. */
  readonly columns: readonly PostColumn[];
  readonly more?: readonly MoreColumns<Update>[];
  /** Another condition for a post `p`. */
  readonly condition?: string;
  /** The WITH query `ready`, a change that returns `post_id`: other posts of `read` are not updated. */
  readonly ready?: string;
  /** Further WITH queries, which change other tables for the rows of `updates`, by their names. */
  readonly effects: Readonly<Record<string, string>>;
}

/** Columns of JSON arrive as text, as they do in a statement of their own. */
const callType = ({ type }: PostColumn): string => (type === 'jsonb' ? 'text' : type);

const assignments = (columns: readonly PostColumn[], table: PostColumn['table']): string[] =>
  columns
    .filter((column) => column.table === table)
    .map(({ column, type }) => `${column} = r."${column}"::${type}`);

const KNOWN_COLUMNS =
  '"postId" bigint, "readVersion" int, "readQueuedAt" timestamptz, "readArmedAt" timestamptz, "newVersion" int, "changedAt" timestamptz, ' +
  '"authorId" text, api text, "eventType" text, "historyNote" text, history jsonb';

const toCall = <Update extends PostUpdate>(
  update: Update,
  { columns, more = [] }: UpdateShape<Update>,
) => {
  const { actor, at } = update.change;
  const { before, after, note = null } = update.write;
  return {
    postId: before.databaseId,
    readVersion: before.version,
    readQueuedAt: before.queuedAt,
    readArmedAt: before.armedAt,
    newVersion: after.version,
    changedAt: at,
    authorId: actor.userId,
    api: actor.api,
    eventType: updateEventOf(update.write),
    historyNote: note,
    history: revisionChanges(update.write),
    ...Object.assign({}, ...more.map(({ valuesOf }) => valuesOf(update))),
    ...Object.fromEntries(columns.map(({ column, valueOf }) => [column, valueOf(after)])),
  };
};

/**
 * Updates the posts that are as they were read, and writes their history and events. Posts whose
 * row another transaction has locked are left out.
 */
function updateStatement<Update extends PostUpdate>(
  { columns, more = [], condition = 'true', ready, effects }: UpdateShape<Update>,
  events: string,
): string {
  const calls = [
    KNOWN_COLUMNS,
    ...more.map(({ types }) => types),
    ...columns.map((column) => `"${column.column}" ${callType(column)}`),
  ];
  const changed = ['version = r."newVersion"', 'updated_at = r."changedAt"'].concat(
    assignments(columns, 'post'),
  );
  const bodyChanged = assignments(columns, 'post_body');
  const queries = {
    ...(ready && { ready }),
    updates: ready
      ? 'SELECT r.* FROM read r JOIN ready ON ready.post_id = r."postId"'
      : 'SELECT * FROM read',
    target: `UPDATE post p SET ${changed.join(', ')} FROM updates r WHERE p.id = r."postId" RETURNING p.id AS post_id`,
    history: `INSERT INTO revision (post_id, version, user_id, at, changes, type, api, note) SELECT "postId", "newVersion", "authorId", "changedAt", history, "eventType", api, "historyNote" FROM updates r`,
    ...(bodyChanged.length > 0 && {
      body: `UPDATE post_body b SET ${bodyChanged.join(', ')} FROM updates r WHERE b.post_id = r."postId"`,
    }),
    ...effects,
    events,
  };
  return `WITH read AS MATERIALIZED (
  SELECT a.* FROM ${callRows(calls.join(', '))} a, LATERAL (
    SELECT FROM post p
     WHERE p.id = a."postId" AND p.version = a."readVersion" AND p.queued_at IS NOT DISTINCT FROM a."readQueuedAt"
       AND p.armed_at IS NOT DISTINCT FROM a."readArmedAt" AND p.deleted_at IS NULL AND ${condition}
       FOR NO KEY UPDATE SKIP LOCKED
  ) p
),
${Object.entries(queries)
  .map(([name, query]) => `${name} AS (${query})`)
  .join(',\n')}
SELECT post_id::int AS id FROM target`;
}

/**
 * Updates posts in one statement. Returns whether each was saved; undefined for those that need a
 * statement of their own.
 */
export async function updateTogether<Update extends PostUpdate>(
  sql: Sql,
  shape: UpdateShape<Update>,
  updates: readonly Update[],
): Promise<(true | undefined)[]> {
  // One update for a post, and rows are locked in the order of their IDs.
  const byPost = new Map(updates.map((update) => [update.write.before.databaseId, update]));
  const first = [...byPost.values()].sort(
    (a, b) => a.write.before.databaseId - b.write.before.databaseId,
  );
  const parameters = new Parameters(toCallRows(first.map((update) => toCall(update, shape))));
  const events = insertEventsOfPosts(
    first.map(({ change }) => ({ change, event: eventsOf(change)[0]! })),
    'target',
    parameters,
  );
  const rows = await sql<{ id: number }>(updateStatement(shape, events), parameters.values);
  const saved = new Set(rows.map(({ id }) => id));
  return updates.map(
    (update) =>
      (byPost.get(update.write.before.databaseId) === update &&
        saved.has(update.write.before.databaseId)) ||
      undefined,
  );
}
