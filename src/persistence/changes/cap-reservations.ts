import { allowance } from '../../domain/caps/cap-allowance.js';
import type { CapClaim, CapSlot } from '../../domain/changes/change.js';
import { Stop } from './rollback-error.js';
import { run, type SqlRunner } from '../sql.js';

const DAY_MS = 86_400_000;

/** The account and kind as one text: its order is the order in which every change takes its locks. */
const placeOf = ({ accountId, postKind }: CapClaim): string => `${accountId} ${postKind}`;

/**
 * Holds each cap's place in line until the transaction ends, then sees whether its new slots fit between what is
 * there (D39). Slots of `postIds` do not count: the change replaces them.
 */
export async function takeCaps(
  sql: SqlRunner,
  claims: readonly CapClaim[],
  postIds: readonly number[],
): Promise<void> {
  for (const claim of claims.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))) {
    const { accountId, postKind, limit, add } = claim;
    await run(sql, "SELECT pg_advisory_xact_lock(hashtextextended('cap ' || $1, 0))", [
      placeOf(claim),
    ]);
    const earliest = new Date(Math.min(...add.map((at) => at.getTime())) - DAY_MS);
    const rows = await run<{ at: Date }>(
      sql,
      'SELECT at FROM cap_slot WHERE account_id = $1 AND post_kind = $2 AND at > $3 AND post_id <> ALL($4::bigint[])',
      [accountId, postKind, earliest, postIds],
    );
    const taken = rows.map((row) => row.at.getTime());
    for (const at of add) {
      const { fits, nextFreeAt } = allowance(limit, taken, at.getTime());
      if (!fits)
        throw new Stop({ kind: 'full', postKind, limit, at, nextFreeAt: new Date(nextFreeAt) });
      taken.push(at.getTime());
    }
  }
}

/** A post's slots, in place of those it had. */
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
