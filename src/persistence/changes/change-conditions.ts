import type {
  SaveOutcome,
  Change,
  CapReservation,
  CapSlot,
  ExceededCap,
} from '../../domain/changes/change.js';
import { storedStateNumbers } from '../../domain/posts/states.js';
import { IS_PLANNED } from '../posting-schedules/posting-schedule-store.js';
import type { Sql } from '../sql.js';
import { capAllowance } from '../../domain/caps/daily-caps.js';

/** Thrown when a change is not saved, with its outcome: its transaction is rolled back. */
export class NotSavedError extends Error {
  constructor(readonly outcome: SaveOutcome) {
    super(outcome.kind);
  }
}

/**
 * @throws NotSavedError if an occurrence of one of these series was queued since the change was
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
    if (queued.length > 0) throw new NotSavedError({ kind: 'conflict' });
  }
}

/** Locks the account until the change is saved. @throws NotSavedError if its status changed */
async function assertAccountStatus(sql: Sql, { requiredAccountStatus }: Change): Promise<void> {
  if (!requiredAccountStatus) return;
  const { accountId, needsReauth } = requiredAccountStatus;
  const accounts = await sql(
    'SELECT 1 FROM account WHERE id = $1 AND needs_reauth = $2 FOR SHARE',
    [accountId, needsReauth],
  );
  if (accounts.length === 0) throw new NotSavedError({ kind: 'conflict' });
}

/**
 * Keeps the lock of the workspace until the change is saved. @throws NotSavedError if it changed
 */
async function assertLock(sql: Sql, { workspaceId, requiredLock }: Change): Promise<void> {
  if (requiredLock === undefined) return;
  const workspaces = await sql('SELECT 1 FROM workspace WHERE id = $1 AND locked = $2 FOR SHARE', [
    workspaceId,
    requiredLock,
  ]);
  if (workspaces.length === 0) throw new NotSavedError({ kind: 'conflict' });
}

/** Locks the queues until the transaction ends, in the order of their accounts. */
const LOCK_QUEUES =
  "SELECT pg_advisory_xact_lock(hashtextextended('queue ' || id, 0)) FROM unnest($1::text[]) AS a(id)";
const TAKEN = `
SELECT 1 FROM unnest($1::text[], $2::timestamptz[], $3::bigint[]) AS s(account_id, at, post_id)
  JOIN post p ON p.account_id = s.account_id AND p.id <> s.post_id
   AND p.sort_at >= date_trunc('minute', s.at) AND p.sort_at < date_trunc('minute', s.at) + interval '1 minute'
 WHERE ${IS_PLANNED} LIMIT 1`;

/**
 * Locks the queues of the accounts until the transaction ends, and checks that no other planned post
 * has the minute of a slot, so that two changes never get the same one (D61).
 * @throws NotSavedError if a slot was taken since the change was decided
 */
export async function assertFreeQueueSlots(sql: Sql, { queueSlots }: Change): Promise<void> {
  if (queueSlots.length === 0) return;
  const accountIds = queueSlots.map(({ accountId }) => accountId);
  await sql(LOCK_QUEUES, [[...new Set(accountIds)].sort()]);
  const taken = await sql(TAKEN, [
    accountIds,
    queueSlots.map(({ at }) => at),
    queueSlots.map(({ postId }) => postId),
  ]);
  if (taken.length > 0) throw new NotSavedError({ kind: 'conflict' });
}

/**
 * Checks what has to be true when a change is saved.
 * @throws NotSavedError if something is not
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
 * @throws NotSavedError if one is no longer a series
 */
export async function assertSeries(sql: Sql, { requiredSeries }: Change): Promise<void> {
  if (requiredSeries.length === 0) return;
  const series = await sql(LOCK_SERIES, [requiredSeries, SERIES_STATES]);
  if (series.length < requiredSeries.length) throw new NotSavedError({ kind: 'conflict' });
}

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
 * @throws NotSavedError if a cap is exceeded
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
  if (first) throw new NotSavedError({ kind: 'cap_exceeded', exceeded: [first, ...others] });
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
