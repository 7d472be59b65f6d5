import type { JobOutcome, JobRun } from '../../services/jobs/job-ports.js';
import { writeJobFinished } from '../events/job-events.js';
import { writeEditEffect } from '../networks/network-edit-outcomes.js';
import { run, type SqlRunner } from '../sql.js';
import { IS_LEASE_HELD } from './job-claims.js';
import { WAKE_WORKERS } from './job-wakeups.js';

const finished = (status: 'completed' | 'failed'): string =>
  `status = '${status}', failures = $3, finished_at = now(), attempt_at = NULL`;
const DUE_LATER = "due_at = now() + $3 * interval '1 millisecond'";

/** What each outcome changes. $3: the failures, or the milliseconds until the next attempt. */
const ASSIGNMENTS: Readonly<Record<JobOutcome['kind'], string>> = {
  completed: `progress = 1, ${finished('completed')}`,
  failed: finished('failed'),
  retried: `attempt_at = NULL, ${DUE_LATER}`,
  // safe: the next attempt gets this number or a higher one, and never during this lease
  postponed: `attempts = attempts - 1, ${DUE_LATER}`,
};

/** Records an outcome and ends the lease. Returns whether the run still held it. */
export async function settleJob(
  sql: SqlRunner,
  jobRun: JobRun,
  outcome: JobOutcome,
): Promise<boolean> {
  const settled = await run(
    sql,
    `UPDATE job SET ${ASSIGNMENTS[outcome.kind]}, leased_until = NULL, rate_bucket = NULL WHERE ${IS_LEASE_HELD} RETURNING 1`,
    [
      jobRun.id,
      jobRun.attempt,
      'inMs' in outcome ? outcome.inMs : JSON.stringify(outcome.failures),
    ],
  );
  if (settled.length === 0) return false;
  await writeEditEffect(sql, jobRun, outcome);
  if ('failures' in outcome) await writeJobFinished(sql, jobRun);
  if ('inMs' in outcome && outcome.inMs === 0) await run(sql, `SELECT ${WAKE_WORKERS}`);
  return true;
}
