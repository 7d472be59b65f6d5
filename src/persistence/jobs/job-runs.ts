import type pg from 'pg';
import type { JobKind } from '../../domain/vocabulary.js';
import type { JobOutcome, JobRun, JobRuns, QueueEntry } from '../../services/jobs/job-ports.js';
import type { Ids } from '../../services/ids.js';
import { completeQueueEntry, queueJob, queuePurge } from './job-queue.js';
import { failInterruptedImports } from './job-store.js';
import { findOrphanedJobs } from './orphaned-jobs.js';
import { writeEditEffect } from '../networks/edit-effects.js';
import { inTransaction, run, type SqlRunner } from '../sql.js';

/** Length of a lease; workers renew it several times in this time (jobs/worker.ts). */
export const LEASE_SECONDS = 20;
const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;
/** Delay of an edit while another edit of the same post runs. */
const BUSY_POST_DELAY_MS = 1_000;

interface CompetingJob {
  id: string;
  kind: JobKind;
  isLeased: boolean;
  isEarly: boolean;
}
interface LeasedRow {
  kind: JobKind;
  postId: number | null;
  notificationId: string | null;
  postDocumentId: string | null;
  attempt: number;
}

/**
 * Locks the job and the other unfinished edits of its post until the transaction ends, in the same
 * order for all.
 */
const lockCompetingJobs = (sql: SqlRunner, jobId: string): Promise<CompetingJob[]> =>
  run<CompetingJob>(
    sql,
    'SELECT id, kind, COALESCE(leased_until > now(), false) AS "isLeased", due_at > now() AS "isEarly" FROM job ' +
      "WHERE status = 'working' AND (id = $1 OR (kind = 'network_edit' AND post_id = (SELECT post_id FROM job WHERE id = $1 AND kind = 'network_edit'))) ORDER BY id FOR UPDATE",
    [jobId],
  );

/**
 * Clears expired leases: their workers have stopped, and the reconciler enqueues the jobs again.
 */
const endExpiredLeases = (sql: SqlRunner, ids: readonly string[]): Promise<unknown> =>
  run(
    sql,
    'UPDATE job SET leased_until = NULL, rate_bucket = NULL WHERE id = ANY($1::text[]) AND leased_until IS NOT NULL',
    [ids],
  );

/** Completes the queue entry of a job and enqueues it again with a delay. */
async function postpone(
  sql: SqlRunner,
  { id, kind, queueEntry }: Pick<JobRun, 'id' | 'kind' | 'queueEntry'>,
  inMs: number,
): Promise<void> {
  await run(sql, "UPDATE job SET due_at = now() + $2 * interval '1 millisecond' WHERE id = $1", [
    id,
    inMs,
  ]);
  await completeQueueEntry(sql, queueEntry);
  await queueJob(sql, { id, kind }, inMs);
}

async function leaseJob(sql: SqlRunner, queueEntry: QueueEntry): Promise<LeasedRow | null> {
  const rows = await lockCompetingJobs(sql, queueEntry.jobId);
  const job = rows.find(({ id }) => id === queueEntry.jobId);
  if (!job || job.isLeased || job.isEarly) {
    // finished, leased by another worker, or not yet due: another entry exists for it
    await completeQueueEntry(sql, queueEntry);
    return null;
  }
  const competing = rows.filter((row) => row !== job);
  if (competing.some(({ isLeased }) => isLeased)) {
    await postpone(sql, { ...job, queueEntry }, BUSY_POST_DELAY_MS);
    return null;
  }
  await endExpiredLeases(
    sql,
    competing.map(({ id }) => id),
  );
  const [leased] = await run<LeasedRow>(
    sql,
    `UPDATE job j SET attempts = attempts + 1, leased_until = ${LEASE} WHERE id = $1 RETURNING kind, post_id::int AS "postId", notification_id AS "notificationId", ` +
      'attempts AS attempt, (SELECT doc_id FROM post p WHERE p.id = j.post_id) AS "postDocumentId"',
    [job.id],
  );
  return leased!;
}

/** A run holds the job until another attempt starts or its lease is cleared. */
const IS_LEASE_HELD =
  "id = $1 AND attempts = $2 AND status = 'working' AND leased_until IS NOT NULL";

const CLEAR_LEASE = 'leased_until = NULL, rate_bucket = NULL';

/** Returns whether the run still held the lease. */
async function writeOutcome(
  sql: SqlRunner,
  { id, attempt }: JobRun,
  outcome: JobOutcome,
): Promise<boolean> {
  const finished = (progress: string): string =>
    `status = $3::job_status, progress = ${progress}, failures = $4, finished_at = now(), attempt_at = NULL`;
  const assignmentsByKind = {
    completed: finished('1'),
    failed: finished('progress'),
    retried: 'attempt_at = NULL',
    // safe: the next attempt gets this number or a higher one, and never during this lease
    postponed: 'attempts = attempts - 1',
  } as const satisfies Record<JobOutcome['kind'], string>;
  const values =
    'failures' in outcome
      ? [id, attempt, outcome.kind, JSON.stringify(outcome.failures)]
      : [id, attempt];
  return (
    (
      await run(
        sql,
        `UPDATE job SET ${assignmentsByKind[outcome.kind]}, ${CLEAR_LEASE} WHERE ${IS_LEASE_HELD} RETURNING 1`,
        values,
      )
    ).length > 0
  );
}

async function settle(sql: SqlRunner, jobRun: JobRun, outcome: JobOutcome): Promise<boolean> {
  if (!(await writeOutcome(sql, jobRun, outcome))) return false;
  await writeEditEffect(sql, jobRun, outcome);
  await ('inMs' in outcome
    ? postpone(sql, jobRun, outcome.inMs)
    : completeQueueEntry(sql, jobRun.queueEntry));
  return true;
}

/** Leases are stored in rows, so that no worker holds a connection while it waits for a network. */
export function createJobRuns(pool: pg.Pool, ids: Pick<Ids, 'prefixed'>): JobRuns {
  return {
    async lease(queueEntry) {
      const leased = await inTransaction(pool, (sql) => leaseJob(sql, queueEntry));
      if (!leased) return null;
      const { postDocumentId, ...row } = leased;
      const renewLease = (): Promise<unknown[]> =>
        run(pool, `UPDATE job SET leased_until = ${LEASE} WHERE ${IS_LEASE_HELD} RETURNING 1`, [
          queueEntry.jobId,
          row.attempt,
        ]);
      return {
        ...row,
        queueEntry,
        id: queueEntry.jobId,
        subjectId: postDocumentId ?? queueEntry.jobId,
        renew: async () => (await renewLease()).length > 0,
      };
    },
    settle: (jobRun, outcome) => inTransaction(pool, (sql) => settle(sql, jobRun, outcome)),
    schedulePurge: () =>
      inTransaction(pool, async (sql) => {
        const id = ids.prefixed('job');
        if (await queuePurge(sql, id))
          await run(sql, "INSERT INTO job (id, kind) VALUES ($1, 'purge')", [id]);
      }),
    reconcile: () =>
      inTransaction(pool, async (sql) => {
        await failInterruptedImports(sql);
        const orphaned = await findOrphanedJobs(sql);
        for (const job of orphaned) await queueJob(sql, job);
        return orphaned.length;
      }),
  };
}
