import type { Sql } from '../sql.js';

/** Why a pending delivery failed without a further attempt. */
export const WEBHOOK_DISABLED = 'The webhook was disabled.';
export const DATABASE_RESTORED = 'A backup of the database was restored.';

/**
 * Nothing is sent until an operator resumes publication: the database is the restored copy of
 * another one.
 */
export const IS_RESTORED =
  '(EXISTS (SELECT FROM publishing_pause WHERE resumed_at IS NULL AND backup_at IS NOT NULL) OR EXISTS (SELECT FROM database_home WHERE home <> tableoid))';

/**
 * Locks a webhook, before its deliveries: the other order would be a deadlock with the statement
 * that disables it. False if it does not exist. SQL: Prisma cannot lock rows.
 */
export async function lockWebhook(sql: Sql, webhookId: string): Promise<boolean> {
  const locked = await sql('SELECT 1 FROM webhook WHERE id = $1 FOR NO KEY UPDATE', [webhookId]);
  return locked.length > 0;
}

/** Ends the pending deliveries of a webhook, which is locked. SQL: in the transaction of the lock. */
export async function failPending(sql: Sql, webhookId: string, error: string): Promise<void> {
  await sql(
    "UPDATE webhook_delivery SET status = 'failed', leased_until = NULL, error = $2 WHERE webhook_id = $1 AND status = 'pending'",
    [webhookId, error],
  );
}
