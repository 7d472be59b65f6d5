import type { Change, PostWrite } from '../../domain/changes/change.js';
import { eventsOf, updateEventOf } from '../../domain/events/events-of.js';
import type { Post } from '../../domain/posts/post.js';
import { changesSearch } from '../../domain/search/search-document.js';
import type { IdempotencyResult } from './idempotency-store.js';
import type { Database } from '../database.js';
import { insertEvents } from '../events/insert-events.js';
import { POST_COLUMNS, searchRow, toStored, type PostColumn } from '../posts/post-rows.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';
import { Parameters, type Sql } from '../sql.js';
import { OUTCOMES } from './idempotency-store.js';
import { NotSavedError } from './change-conditions.js';

/** The update of one post of a change. */
export type UpdateWrite = Extract<PostWrite, { kind: 'update' }>;

/** An update, and the change that it is a part of. */
export interface PostUpdate {
  readonly change: Change;
  readonly write: UpdateWrite;
}

/** Further columns of `read`, with the definitions of their types. */
interface MoreColumns<Update extends PostUpdate> {
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
  readonly effects?: Readonly<Record<string, string>>;
  /** Whether the posts are deleted before the update, and after it. */
  readonly deleted?: { readonly before: boolean; readonly after: boolean };
}

interface UpdateOptions {
  /** Whether the statement writes the events of the changes: of one post each. */
  readonly withEvents: boolean;
  /** Whether the statement leaves out posts that another transaction has locked. */
  readonly skipsLocked: boolean;
}

/** Fields that tell how far a publication, a series or an approval is: not part of the history. */
const PROGRESS_FIELDS: ReadonlySet<keyof Post> = new Set([
  'queuedAt',
  'armedAt',
  'retryAt',
  'occurrenceDate',
  'extendAt',
  'pausedAfterApproval',
]);

/** The values of the changed fields before and after, as the history of the post keeps them. */
const revisionChanges = ({ before, after, changed }: UpdateWrite): Record<string, unknown> =>
  Object.fromEntries(
    changed
      .filter((field) => !PROGRESS_FIELDS.has(field))
      .map((field) => [
        field,
        { from: toStored(field, before[field]), to: toStored(field, after[field]) },
      ]),
  );

/** Columns of JSON arrive as text, as they do in an INSERT. */
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

const NOT_DELETED = { before: false, after: false };

/**
 * The only UPDATE of posts by a change: updates the columns of both tables, the search index and
 * what the shape adds, and writes the history, for posts that are as they were read.
 */
function updateStatement<Update extends PostUpdate>(
  {
    columns,
    more = [],
    condition = 'true',
    ready,
    effects,
    deleted = NOT_DELETED,
  }: UpdateShape<Update>,
  { events, skipsLocked }: { events: string | null; skipsLocked: boolean },
): string {
  const calls = [
    KNOWN_COLUMNS,
    ...more.map(({ types }) => types),
    ...columns.map((column) => `"${column.column}" ${callType(column)}`),
  ];
  const changed = [
    'version = r."newVersion"',
    'updated_at = r."changedAt"',
    ...(deleted.before && !deleted.after ? ['deleted_at = NULL'] : []),
    ...assignments(columns, 'post'),
  ];
  const bodyChanged = assignments(columns, 'post_body');
  const queries = {
    ...(ready && { ready }),
    updates: ready
      ? 'SELECT r.* FROM read r JOIN ready ON ready.post_id = r."postId"'
      : 'SELECT * FROM read',
    target: `UPDATE post p SET ${changed.join(', ')} FROM updates r WHERE p.id = r."postId" RETURNING p.id AS post_id, r.n`,
    history: `INSERT INTO revision (post_id, version, user_id, at, changes, type, api, note) SELECT "postId", "newVersion", "authorId", "changedAt", history, "eventType", api, "historyNote" FROM updates r`,
    ...(bodyChanged.length > 0 && {
      body: `UPDATE post_body b SET ${bodyChanged.join(', ')} FROM updates r WHERE b.post_id = r."postId"`,
    }),
    ...effects,
    ...(events !== null && { events }),
  };
  return `WITH read AS MATERIALIZED (
  SELECT a.* FROM ${callRows(calls.join(', '))} a, LATERAL (
    SELECT FROM post p
     WHERE p.id = a."postId" AND p.version = a."readVersion" AND p.queued_at IS NOT DISTINCT FROM a."readQueuedAt"
       AND p.armed_at IS NOT DISTINCT FROM a."readArmedAt" AND p.deleted_at IS ${deleted.before ? 'NOT NULL' : 'NULL'} AND ${condition}
       FOR NO KEY UPDATE${skipsLocked ? ' SKIP LOCKED' : ''}
  ) p
),
${Object.entries(queries)
  .map(([name, query]) => `${name} AS (${query})`)
  .join(',\n')}
SELECT n FROM target`;
}

