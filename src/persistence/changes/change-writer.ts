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
import {
  createLabels,
  notificationStatements,
  writeJobs,
  writeMediaItems,
} from './change-records.js';
import { recordOutcome } from './idempotency-store.js';
import { assertConditions } from './change-conditions.js';
import { deletePosts, type PostDeletion } from './post-deletion.js';
import { insertPosts } from './post-inserter.js';
import { isSingleStatement, writePost, type UpdateWrite } from './post-writer.js';
import { saveUpdate } from './shared-updates.js';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { announceEvents } from '../events/event-wakeups.js';
import { DETACHED, insertEvents, insertPostEvents } from '../events/insert-events.js';
import { saveIfPublished } from '../publishing/published-posts.js';
import { writePublications } from '../publishing/publication-writes.js';
import { writeRemovals } from '../publishing/removal-writes.js';
import {
  inTransaction,
  inTransactionEndingWith,
  Parameters,
  run,
  runEach,
  type SqlRunner,
  toCommitError,
  type Statement,
} from '../sql.js';
import { RollbackError } from './rollback-error.js';

/** Makes the remaining children of series that end (published, failed or queued) independent. */
async function detachChildren(sql: SqlRunner, change: Change): Promise<void> {
  if (change.endedSeries.length === 0) return;
  const parameters = new Parameters(change.endedSeries);
  const { actor, at } = change;
  const events = insertPostEvents({ ...DETACHED, rows: 'detached', actor, at }, parameters);
  await run(
    sql,
    `WITH detached AS (UPDATE post SET parent_id = NULL WHERE parent_id = ANY($1::bigint[]) AND deleted_at IS NULL RETURNING *) ${events}`,
    parameters.values,
  );
}

/** Writes the events of a change of several statements (D70). */
function eventStatements(change: Change): Statement[] {
  const events = eventsOf(change);
  if (events.length === 0) return [];
  const parameters = new Parameters();
  return [{ text: insertEvents(change, events, parameters), values: parameters.values }];
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
  /** The span of the request, for the attempts at its jobs; null if it is not traced. */
  readonly traceparent: string | null;
}

/** Writes posts. @returns statements that are left to run */
async function writeGroup(
  sql: SqlRunner,
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
  sql: SqlRunner,
  change: Change,
  { idempotencyResult, hasWebhook, traceparent }: SaveOptions,
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
  // A publication can refer to a new post.
  if (change.publications.length > 0) await runEach(sql, inserts.splice(0));
  await detachChildren(sql, change);
  await writePublications(sql, change);
  await writeRemovals(sql, change);
  return [
    ...inserts,
    ...eventStatements(change),
    ...notificationStatements(change, { hasWebhook, traceparent }),
  ];
}

const OTHER_CHANGE_FIELDS = Object.keys(EMPTY_CHANGE) as (keyof typeof EMPTY_CHANGE)[];

/**
 * Runs the only statement of a change, with its events and the outcome to record. False if nothing
 * was saved, and the change needs a transaction.
 */
type SingleStatement = (pool: pg.Pool) => Promise<boolean>;

/**
 * The only statement of a change, or null if it needs several. A single statement needs no
 * transaction, which saves two round trips.
 */
function toSingleStatement(
  change: Change,
  { idempotencyResult }: SaveOptions,
): SingleStatement | null {
  const hasPostsOnly =
    !change.requiredAccountStatus &&
    change.requiredLock === undefined &&
    OTHER_CHANGE_FIELDS.every((field) => change[field].length === 0);
  if (!hasPostsOnly) return null;
  const [first, ...others] = groupWrites(change.posts);
  if (first === undefined || others.length > 0) return null;
  if (first.kind === 'update' && isSingleStatement(first.write))
    return (pool) => saveUpdate(pool, { change, write: first.write, result: idempotencyResult });
  if (first.kind !== 'delete' || idempotencyResult) return null;
  return async (pool) => {
    const deletion = { deletions: first.writes, withEvents: true };
    await deletePosts(changeConnectionsOf(pool), change, deletion).catch((error: unknown) => {
      throw toCommitError(error);
    });
    return true;
  };
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
    const runStatement =
      toSingleStatement(change, options) ?? ((): Promise<boolean> => saveIfPublished(pool, change));
    if (!(await runStatement(pool)))
      await inTransactionEndingWith(pool, (sql) => writeChange(sql, change, options));
    announceEvents(pool, change.workspaceId);
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
      await runEach(sql, await writeChange(sql, change, options));
      throw new RollbackError({ kind: 'saved' });
    }),
  );
