import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenDatabase } from '../../src/persistence/database.js';
import { WAKE_WORKERS } from '../../src/persistence/jobs/job-wakeups.js';
import { CLOCK_AHEAD_SECONDS } from './load.js';

/** A worker renews its leases every 5 s: one that was not renewed for 8 s belongs to a killed one. */
const EXPIRE_LEASES_OF_KILLED = `
WITH expired AS (
  UPDATE job SET leased_until = now() - interval '1 second'
   WHERE status = 'working' AND leased_until BETWEEN now() AND now() + interval '12 seconds'
  RETURNING 1
)
SELECT ${WAKE_WORKERS} FROM expired`;

/** Posts that are to be published within the hour. */
const UNSETTLED =
  "stored_state IN (1, 2) AND deleted_at IS NULL AND scheduled_at < now() + interval '1 hour'";
/** When the next job is due, or the next post is handed over by the sandbox clock. */
const NEXT_AT = `LEAST(
  (SELECT min(due_at) FROM job WHERE status = 'working' AND kind = 'publish'),
  (SELECT min(GREATEST(retry_at, scheduled_at)) - interval '${CLOCK_AHEAD_SECONDS} seconds' FROM post WHERE ${UNSETTLED} AND queued_at IS NULL))`;
const IS_BUSY = 'EXISTS (SELECT FROM job WHERE leased_until IS NOT NULL)';
const STATUS = `
SELECT (SELECT count(*)::int FROM post WHERE ${UNSETTLED}) AS unsettled, ${IS_BUSY} AS "isBusy",
       ${NEXT_AT} > now() + interval '2 seconds' AS "isWaiting"`;

/**
 * Moves everything back by the time until the next job is due: as if that time had passed for the
 * service and for the network. Only while no job runs: a call in progress must not become older.
 */
const LET_TIME_PASS = `
WITH step AS MATERIALIZED (SELECT ${NEXT_AT} - now() AS passed WHERE NOT ${IS_BUSY}),
attempts AS (UPDATE publication_attempt SET started_at = started_at - passed, armed_at = armed_at - passed, not_there_at = not_there_at - passed, finished_at = finished_at - passed FROM step),
posts AS (UPDATE post SET retry_at = retry_at - passed FROM step WHERE retry_at IS NOT NULL),
deliveries AS (UPDATE sandbox_delivery SET taken_at = taken_at - passed, listed_at = listed_at - passed FROM step),
jobs AS (UPDATE job SET due_at = due_at - passed FROM step WHERE status = 'working')
SELECT ${WAKE_WORKERS} FROM step`;

const SETTLE_TIMEOUT_MS = 90_000;

/**
 * Waits until each publication is over. Skips the pauses between looks, and the rest of the leases
 * of killed processes.
 * @throws Error after 90 s
 */
export async function settle({ pool }: Pick<OpenDatabase, 'pool'>): Promise<void> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    await pool.query(EXPIRE_LEASES_OF_KILLED);
    const { rows } = await pool.query<{
      unsettled: number;
      isBusy: boolean;
      isWaiting: boolean | null;
    }>(STATUS);
    const { unsettled, isBusy, isWaiting } = rows[0]!;
    if (unsettled === 0 && !isBusy) return;
    if (performance.now() > deadline) throw new Error(`${unsettled} posts are not settled`);
    if (!isBusy && isWaiting) await pool.query(LET_TIME_PASS);
    await sleep(100);
  }
}
