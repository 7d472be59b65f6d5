import { capAllowance } from '../../domain/caps/sliding-window.js';
import type { CapReservation, CapSlot } from '../../domain/changes/change.js';
import { RollbackError } from './rollback-error.js';
import { run, type SqlRunner } from '../sql.js';

const DAY_MS = 86_400_000;

/** Account and kind as one string. Every change takes its locks in the order of these keys. */
const capKey = ({ accountId, postKind }: CapReservation): string => `${accountId} ${postKind}`;

/**
 * Locks each cap until the transaction ends, and checks that the new slots fit between the existing
 * ones (D39). Slots of `postIds` are ignored: the change replaces them.
 * @throws RollbackError if a cap is exceeded
 */
export async function reserveCaps(
  sql: SqlRunner,
  reservations: readonly CapReservation[],
  postIds: readonly number[],
): Promise<void> {
  for (const reservation of reservations.toSorted((a, b) => (capKey(a) < capKey(b) ? -1 : 1))) {
    const { accountId, postKind, limit, add } = reservation;
    await run(sql, "SELECT pg_advisory_xact_lock(hashtextextended('cap ' || $1, 0))", [
      capKey(reservation),
    ]);
    const earliest = new Date(Math.min(...add.map((at) => at.getTime())) - DAY_MS);
    const rows = await run<{ at: Date }>(
      sql,
      'SELECT at FROM cap_slot WHERE account_id = $1 AND post_kind = $2 AND at > $3 AND post_id <> ALL($4::bigint[])',
      [accountId, postKind, earliest, postIds],
    );
    const publicationTimes = rows.map((row) => row.at.getTime());
    for (const at of add) {
      const { fits, nextFreeAt } = capAllowance(limit, publicationTimes, at.getTime());
      if (!fits)
        throw new RollbackError({
          kind: 'cap_exceeded',
          postKind,
          limit,
          at,
          nextFreeAt: new Date(nextFreeAt),
        });
      publicationTimes.push(at.getTime());
    }
  }
}

/** Replaces the slots of a post. */
export async function writeSlots(
  sql: SqlRunner,
  postId: number,
  slots: readonly CapSlot[],
): Promise<void> {
  await run(sql, 'DELETE FROM cap_slot WHERE post_id = $1', [postId]);
  if (slots.length === 0) return;
  await run(
    sql,
    'INSERT INTO cap_slot (post_id, account_id, post_kind, at) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::timestamptz[]) ON CONFLICT DO NOTHING',
    [
      postId,
      slots.map((slot) => slot.accountId),
      slots.map((slot) => slot.postKind),
      slots.map((slot) => slot.at),
    ],
  );
}
