import { WORKER_JOB_KINDS } from '../../domain/jobs/job-kinds.js';
import type { JobRun } from '../../services/jobs/job-ports.js';
import type { Database } from '../database.js';

/** Length of a lease; workers renew it several times in this time (jobs/attempt-lease.ts). */
export const LEASE_SECONDS = 20;
const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;

/** A run holds the job until another attempt starts or its lease is cleared. */
export const isLeaseHeld = (id: string, attempt: string): string =>
  `id = ${id} AND attempts = ${attempt} AND status = 'working' AND leased_until IS NOT NULL`;

const RENEW = `UPDATE job SET leased_until = ${LEASE} WHERE ${isLeaseHeld('$1', '$2')} RETURNING 1`;

/**
 * Edits of a post run one at a time, in the order in which they are due. A lease blocks the others
 * even after it has expired, because the job itself is claimed first then. The constraint
 * job_one_edit_per_post ensures the same.
 */
const IS_BLOCKED_BY_EDIT_OF_SAME_POST = `j.kind = 'network_edit' AND EXISTS (
  SELECT FROM job other
   WHERE other.status = 'working' AND other.kind = 'network_edit' AND other.post_id = j.post_id AND other.id <> j.id
     AND (other.leased_until IS NOT NULL OR (j.leased_until IS NULL AND (other.due_at, other.id) < (j.due_at, j.id))))`;

/** Due times are rounded to milliseconds, up or down. */
const IS_DUE = "j.due_at <= now() + interval '1 millisecond'";

/**
 * Reads only due jobs, and per kind at most as many as are claimed (job_claim_idx). Jobs that
 * another worker is claiming are skipped instead of waited for.
 */
const CLAIM = `
WITH next AS MATERIALIZED (
  SELECT due.id FROM unnest($1::job_kind[]) WITH ORDINALITY AS by_priority (kind, rank), LATERAL (
    SELECT j.id FROM job j
     WHERE j.status = 'working' AND j.kind = by_priority.kind AND ${IS_DUE}
       AND (j.leased_until IS NULL OR j.leased_until <= now())
       AND NOT (${IS_BLOCKED_BY_EDIT_OF_SAME_POST})
     ORDER BY j.due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ) due ORDER BY rank LIMIT $2
)
UPDATE job j SET attempts = attempts + 1, leased_until = ${LEASE}, rate_bucket = NULL
  FROM next WHERE j.id = next.id
RETURNING j.id, j.kind, j.post_id::int AS "postId", j.attempts AS attempt, j.traceparent,
  COALESCE((SELECT doc_id FROM post p WHERE p.id = j.post_id), j.id) AS "subjectId"`;

/**
 * Codes of a claim that collided with another one on edits of the same post: an exclusion violation
 * or a deadlock. The next claim finds the jobs again.
 */
const COLLISION = new Set(['23P01', '40P01']);

/** Leases the next due jobs. */
export async function claimJobs(database: Database, max: number): Promise<JobRun[]> {
  const rows = await database
    .change<Omit<JobRun, 'renew'>>(CLAIM, [WORKER_JOB_KINDS, max])
    .catch((error: Error & { code?: string }) => {
      if (COLLISION.has(error.code ?? '')) return [];
      throw error;
    });
  return rows.map((row) => ({
    ...row,
    renew: async () => (await database.change(RENEW, [row.id, row.attempt])).length > 0,
  }));
}
