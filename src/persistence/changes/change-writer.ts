import {
  type Change,
  type PostWrite,
  EMPTY_CHANGE,
  type InsertWrite,
  type SaveOutcome,
} from '../../domain/changes/change.js';
import {
  DETACHED,
  insertPostEvents,
  POST_EVENT_COLUMNS,
  insertEvents,
  announceEvents,
} from '../events/insert-events.js';
import { Parameters, type Sql, runEach, type Statement } from '../sql.js';
import {
  NotSavedError,
  reserveCaps,
  writeSlots,
  assertConditions,
  assertFreeQueueSlots,
  assertSeries,
} from './change-conditions.js';
import { eventsOf } from '../../domain/events/events-of.js';
import { liveFields } from '../../domain/networks/live-fields.js';
import { type IdempotencyResult, recordOutcome } from './idempotency-store.js';
import type { Database } from '../database.js';
import {
  createLabels,
  notificationStatements,
  writeJobs,
  writeMediaItems,
} from './change-records.js';
import { insertPosts, writeLabels, writeMedia, writeSync } from './post-inserter.js';
import { createUpdates, writeUpdate, type UpdateWrite } from './post-updates.js';
import { createPublishedPosts } from '../publishing/published-posts.js';
import { writePublications, writeRemovals } from '../publishing/publication-writes.js';

/** The deletion of one post of a change. */
type PostDeletion = Extract<PostWrite, { kind: 'delete' }>;

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

/**
 * Remaining occurrences of a deleted series (published or failed, and drafts) become independent
 * posts (D23). Their dates stay exceptions, for when the series is restored.
 */
const DETACH_OCCURRENCES = `orphans AS (UPDATE post c SET parent_id = NULL FROM target t WHERE c.parent_id = t.id AND c.deleted_at IS NULL AND NOT EXISTS (SELECT FROM target d WHERE d.id = c.id) RETURNING ${eventColumnsOf('c')}, t.id AS series_id, c.occurrence_date), exceptions AS (INSERT INTO series_exception (series_id, date) SELECT series_id, occurrence_date FROM orphans WHERE occurrence_date IS NOT NULL ON CONFLICT DO NOTHING)`;

/** Only series have occurrences. */
const deletesSeries = (deletions: readonly PostDeletion[]): boolean =>
  deletions.some(({ before }) => before.storedState === 'recurring');

/**
 * Deletes posts of a change in one statement. `withEvents`: with the events of the deletions, in
 * the order of the request.
 * @throws NotSavedError if a row changed since it was read: another version, queued in the meantime
 * (D23), or deleted
 */
async function deletePosts(
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
  if (rows.length < posts.length) throw new NotSavedError({ kind: 'conflict' });
}

/**
 * Makes the remaining children of series that end independent. Deleted ones, too: a later rule of
 * the same post has no exceptions.
 */
async function detachChildren(sql: Sql, change: Change): Promise<void> {
  if (change.endedSeries.length === 0) return;
  const parameters = new Parameters(change.endedSeries);
  const { actor, at } = change;
  const events = insertPostEvents({ ...DETACHED, rows: 'detached', actor, at }, parameters);
  await sql(
    `WITH all_detached AS (UPDATE post SET parent_id = NULL, occurrence_date = NULL WHERE parent_id = ANY($1::bigint[]) RETURNING *), detached AS (SELECT * FROM all_detached WHERE deleted_at IS NULL), exceptions AS (DELETE FROM series_exception WHERE series_id = ANY($1::bigint[])) ${events}`,
    parameters.values,
  );
}

/** The dates of occurrences that a change of the rule deletes are no exceptions. */
async function releaseDates(sql: Sql, { releasedOccurrences }: Change): Promise<void> {
  if (releasedOccurrences.length === 0) return;
  await sql('UPDATE post SET occurrence_date = NULL WHERE id = ANY($1::bigint[])', [
    releasedOccurrences,
  ]);
}

/** Writes the events of a change of several statements (D70). */
function eventStatements(change: Change): Statement[] {
  const events = eventsOf(change);
  if (events.length === 0) return [];
  const parameters = new Parameters();
  return [{ text: insertEvents([{ change, events }], parameters), values: parameters.values }];
}

