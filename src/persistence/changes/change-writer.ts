import type pg from 'pg';
import {
  POSTS_ALONE,
  type Change,
  type KeptWrite,
  type PostWrite,
} from '../../domain/changes/change.js';
import { labelKey } from '../../domain/posts/post.js';
import type { FulfilledClaim, SaveOutcome } from '../../services/ports.js';
import { takeCaps } from './cap-reservations.js';
import { fulfilClaim } from './idempotency-store.js';
import { queueJob } from '../jobs/job-queue.js';
import { removePosts, type Removal } from './post-remover.js';
import { isOneWrite, writePost } from './post-writer.js';
import { inTransaction, run, type SqlRunner } from '../sql.js';
import { Stop } from './rollback-error.js';

/** Makes the labels that are missing. Where a twin was made meanwhile the change is decided again, with that one. */
async function makeLabels(sql: SqlRunner, { workspaceId, newLabels }: Change): Promise<void> {
  for (const label of newLabels.toSorted((a, b) =>
    labelKey(a.name) < labelKey(b.name) ? -1 : 1,
  )) {
    // one order for all: no deadlock
    const made = await run(
      sql,
      'INSERT INTO label (id, workspace_id, name, name_key, color) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (workspace_id, name_key) DO NOTHING RETURNING id',
      [label.id, workspaceId, label.name, labelKey(label.name), label.color],
    );
    if (made.length === 0) throw new Stop({ kind: 'conflict' });
  }
}

async function writeMediaItems(
  sql: SqlRunner,
  { workspaceId, newMedia, intoLibrary }: Change,
): Promise<void> {
  for (const one of newMedia) {
    await run(
      sql,
      'INSERT INTO media (id, workspace_id, type, url, title, alt_text, in_library) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [one.id, workspaceId, one.type, one.url, one.title, one.altText, one.inLibrary],
    );
  }
  if (intoLibrary.length > 0)
    await run(
      sql,
      'UPDATE media SET in_library = true WHERE workspace_id = $1 AND id = ANY($2::text[])',
      [workspaceId, intoLibrary],
    );
}

/** A job stands in the line from the moment that its change is saved, or not at all. */
async function writeJobs(sql: SqlRunner, { workspaceId, userId, jobs }: Change): Promise<void> {
  for (const job of jobs) {
    await run(
      sql,
      'INSERT INTO job (id, workspace_id, user_id, kind, status, progress, failures, post_id, post_version, created_at, finished_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
      [
        job.id,
        workspaceId,
        userId,
        job.kind,
        job.status,
        job.progress,
        JSON.stringify(job.failures),
        job.postId,
        job.postVersion,
        job.createdAt,
        job.finishedAt,
      ],
    );
    if (job.status === 'working') await queueJob(sql, job);
  }
}

async function writeNotifications(
  sql: SqlRunner,
  { workspaceId, userId, notifications, at }: Change,
  areDelivered: boolean,
): Promise<void> {
  if (notifications.length === 0) return;
  const [ids, postIds] = [
    notifications.map(({ id }) => id),
    notifications.map(({ postId }) => postId),
  ];
  await run(
    sql,
    'INSERT INTO notification (id, user_id, workspace_id, kind, message, post_id, created_at) SELECT n.id, n.user_id, $1, n.kind, n.message, n.post_id, $2 ' +
      'FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) AS n(id, user_id, kind, message, post_id)',
    [
      workspaceId,
      at,
      ids,
      notifications.map((note) => note.userId),
      notifications.map(({ kind }) => kind),
      notifications.map(({ message }) => message),
      postIds,
    ],
  );
  if (!areDelivered) return;
  const jobs = ids.map((id) => ({ id: id.replace(/^ntf/, 'job'), kind: 'notification' }) as const); // one each: as unique as the notification
  await run(
    sql,
    "INSERT INTO job (id, workspace_id, user_id, kind, post_id, notification_id, created_at) SELECT j.id, $1, $2, 'notification', j.post_id, j.notification_id, $3 " +
      'FROM unnest($4::text[], $5::bigint[], $6::text[]) AS j(id, post_id, notification_id)',
    [workspaceId, userId, at, jobs.map(({ id }) => id), postIds, ids],
  );
  for (const job of jobs) await queueJob(sql, job);
}

/** Stops where a child of one of these series was queued after the decision (D23). */
async function assertUnqueued(sql: SqlRunner, { unqueuedSeries }: Change): Promise<void> {
  for (const parentId of unqueuedSeries) {
    const queued = await run(
      sql,
      'SELECT 1 FROM post WHERE parent_id = $1 AND queued_at IS NOT NULL AND deleted_at IS NULL LIMIT 1',
      [parentId],
    );
    if (queued.length > 0) throw new Stop({ kind: 'conflict' });
  }
}

