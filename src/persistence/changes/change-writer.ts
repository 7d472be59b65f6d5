import type pg from 'pg';
import {
  EMPTY_CHANGE,
  type Change,
  type InsertWrite,
  type PostWrite,
} from '../../domain/changes/change.js';
import { eventsOf } from '../../domain/events/events-of.js';
import type { IdempotencyResult, SaveOutcome } from '../../services/posts/post-ports.js';
import { reserveCaps } from './cap-reservations.js';
import { assertFreeQueueSlots } from './queue-slots.js';
import { createLabels, writeJobs, writeMediaItems, writeNotifications } from './change-records.js';
import { recordOutcome } from './idempotency-store.js';
import { deletePosts, type PostDeletion } from './post-deletion.js';
import { insertPosts } from './post-inserter.js';
import { isSingleStatement, writePost, writeSinglePost, type UpdateWrite } from './post-writer.js';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { detachedEvents, insertEvents } from '../events/insert-events.js';
import { writePublications } from '../publishing/publication-writes.js';
import { inTransaction, Parameters, run, toCommitError, type SqlRunner } from '../sql.js';
import { RollbackError } from './rollback-error.js';

/**
 * @throws RollbackError if an occurrence of one of these series was queued since the change was
 * decided (D23)
 */
async function assertNoQueuedChildren(
  sql: SqlRunner,
  { seriesWithoutQueuedChildren }: Change,
): Promise<void> {
  for (const parentId of seriesWithoutQueuedChildren) {
    const queued = await run(
      sql,
      'SELECT 1 FROM post WHERE parent_id = $1 AND queued_at IS NOT NULL AND deleted_at IS NULL LIMIT 1',
      [parentId],
    );
    if (queued.length > 0) throw new RollbackError({ kind: 'conflict' });
  }
}

/** Makes the remaining children of series that end (published, failed or queued) independent. */
async function detachChildren(sql: SqlRunner, change: Change): Promise<void> {
  if (change.endedSeries.length === 0) return;
  const parameters = new Parameters(change.endedSeries);
  const events = detachedEvents('detached', change, parameters);
  await run(
    sql,
    `WITH detached AS (UPDATE post SET parent_id = NULL WHERE parent_id = ANY($1::bigint[]) AND deleted_at IS NULL RETURNING *) ${events}`,
    parameters.values,
  );
}

/** Writes the events of a change of several statements (D70). */
async function writeEvents(sql: SqlRunner, change: Change): Promise<void> {
  const events = eventsOf(change);
  if (events.length === 0) return;
  const parameters = new Parameters();
  const insert = insertEvents(change, events, parameters);
  await run(sql, insert, parameters.values);
}

/** Locks the account until the change is saved. @throws RollbackError if its status changed */
async function assertAccountStatus(
  sql: SqlRunner,
  { requiredAccountStatus }: Change,
): Promise<void> {
  if (!requiredAccountStatus) return;
  const { accountId, needsReauth } = requiredAccountStatus;
  const accounts = await run(
    sql,
    'SELECT 1 FROM account WHERE id = $1 AND needs_reauth = $2 FOR SHARE',
    [accountId, needsReauth],
  );
  if (accounts.length === 0) throw new RollbackError({ kind: 'conflict' });
}

/** Keeps the lock of the workspace until the change is saved. @throws RollbackError if it changed */
async function assertLock(sql: SqlRunner, { workspaceId, requiredLock }: Change): Promise<void> {
  if (requiredLock === undefined) return;
  const workspaces = await run(
    sql,
    'SELECT 1 FROM workspace WHERE id = $1 AND locked = $2 FOR SHARE',
    [workspaceId, requiredLock],
  );
  if (workspaces.length === 0) throw new RollbackError({ kind: 'conflict' });
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

const replacesSlots = (write: PostWrite): boolean =>
  write.kind === 'delete' || write.slots !== null;

interface SaveOptions {
  /** Outcome to record with the change. */
  readonly idempotencyResult?: IdempotencyResult | undefined;
  /** Whether notifications are delivered to a webhook. */
  readonly hasWebhook: boolean;
}

function writeGroup(sql: SqlRunner, change: Change, group: WriteGroup): Promise<void> {
  if (group.kind === 'update') return writePost(sql, change, group.write);
  return group.kind === 'delete'
    ? deletePosts(sql, change, { deletions: group.writes, events: [] })
    : insertPosts(sql, change, group.writes);
}

async function writeChange(
  sql: SqlRunner,
  change: Change,
  { idempotencyResult, hasWebhook }: SaveOptions,
): Promise<SaveOutcome> {
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
  await writeJobs(sql, change);
  await assertNoQueuedChildren(sql, change);
  await assertAccountStatus(sql, change);
  await assertLock(sql, change);
  for (const group of groupWrites(inLockOrder(change.posts))) await writeGroup(sql, change, group);
  await detachChildren(sql, change);
  await writePublications(sql, change);
  await writeEvents(sql, change);
  await writeNotifications(sql, change, hasWebhook);
  return { kind: 'saved' };
}

const OTHER_CHANGE_FIELDS = Object.keys(EMPTY_CHANGE) as (keyof typeof EMPTY_CHANGE)[];

/** Runs the only statement of a change, its events included. */
type SingleStatement = (sql: SqlRunner) => Promise<void>;

/**
 * The only statement of a change, or null if it needs several. A single statement needs no
 * transaction, which saves two round trips.
 */
function toSingleStatement(
  change: Change,
  { idempotencyResult }: SaveOptions,
): SingleStatement | null {
  const hasPostsOnly =
    !idempotencyResult &&
    !change.requiredAccountStatus &&
    change.requiredLock === undefined &&
    OTHER_CHANGE_FIELDS.every((field) => change[field].length === 0);
  if (!hasPostsOnly) return null;
  const [first, ...others] = groupWrites(change.posts);
  if (first === undefined || others.length > 0) return null;
  if (first.kind === 'delete')
    return (sql) => deletePosts(sql, change, { deletions: first.writes, events: eventsOf(change) });
  return first.kind === 'update' && isSingleStatement(first.write)
    ? (sql) => writeSinglePost(sql, change, first.write)
    : null;
}

/**
 * SQLSTATEs of serialization failures and deadlocks: the change is decided again on the current
 * state.
 */
const RETRYABLE = new Set(['40001', '40P01']);

async function toSaveOutcome(work: () => Promise<SaveOutcome>): Promise<SaveOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RollbackError) return error.outcome;
    if (RETRYABLE.has((error as { code?: string }).code ?? '')) return { kind: 'conflict' };
    throw error;
  }
}

/**
 * Saves a change in one transaction: all rows or none, within all caps, with its events, its jobs
 * and the idempotency record.
 */
export const saveChange = (
  pool: pg.Pool,
  change: Change,
  options: SaveOptions,
): Promise<SaveOutcome> =>
  toSaveOutcome(async () => {
    const runStatement = toSingleStatement(change, options);
    if (!runStatement) return inTransaction(pool, (sql) => writeChange(sql, change, options));
    await runStatement(changeConnectionsOf(pool)).catch((error: unknown) => {
      throw toCommitError(error);
    });
    return { kind: 'saved' };
  });

/**
 * Like `saveChange`, but rolls back at the end: all rules and constraints are checked, nothing is
 * stored (D28).
 */
export const dryRunChange = (
  pool: pg.Pool,
  change: Change,
  options: SaveOptions,
): Promise<SaveOutcome> =>
  toSaveOutcome(() =>
    inTransaction(pool, async (sql) => {
      throw new RollbackError(await writeChange(sql, change, options));
    }),
  );