/**
 * Existing rows first, occurrences before their series, in an order that is the same for all
 * changes, which prevents deadlocks; then new rows.
 */
function inLockOrder(posts: readonly PostWrite[]): PostWrite[] {
  const position = (write: PostWrite): number =>
    write.kind === 'insert' ? 0 : -write.before.databaseId;
  return posts.toSorted((a, b) => position(a) - position(b));
}

/** Writes that are sent together: one update, or consecutive deletions or inserts. */
type WriteGroup =
  | { readonly kind: 'update'; readonly write: UpdateWrite }
  | { readonly kind: 'delete'; readonly writes: PostDeletion[] }
  | { readonly kind: 'insert'; readonly writes: InsertWrite[] };

/** Groups consecutive deletions and inserts; the order stays the same. */
function groupWrites(posts: readonly PostWrite[]): WriteGroup[] {
  const groups: WriteGroup[] = [];
  for (const write of posts) {
    const last = groups.at(-1);
    if (write.kind === 'update') groups.push({ kind: 'update', write });
    else if (write.kind === 'delete' && last?.kind === 'delete') last.writes.push(write);
    else if (write.kind === 'insert' && last?.kind === 'insert') last.writes.push(write);
    else if (write.kind === 'delete') groups.push({ kind: 'delete', writes: [write] });
    else groups.push({ kind: 'insert', writes: [write] });
  }
  return groups;
}

/** Whether the write starts a network update. */
const startsNetworkUpdate = ({ before, after }: UpdateWrite): boolean =>
  after.networkSync !== null && after.networkSync !== before.networkSync;

/**
 * Whether a write is a single statement: it changes columns but no relations, slots or network
 * update.
 */
const isSingleStatement = (write: UpdateWrite): boolean =>
  !write.changed.includes('labels') &&
  !write.changed.includes('media') &&
  write.slots === null &&
  !startsNetworkUpdate(write);

/** Updates one post of a change with its relations, without its events. */
async function writePost(sql: Sql, change: Change, write: UpdateWrite): Promise<void> {
  const { after, before, changed, slots } = write;
  await writeUpdate(sql, { change, write }, { withEvents: false });
  if (changed.includes('labels')) await writeLabels(sql, after);
  if (changed.includes('media')) await writeMedia(sql, after);
  if (slots) await writeSlots(sql, after.databaseId, slots);
  if (!startsNetworkUpdate(write)) return;
  const sync = after.networkSync!;
  const live = liveFields(sync.status === 'synced' ? after : before);
  await runEach(sql, [writeSync(after.databaseId, { sync, live })]);
}

const replacesSlots = (write: PostWrite): boolean =>
  write.kind === 'delete' || write.slots !== null;

interface SaveOptions {
  /** Outcome to record with the change. */
  readonly idempotencyResult?: IdempotencyResult | undefined;
  /** The span of the request, for the attempts at its jobs; null if it is not traced. */
  readonly traceparent: string | null;
}

/** Writes posts. @returns statements that are left to run */
async function writeGroup(
  sql: Sql,
  change: Change,
  group: WriteGroup,
): Promise<readonly Statement[]> {
  if (group.kind === 'insert') return insertPosts(sql, change, group.writes);
  if (group.kind === 'update') await writePost(sql, change, group.write);
  else await deletePosts(sql, change, { deletions: group.writes, withEvents: false });
  return [];
}

/**
 * Writes a change, apart from its last statements, which cannot be in conflict with another change.
 * @returns those statements
 */
