import type pg from 'pg';
import type { Change } from '../../domain/changes/change.js';
import { eventsOf, updateEventOf } from '../../domain/events/events-of.js';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { callRows, shareStatements, toCallRows } from '../connections/statement-sharing.js';
import { insertEventsOfPosts } from '../events/insert-events.js';
import { POST_COLUMNS, type PostColumn } from '../post-columns.js';
import { searchRow } from '../posts/search-index.js';
import { Parameters, run, toCommitError } from '../sql.js';
import { revisionChanges, writeSinglePost, type UpdateWrite } from './post-writer.js';

/** A change of one post that needs a single statement. */
interface PostUpdate {
  readonly change: Change;
  readonly write: UpdateWrite;
}

/** What the updates of a statement have in common. */
interface UpdateShape {
  readonly columns: readonly PostColumn[];
  readonly isSearched: boolean;
}

/** Maximum number of updates in a statement: it bounds how long their rows are locked. */
const MAX_UPDATES = 32;
/** Clients choose the fields that they change. Updates of further shapes run alone. */
const MAX_SHAPES = 100;

const shapeKeyOf = ({ changed }: UpdateWrite): string => changed.toSorted().join();

const shapeOf = ({ changed }: UpdateWrite): UpdateShape => ({
  columns: POST_COLUMNS.filter(({ field }) => changed.includes(field)),
  isSearched: changed.includes('text') || changed.includes('title'),
});

/** Columns of JSON arrive as text, as they do in a statement of their own. */
const recordType = ({ type }: PostColumn): string => (type === 'jsonb' ? 'text' : type);

const assignments = (columns: readonly PostColumn[], table: PostColumn['table']): string[] =>
  columns
    .filter((column) => column.table === table)
    .map(({ column, type }) => `${column} = r."${column}"::${type}`);

const KNOWN_COLUMNS =
  '"postId" bigint, "readVersion" int, "readQueuedAt" timestamptz, "readArmedAt" timestamptz, "newVersion" int, "changedAt" timestamptz, ' +
  '"authorId" text, api text, "eventType" text, "historyNote" text, history jsonb, normal text, tokens text[]';

const toRecord = ({ change: { actor, at }, write }: PostUpdate, shape: UpdateShape) => ({
  postId: write.before.databaseId,
  readVersion: write.before.version,
  readQueuedAt: write.before.queuedAt,
  readArmedAt: write.before.armedAt,
  newVersion: write.after.version,
  changedAt: at,
  authorId: actor.userId,
  api: actor.api,
  eventType: updateEventOf(write),
  historyNote: write.note ?? null,
  history: revisionChanges(write),
  ...(shape.isSearched && searchRow(write.after.workspaceId, write.after)),
  ...Object.fromEntries(shape.columns.map(({ column, valueOf }) => [column, valueOf(write.after)])),
});

/**
 * Updates the posts that are as they were read, and writes their search rows, history and events.
 * Posts whose row another transaction has locked are left out.
 */
function updateStatement({ columns, isSearched }: UpdateShape, events: string): string {
  const record = [
    KNOWN_COLUMNS,
    ...columns.map((column) => `"${column.column}" ${recordType(column)}`),
  ];
  const bodyAssignments = assignments(columns, 'post_body');
  return [
    `WITH read AS MATERIALIZED (
  SELECT a.* FROM ${callRows(record.join(', '))} a, LATERAL (
    SELECT FROM post p
     WHERE p.id = a."postId" AND p.version = a."readVersion" AND p.queued_at IS NOT DISTINCT FROM a."readQueuedAt"
       AND p.armed_at IS NOT DISTINCT FROM a."readArmedAt" AND p.deleted_at IS NULL
       FOR NO KEY UPDATE SKIP LOCKED
  ) p
)`,
    `target AS (UPDATE post p SET ${['version = r."newVersion"', 'updated_at = r."changedAt"', ...assignments(columns, 'post')].join(', ')} FROM read r WHERE p.id = r."postId" RETURNING p.id AS post_id)`,
    'history AS (INSERT INTO revision (post_id, version, user_id, at, changes, type, api, note) SELECT "postId", "newVersion", "authorId", "changedAt", history, "eventType", api, "historyNote" FROM read)',
    ...(bodyAssignments.length > 0
      ? [
          `body AS (UPDATE post_body b SET ${bodyAssignments.join(', ')} FROM read r WHERE b.post_id = r."postId")`,
        ]
      : []),
    ...(isSearched
      ? [
          'search_row AS (UPDATE post_search s SET normal = r.normal, tokens = r.tokens FROM read r WHERE s.post_id = r."postId")',
        ]
      : []),
    `events AS (${events}) SELECT post_id::int AS id FROM target`,
  ].join(',\n');
}

/** Whether each post was saved; undefined for those that need a statement of their own. */
async function saveTogether(
  pool: pg.Pool,
  shape: UpdateShape,
  updates: readonly PostUpdate[],
): Promise<(true | undefined)[]> {
  // One update for a post, and rows are locked in the order of their IDs.
  const byPost = new Map(updates.map((update) => [update.write.before.databaseId, update]));
  const first = [...byPost.values()].sort(
    (a, b) => a.write.before.databaseId - b.write.before.databaseId,
  );
  const parameters = new Parameters(toCallRows(first.map((update) => toRecord(update, shape))));
  const events = insertEventsOfPosts(
    first.map(({ change }) => ({ change, event: eventsOf(change)[0]! })),
    'target',
    parameters,
  );
  const rows = await run<{ id: number }>(
    changeConnectionsOf(pool),
    updateStatement(shape, events),
    parameters.values,
  ).catch((error: unknown) => {
    throw toCommitError(error);
  });
  const saved = new Set(rows.map(({ id }) => id));
  return updates.map(
    (update) =>
      (byPost.get(update.write.before.databaseId) === update &&
        saved.has(update.write.before.databaseId)) ||
      undefined,
  );
}

async function saveAlone(pool: pg.Pool, { change, write }: PostUpdate): Promise<true> {
  await writeSinglePost(changeConnectionsOf(pool), change, write).catch((error: unknown) => {
    throw toCommitError(error);
  });
  return true;
}

type SaveUpdate = (update: PostUpdate) => Promise<true>;
const savesByPool = new WeakMap<pg.Pool, Map<string, SaveUpdate>>();

function createSave(pool: pg.Pool, write: UpdateWrite): SaveUpdate {
  const shape = shapeOf(write);
  return shareStatements<PostUpdate, true>({
    maxCalls: MAX_UPDATES,
    groupOf: ({ change }) => change.workspaceId,
    together: (updates) => saveTogether(pool, shape, updates),
    alone: (update) => saveAlone(pool, update),
  });
}

/**
 * Saves the only post of a change, in one statement with the updates of the same fields that are
 * saved at the same time.
 * @throws RollbackError as `writePost`
 */
export async function saveUpdate(pool: pg.Pool, change: Change, write: UpdateWrite): Promise<void> {
  const update = { change, write };
  const saves = savesByPool.get(pool) ?? new Map<string, SaveUpdate>();
  savesByPool.set(pool, saves);
  const key = shapeKeyOf(write);
  const known = saves.get(key);
  if (write.restores || write.isDeleted || (!known && saves.size >= MAX_SHAPES)) {
    await saveAlone(pool, update);
    return;
  }
  const save = known ?? createSave(pool, write);
  saves.set(key, save);
  await save(update);
}
