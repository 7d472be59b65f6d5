import { isAnnounced } from '../../domain/events/events-of.js';
import type { JobOutcome, JobRun } from '../../services/jobs/job-ports.js';
import type { Database } from '../database.js';
import { insertRecordEvents, JOB_COLUMNS } from '../events/insert-events.js';
import { writeEditEffect } from '../networks/network-edit-outcomes.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';
import { Parameters, type Sql } from '../sql.js';
import { isLeaseHeld } from './job-claims.js';
import { WAKE_WORKERS } from './job-wakeups.js';

/**
 * Writes the event of a job that a worker has finished, in the transaction that records its end.
 */
async function writeJobFinished(sql: Sql, { id, kind }: JobRun): Promise<void> {
  if (!isAnnounced(kind)) return;
  const parameters = new Parameters(id);
  const events = insertRecordEvents({ type: 'job.finished', rows: 'finished' }, parameters);
  await sql(
    `WITH finished AS (SELECT ${JOB_COLUMNS} FROM job WHERE id = $1) ${events}`,
    parameters.values,
  );
}

type OutcomeKind = JobOutcome['kind'];

const finished = (status: 'completed' | 'failed'): string =>
  `status = '${status}', failures = s.failures, finished_at = now(), attempt_at = NULL`;
const DUE_LATER = `due_at = now() + s."inMs" * interval '1 millisecond'`;

/** What each outcome changes. */
const ASSIGNMENTS: Readonly<Record<OutcomeKind, string>> = {
  completed: `progress = 1, ${finished('completed')}`,
  failed: finished('failed'),
  retried: `attempt_at = NULL, ${DUE_LATER}`,
  // safe: the next attempt gets this number or a higher one, and never during this lease
  postponed: `attempts = job.attempts - 1, ${DUE_LATER}`,
};

/** Records an outcome of the runs that hold their lease. `locked`: what to do about locked rows. */
const settle = (kind: OutcomeKind, locked: 'SKIP LOCKED' | ''): string => `
WITH settled AS MATERIALIZED (
  SELECT a.* FROM ${callRows('"jobId" text, "jobAttempt" int, failures jsonb, "inMs" float8')} a,
         LATERAL (SELECT FROM job WHERE ${isLeaseHeld('a."jobId"', 'a."jobAttempt"')} FOR NO KEY UPDATE ${locked}) j
)
UPDATE job SET ${ASSIGNMENTS[kind]}, leased_until = NULL, rate_bucket = NULL FROM settled s WHERE id = s."jobId" RETURNING id`;

interface Settlement {
  readonly run: JobRun;
  readonly outcome: JobOutcome;
}

/** Records outcomes of one kind. Returns the IDs of the jobs whose run still held its lease. */
async function settleAll(
  sql: Sql,
  text: string,
  settlements: readonly Settlement[],
): Promise<Set<string>> {
  const records = settlements.map(({ run: { id, attempt }, outcome }) => ({
    jobId: id,
    jobAttempt: attempt,
    ...('inMs' in outcome ? { inMs: outcome.inMs } : { failures: outcome.failures }),
  }));
  const rows = await sql<{ id: string }>(text, [toCallRows(records)]);
  return new Set(rows.map(({ id }) => id));
}

const isDueNow = (outcome: JobOutcome): boolean => 'inMs' in outcome && outcome.inMs === 0;
const wakeWorkers = (sql: Sql): Promise<unknown> => sql(`SELECT ${WAKE_WORKERS}`);

/** Records an outcome and ends the lease. Returns whether the run still held it. */
export async function settleJob(sql: Sql, jobRun: JobRun, outcome: JobOutcome): Promise<boolean> {
  const settled = await settleAll(sql, settle(outcome.kind, ''), [{ run: jobRun, outcome }]);
  if (settled.size === 0) return false;
  await writeEditEffect(sql, jobRun, outcome);
  if ('failures' in outcome) await writeJobFinished(sql, jobRun);
  if (isDueNow(outcome)) await wakeWorkers(sql);
  return true;
}

/**
 * Settles jobs whose end is no event, and changes nothing else: concurrent calls share a statement.
 */
export function createSilentSettling(
  database: Database,
): (settlement: Settlement) => Promise<boolean> {
  const sharedBy = (kind: OutcomeKind) => {
    const [shared, waiting] = [settle(kind, 'SKIP LOCKED'), settle(kind, '')];
    return database.share<Settlement, boolean>({
      async together(settlements) {
        const settled = await settleAll(database.change, shared, settlements);
        return settlements.map(({ run: { id } }) => settled.has(id) || undefined);
      },
      alone: async (settlement) =>
        (await settleAll(database.change, waiting, [settlement])).size > 0,
    });
  };
  const settleOne: Readonly<Record<OutcomeKind, ReturnType<typeof sharedBy>>> = {
    completed: sharedBy('completed'),
    failed: sharedBy('failed'),
    retried: sharedBy('retried'),
    postponed: sharedBy('postponed'),
  };
  return async (settlement) => {
    const isSettled = await settleOne[settlement.outcome.kind](settlement);
    if (isSettled && isDueNow(settlement.outcome)) await wakeWorkers(database.change);
    return isSettled;
  };
}