/** Stops where the account stands otherwise by now, and keeps it so until the change is saved. */
async function assertStanding(sql: SqlRunner, { whileAccount }: Change): Promise<void> {
  if (!whileAccount) return;
  const { accountId, needsReauth } = whileAccount;
  const found = await run(
    sql,
    'SELECT 1 FROM account WHERE id = $1 AND needs_reauth = $2 FOR SHARE',
    [accountId, needsReauth],
  );
  if (found.length === 0) throw new Stop({ kind: 'conflict' });
}

/** Rows that exist, children before their series and in one order for all, so that no two changes lock each other out; then new ones. */
function inOrder(posts: readonly PostWrite[]): PostWrite[] {
  const place = (write: PostWrite): number =>
    write.kind === 'insert' ? 0 : -write.before.databaseId;
  return posts.toSorted((a, b) => place(a) - place(b));
}

/** What goes to the database together. */
type Run = KeptWrite | Removal[];

/** The same writes in the same order, removals that follow one another together. */
function runsOf(posts: readonly PostWrite[]): Run[] {
  const runs: Run[] = [];
  for (const write of posts) {
    const last = runs.at(-1);
    if (write.kind !== 'remove') runs.push(write);
    else if (Array.isArray(last)) last.push(write);
    else runs.push([write]);
  }
  return runs;
}

const decidesSlots = (write: PostWrite): boolean => write.kind === 'remove' || write.slots !== null;

interface SaveOptions {
  /** The claim to fulfil with the change. */
  readonly record?: FulfilledClaim | undefined;
  /** Whether notifications go to a webhook, by a job each. */
  readonly areDelivered: boolean;
}

const writeRun = (sql: SqlRunner, change: Change, one: Run): Promise<void> =>
  Array.isArray(one) ? removePosts(sql, change, one) : writePost(sql, change, one);

async function writeChange(
  sql: SqlRunner,
  change: Change,
  { record, areDelivered }: SaveOptions,
): Promise<SaveOutcome> {
  const replaced = change.posts
    .filter(decidesSlots)
    .map((write) => (write.kind === 'remove' ? write.before : write.after).databaseId);
  if (record) await fulfilClaim(sql, record);
  await takeCaps(
    sql,
    change.claims.filter((claim) => claim.add.length > 0),
    replaced,
  );
  await makeLabels(sql, change);
  await writeMediaItems(sql, change);
  await writeJobs(sql, change);
  await assertUnqueued(sql, change);
  await assertStanding(sql, change);
  for (const one of runsOf(inOrder(change.posts))) await writeRun(sql, change, one);
  await writeNotifications(sql, change, areDelivered);
  return { kind: 'saved' };
}

const BESIDE_POSTS = Object.keys(POSTS_ALONE) as (keyof typeof POSTS_ALONE)[];

/** All there is to write, where that is one statement, which is a transaction by itself: two round trips fewer. */
function soleStatement(change: Change, { record }: SaveOptions): Run | null {
  const isAlone =
    !record && !change.whileAccount && BESIDE_POSTS.every((part) => change[part].length === 0);
  if (!isAlone) return null;
  const [first, ...others] = runsOf(change.posts);
  return first !== undefined && others.length === 0 && (Array.isArray(first) || isOneWrite(first))
    ? first
    : null;
}

/** SQLSTATEs of a transaction that another one got in the way of: decided again on what is there now. */
const RETRYABLE = new Set(['40001', '40P01']);

async function attempt(work: () => Promise<SaveOutcome>): Promise<SaveOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stop) return error.outcome;
    if (RETRYABLE.has((error as { code?: string }).code ?? '')) return { kind: 'conflict' };
    throw error;
  }
}

/** Saves a change in one transaction: every row or none, within every cap, with its jobs and the idempotency record. */
export const saveChange = (
  pool: pg.Pool,
  change: Change,
  options: SaveOptions,
): Promise<SaveOutcome> =>
  attempt(async () => {
    const alone = soleStatement(change, options);
    if (!alone) return inTransaction(pool, (sql) => writeChange(sql, change, options));
    await writeRun(pool, change, alone);
    return { kind: 'saved' };
  });

/** The same, taken back at its end: every rule and constraint speaks, nothing stays (D28). */
export const rehearseChange = (
  pool: pg.Pool,
  change: Change,
  options: SaveOptions,
): Promise<SaveOutcome> =>
  attempt(() =>
    inTransaction(pool, async (sql) => {
      throw new Stop(await writeChange(sql, change, options));
    }),
  );
