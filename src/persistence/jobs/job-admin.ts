import type { AdminJob, JobAdmin } from '../../services/jobs/job-ports.js';
import type { Database } from '../database.js';
import { WAKE_WORKERS } from './job-wakeups.js';
import type { Sql } from '../sql.js';

const LIST =
  'SELECT j.id, j.workspace_id AS "workspaceId", j.kind, j.status, j.progress, j.failures, j.attempts, ' +
  'j.due_at AS "dueAt", j.created_at AS "createdAt", j.finished_at AS "finishedAt", p.doc_id AS "postId" ' +
  'FROM job j LEFT JOIN post p ON p.id = j.post_id WHERE j.status = $1::job_status ORDER BY j.created_at DESC, j.id DESC LIMIT $2';

const RETRY =
  "UPDATE job SET status = 'working', attempts = 0, progress = 0, failures = '[]', finished_at = NULL, due_at = now(), attempt_at = NULL " +
  `WHERE status = 'failed' AND kind <> 'import' AND ($1::text[] IS NULL OR id = ANY($1)) RETURNING id, ${WAKE_WORKERS}`;

async function retry(sql: Sql, ids: readonly string[] | null): Promise<string[]> {
  const retried = (await sql<{ id: string }>(RETRY, [ids])).map(({ id }) => id);
  // Only posts whose status still refers to the job: a later change has another job.
  await sql(
    "UPDATE post_sync SET status = 'pending', error = NULL WHERE job_id = ANY($1::text[])",
    [retried],
  );
  return retried;
}

/** Lists and retries jobs for operators. */
export const createJobAdmin = (database: Database): JobAdmin => ({
  list: (status, max) => database.scan<AdminJob>(LIST, [status, max]),
  retry: (ids) => database.transaction((sql) => retry(sql, ids === 'all_failed' ? null : ids)),
});
