import { capAllowance } from '../../domain/caps/sliding-window.js';
import type { CapReservation, CapSlot } from '../../domain/changes/change.js';
import type { ExceededCap } from '../../domain/changes/change.js';
import { RollbackError } from './rollback-error.js';
import type { Sql } from '../sql.js';

const DAY_MS = 86_400_000;

/** Account and kind as one string. Every change takes its locks in the order of these keys. */
const capKey = ({ accountId, postKind }: CapReservation): string => `${accountId} ${postKind}`;

/** Locks the caps until the transaction ends, in the order of their keys. */
const LOCK_CAPS =
  "SELECT pg_advisory_xact_lock(hashtextextended('cap ' || key, 0)) FROM unnest($1::text[]) AS k(key)";
const READ_SLOTS =
  'SELECT r.position::int, s.at FROM unnest($1::text[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS r(account_id, post_kind, earliest, position) ' +
  'JOIN cap_slot s ON s.account_id = r.account_id AND s.post_kind = r.post_kind AND s.at > r.earliest WHERE s.post_id <> ALL($4::bigint[])';

/** The new slots that do not fit between the existing ones; each that fits counts for the next. */
function exceededCaps(
  { accountId, postKind, limit, add }: CapReservation,
  existing: readonly number[],
): ExceededCap[] {
  const publicationTimes = [...existing];
  return add.flatMap((at, index) => {
    const { fits, nextFreeAt } = capAllowance(limit, publicationTimes, at.getTime());
    if (!fits) return [{ accountId, postKind, limit, index, at, nextFreeAt: new Date(nextFreeAt) }];
    publicationTimes.push(at.getTime());
    return [];
  });
}

/**
 * Locks each cap until the transaction ends, and checks that the new slots fit between the existing
 * ones (D39). Slots of `postIds` are ignored: the change replaces them.
 * @throws RollbackError if a cap is exceeded
 */
export async function reserveCaps(
  sql: Sql,
  reservations: readonly CapReservation[],
  postIds: readonly number[],
): Promise<void> {
  if (reservations.length === 0) return;
  const ordered = reservations.toSorted((a, b) => (capKey(a) < capKey(b) ? -1 : 1));
  // Two statements: what the second one sees was saved before it got the locks.
  const [, rows] = await Promise.all([
    sql(LOCK_CAPS, [ordered.map(capKey)]),
    sql<{ position: number; at: Date }>(READ_SLOTS, [
      ordered.map(({ accountId }) => accountId),
      ordered.map(({ postKind }) => postKind),
      ordered.map(({ add }) => new Date(Math.min(...add.map((at) => at.getTime())) - DAY_MS)),
      postIds,
    ]),
  ]);
  const existing = ordered.map((): number[] => []);
  for (const { position, at } of rows) existing[position - 1]!.push(at.getTime());
  const [first, ...others] = ordered.flatMap((reservation, index) =>
    exceededCaps(reservation, existing[index]!),
  );
  if (first) throw new RollbackError({ kind: 'cap_exceeded', exceeded: [first, ...others] });
}

/** Replaces the slots of a post. */
export async function writeSlots(
  sql: Sql,
  postId: number,
  slots: readonly CapSlot[],
): Promise<void> {
  await sql('DELETE FROM cap_slot WHERE post_id = $1', [postId]);
  if (slots.length === 0) return;
  await sql(
    'INSERT INTO cap_slot (post_id, account_id, post_kind, at) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::timestamptz[]) ON CONFLICT DO NOTHING',
    [
      postId,
      slots.map((slot) => slot.accountId),
      slots.map((slot) => slot.postKind),
      slots.map((slot) => slot.at),
    ],
  );
}
