import type { Change } from '../../domain/changes/change.js';
import { IS_PLANNED } from '../posting-schedules/planned-posts.js';
import type { Sql } from '../sql.js';
import { RollbackError } from './rollback-error.js';

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
