import type { Change } from '../../domain/changes/change.js';
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

/**
 * Checks what has to be true when a change is saved.
 * @throws RollbackError if something is not
 */
export async function assertConditions(sql: Sql, change: Change): Promise<void> {
  await assertNoQueuedChildren(sql, change);
  await assertAccountStatus(sql, change);
  await assertLock(sql, change);
}