async function writeChange(
  sql: Sql,
  change: Change,
  { idempotencyResult, traceparent }: SaveOptions,
): Promise<readonly Statement[]> {
  const postIdsWithReplacedSlots = change.posts
    .filter(replacesSlots)
    .map((write) => (write.kind === 'delete' ? write.before : write.after).databaseId);
  if (idempotencyResult) await recordOutcome(sql, idempotencyResult);
  await reserveCaps(
    sql,
    change.capReservations.filter((reservation) => reservation.add.length > 0),
    postIdsWithReplacedSlots,
  );
  await assertFreeQueueSlots(sql, change);
  await createLabels(sql, change);
  await writeMediaItems(sql, change);
  await writeJobs(sql, change, traceparent);
  await assertConditions(sql, change);
  const inserts: Statement[] = [];
  for (const group of groupWrites(inLockOrder(change.posts)))
    inserts.push(...(await writeGroup(sql, change, group)));
  await assertSeries(sql, change);
  // A publication can refer to a new post.
  if (change.publications.length > 0) await runEach(sql, inserts.splice(0));
  await releaseDates(sql, change);
  await detachChildren(sql, change);
  await writePublications(sql, change);
  await writeRemovals(sql, change);
  return [...inserts, ...eventStatements(change), ...notificationStatements(change)];
}

const OTHER_CHANGE_FIELDS = Object.keys(EMPTY_CHANGE) as (keyof typeof EMPTY_CHANGE)[];

const isPostsOnly = (change: Change): boolean =>
  !change.requiredAccountStatus &&
  change.requiredLock === undefined &&
  OTHER_CHANGE_FIELDS.every((field) => change[field].length === 0);

/**
 * Creates the function that saves changes in a single statement each, with its events and the
 * outcome to record: that needs no transaction, which saves two round trips. It returns false if
 * nothing was saved, and the change needs a transaction.
 */
function createSingleStatements(
  database: Database,
): (change: Change, options: SaveOptions) => Promise<boolean> {
  const saveUpdate = createUpdates(database);
  const savePublished = createPublishedPosts(database);
  return async (change, { idempotencyResult }) => {
    const [first, ...others] = isPostsOnly(change) ? groupWrites(change.posts) : [];
    if (first && others.length === 0) {
      if (first.kind === 'update' && isSingleStatement(first.write))
        return saveUpdate({ change, write: first.write, result: idempotencyResult });
      if (first.kind === 'delete' && !idempotencyResult) {
        await deletePosts(database.change, change, { deletions: first.writes, withEvents: true });
        return true;
      }
    }
    return savePublished(change);
  };
}

/**
 * SQLSTATEs of serialization failures and deadlocks: the change is decided again on the current
 * state.
 */
const RETRYABLE = new Set(['40001', '40P01']);

/**
 * Constraints that a change breaks after another one: the unique index that allows one occurrence for
 * each date of a series, and the reference to a media item that was deleted since it was found.
 */
const CONFLICTING = new Set(['post_occurrence_key', 'post_media_media_id_fkey']);

/** An error of PostgreSQL. */
interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
}

async function toSaveOutcome(work: () => Promise<SaveOutcome>): Promise<SaveOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotSavedError) return error.outcome;
    const { code, constraint } = error as DatabaseError;
    if (RETRYABLE.has(code ?? '') || CONFLICTING.has(constraint ?? '')) return { kind: 'conflict' };
    throw error;
  }
}

/** Saves changes of posts. */
export interface ChangeWriter {
  /**
   * Saves a change in one transaction: all rows or none, within all caps, with its events, its jobs
   * and the idempotency record.
   */
  save(change: Change, options: SaveOptions): Promise<SaveOutcome>;
  /**
   * Like `save`, but rolls back at the end: all rules and constraints are checked, nothing is
   * stored (D28).
   */
  dryRun(change: Change, options: SaveOptions): Promise<SaveOutcome>;
}

/** Creates the writer of changes to a database. */
export function createChangeWriter(database: Database): ChangeWriter {
  const saveInOneStatement = createSingleStatements(database);
  return {
    save: (change, options) =>
      toSaveOutcome(async () => {
        if (!(await saveInOneStatement(change, options)))
          await database.transaction(async (sql, atEnd) =>
            atEnd(await writeChange(sql, change, options)),
          );
        announceEvents(database, change.workspaceId);
        return { kind: 'saved' };
      }),
    dryRun: (change, options) =>
      toSaveOutcome(() =>
        database.transaction(async (sql) => {
          await runEach(sql, await writeChange(sql, change, options));
          throw new NotSavedError({ kind: 'saved' });
        }),
      ),
  };
}
