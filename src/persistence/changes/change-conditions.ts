import type { Change } from '../../domain/changes/change.js';
import { storedStateNumbers } from '../../domain/posts/states.js';
import { IS_PLANNED } from '../posting-schedules/posting-schedule-store.js';
import type { Sql } from '../sql.js';
import { RollbackError } from './rollback-error.js';

/**
 * @throws RollbackError if an occurrence of one of these series was queued since the change was
 * decided (D23)
 */
async function assertNoQueuedChildren(
  sql: Sql,
  { seriesWithoutQueuedChildren }: Change,
): Promise<void> {
  for (const parentId of seriesWithoutQueuedChildren) {
    const queued = await sql(
      'SELECT parent_id FROM post WHERE parent_id = $1 AND deleted_at IS NULL GROUP BY parent_id HAVING bool_or(queued_at IS NOT NULL)',
      [parentId],
    );
    if (queued.length > 0) throw new RollbackError({ kind: 'conflict' });
  }
}

/** Locks the account until the change is saved. @throws RollbackError if its status changed */
async function assertAccountStatus(sql: Sql, { requiredAccountStatus }: Change): Promise<void> {
  if (!requiredAccountStatus) return;
  const { accountId, needsReauth } = requiredAccountStatus;
  const accounts = await sql(
    'SELECT 1 FROM account WHERE id = $1 AND needs_reauth = $2 FOR SHARE',
    [accountId, needsReauth],
  );
  if (accounts.length === 0) throw new RollbackError({ kind: 'conflict' });
}

/**
 * Keeps the lock of the workspace until the change is saved. @throws RollbackError if it changed
 */
async function assertLock(sql: Sql, { workspaceId, requiredLock }: Change): Promise<void> {
  if (requiredLock === undefined) return;
  const workspaces = await sql('SELECT 1 FROM workspace WHERE id = $1 AND locked = $2 FOR SHARE', [
    workspaceId,
    requiredLock,
  ]);
  if (workspaces.length === 0) throw new RollbackError({ kind: 'conflict' });
}

/** Locks the queues until the transaction ends, in the order of their accounts. */
const LOCK_QUEUES =
  "SELECT pg_advisory_xact_lock(hashtextextended('queue ' || id, 0)) FROM unnest($1::text[]) AS a(id)";
const TAKEN = `
SELECT 1 FROM unnest($1::text[], $2::timestamptz[]) AS s(account_id, at)
  JOIN post p ON p.account_id = s.account_id AND p.sort_at >= s.at AND p.sort_at < s.at + interval '1 minute'
 WHERE ${IS_PLANNED} LIMIT 1`;

/**
 * Locks the queues of the accounts until the transaction ends, and checks that no planned post has
 * the minute of a slot, so that two changes never get the same one (D61).
 * @throws RollbackError if a slot was taken since the change was decided
 */
export async function assertFreeQueueSlots(sql: Sql, { queueSlots }: Change): Promise<void> {
  if (queueSlots.length === 0) return;
  const accountIds = queueSlots.map(({ accountId }) => accountId);
  await sql(LOCK_QUEUES, [[...new Set(accountIds)].sort()]);
  const taken = await sql(TAKEN, [accountIds, queueSlots.map(({ at }) => at)]);
  if (taken.length > 0) throw new RollbackError({ kind: 'conflict' });
}

/**
 * Checks what has to be true when a change is saved.
 * @throws RollbackError if something is not
 */
export async function assertConditions(sql: Sql, change: Change): Promise<void> {
  await assertNoQueuedChildren(sql, change);
  await assertAccountStatus(sql, change);
  await assertLock(sql, change);
}

const SERIES_STATES = storedStateNumbers(['recurring']);
const LOCK_SERIES =
  'SELECT id FROM post WHERE id = ANY($1::bigint[]) AND stored_state = ANY($2::smallint[]) AND deleted_at IS NULL ORDER BY id DESC FOR SHARE';

/**
 * Keeps the series of occurrences until the change is saved. Called after the occurrences were
 * written: all changes lock them before their series.
 * @throws RollbackError if one is no longer a series
 */
export async function assertSeries(sql: Sql, { requiredSeries }: Change): Promise<void> {
  if (requiredSeries.length === 0) return;
  const series = await sql(LOCK_SERIES, [requiredSeries, SERIES_STATES]);
  if (series.length < requiredSeries.length) throw new RollbackError({ kind: 'conflict' });
}
