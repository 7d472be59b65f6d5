import type { JobEnding, JobRun } from '../../services/jobs/job-ports.js';
import { run, type SqlRunner } from '../sql.js';

const ENDED_AS = {
  completed: 'synced',
  failed: 'failed',
  again: 'pending',
  postponed: 'pending',
} as const;

/**
 * What an edit has shown: what is live, whether that is in doubt, and how far the post's last change has come, where
 * this job is the one that brings it (D22).
 */
export async function writeEditEffect(
  sql: SqlRunner,
  { id, kind, postId }: JobRun,
  { edit, ...ending }: JobEnding,
): Promise<void> {
  if (kind !== 'network_edit' || postId === null) return;
  const error = ending.kind === 'failed' ? (ending.failures[0]?.message ?? null) : null;
  await run(
    sql,
    'UPDATE post_sync SET live = COALESCE($3::jsonb, live), in_doubt = COALESCE($4::boolean, in_doubt), ' +
      'status = CASE WHEN job_id = $2 THEN $5::sync_status ELSE status END, error = CASE WHEN job_id = $2 THEN $6::text ELSE error END WHERE post_id = $1',
    [
      postId,
      id,
      edit?.live ? JSON.stringify(edit.live) : null,
      edit?.inDoubt ?? null,
      ENDED_AS[ending.kind],
      error,
    ],
  );
  if (edit?.accountPauseMs === undefined) return;
  await run(
    sql,
    "UPDATE account SET paused_until = GREATEST(paused_until, now() + $2 * interval '1 millisecond') WHERE id = (SELECT account_id FROM post WHERE id = $1)",
    [postId, edit.accountPauseMs],
  );
}