/**
 * Updates posts in one statement. Returns whether each was saved: not those that changed since they
 * were read (another version, queued in the meantime (D23), deleted or restored).
 */
async function updatePosts<Update extends PostUpdate>(
  sql: Sql,
  shape: UpdateShape<Update>,
  { updates, withEvents, skipsLocked }: UpdateOptions & { readonly updates: readonly Update[] },
): Promise<boolean[]> {
  const parameters = new Parameters(toCallRows(updates.map((update) => toCall(update, shape))));
  const changes = withEvents
    ? updates.map(({ change }) => ({ change, events: eventsOf(change) }))
    : [];
  const events = changes.some((change) => change.events.length > 0)
    ? insertEvents(changes, parameters, 'target')
    : null;
  const rows = await sql<{ n: number }>(
    updateStatement(shape, { events, skipsLocked }),
    parameters.values,
  );
  const saved = new Set(rows.map(({ n }) => n));
  return updates.map((_, n) => saved.has(n));
}

/** The search rows of posts, if searched fields change. */
const SEARCH_ROWS = {
  more: {
    types: 'normal text, tokens text[]',
    valuesOf: ({ write: { after } }: PostUpdate) => searchRow(after.workspaceId, after),
  },
  effects: {
    search_row:
      'UPDATE post_search s SET normal = r.normal, tokens = r.tokens FROM updates r WHERE s.post_id = r."postId"',
  },
};

/** An update, and the outcome to record with it if its request has an idempotency key. */
interface RecordedUpdate extends PostUpdate {
  readonly result: IdempotencyResult | undefined;
}

function shapeOf({ write, result }: RecordedUpdate): UpdateShape<RecordedUpdate> {
  const { changed, restores = false, isDeleted = false } = write;
  const search = changesSearch(changed) ? SEARCH_ROWS : null;
  return {
    columns: POST_COLUMNS.filter(({ field }) => changed.includes(field)),
    more: [...(search ? [search.more] : []), ...(result ? [OUTCOMES.more] : [])],
    ...(result && { ready: OUTCOMES.ready }),
    ...(search && { effects: search.effects }),
    deleted: { before: restores || isDeleted, after: isDeleted },
  };
}

/**
 * Updates one post, and waits for a transaction that has locked it.
 * @throws NotSavedError if the row changed since it was read
 */
export async function writeUpdate(
  sql: Sql,
  update: PostUpdate,
  { withEvents }: { readonly withEvents: boolean },
): Promise<void> {
  const updates = [{ ...update, result: undefined }];
  const options = { updates, withEvents, skipsLocked: false };
  const [isSaved] = await updatePosts(sql, shapeOf(updates[0]!), options);
  if (!isSaved) throw new NotSavedError({ kind: 'conflict' });
}

/**
 * Updates posts in one statement, each with its events. Returns whether each was saved; undefined
 * for those that need a statement of their own.
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
  const options = { updates: first, withEvents: true, skipsLocked: true };
  const isSaved = await updatePosts(sql, shape, options);
  const saved = new Set(first.filter((_, index) => isSaved[index]));
  return updates.map((update) => saved.has(update) || undefined);
}

/** Maximum number of updates in a statement: it bounds how long their rows are locked. */
const MAX_UPDATES = 32;
/** Clients choose the fields that they change. Updates of further shapes run alone. */
const MAX_SHAPES = 100;

const shapeKeyOf = ({ write: { changed }, result }: RecordedUpdate): string =>
  [...changed.toSorted(), ...(result ? ['with record'] : [])].join();

/** False if the update needs a transaction, in which its outcome is recorded. */
async function saveAlone(sql: Sql, update: RecordedUpdate): Promise<boolean> {
  if (update.result) return false;
  await writeUpdate(sql, update, { withEvents: true });
  return true;
}

/**
 * Saves the only post of changes, each in one statement with the updates of the same fields that
 * are saved at the same time. False if it was not saved, and has to be saved in a transaction.
 * @throws NotSavedError as `writeUpdate`
 */
export function createUpdates({
  change,
  share,
}: Database): (update: RecordedUpdate) => Promise<boolean> {
  const saves = new Map<string, (update: RecordedUpdate) => Promise<boolean>>();

  function createSave(update: RecordedUpdate) {
    const shape = shapeOf(update);
    return share<RecordedUpdate, boolean>({
      changesPosts: true,
      maxCalls: MAX_UPDATES,
      groupOf: ({ change: { workspaceId } }) => workspaceId,
      together: (updates) => updateTogether(change, shape, updates),
      alone: (left) => saveAlone(change, left),
    });
  }

  return async (update) => {
    const { write } = update;
    const key = shapeKeyOf(update);
    const known = saves.get(key);
    if (write.restores || write.isDeleted || (!known && saves.size >= MAX_SHAPES))
      return saveAlone(change, update);
    const save = known ?? createSave(update);
    saves.set(key, save);
    return save(update);
  };
}
