import type { JobKind } from '../../domain/vocabulary.js';
import { QUEUE } from './job-queue.js';
import { run, type SqlRunner } from '../sql.js';

/**
 * Workers lease a due job within moments; a job without a lease after this time has lost its queue
 * entry.
 */
const GRACE_PERIOD = "interval '10 seconds'";
const MAX_ORPHANED_JOBS = 500;

/**
 * Finds running jobs without a lease or a waiting queue entry: their worker was killed, or the
 * entry was lost. The index of pg-boss on waiting entries makes the check cheap.
 */
export const findOrphanedJobs = (sql: SqlRunner): Promise<{ id: string; kind: JobKind }[]> =>
  run(
    sql,
    "SELECT j.id, j.kind FROM job j WHERE j.status = 'working' AND j.kind <> 'import' AND (j.leased_until < now() OR (j.leased_until IS NULL AND j.due_at < now() - " +
      GRACE_PERIOD +
      ')) ' +
      "AND NOT EXISTS (SELECT 1 FROM pgboss.job t WHERE t.name = $2 AND COALESCE(t.singleton_key, '') = j.id AND t.state = 'created' AND t.policy = 'short') " +
      'ORDER BY j.due_at LIMIT $1',
    [MAX_ORPHANED_JOBS, QUEUE],
  );
