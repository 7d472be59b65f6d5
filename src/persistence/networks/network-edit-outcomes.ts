import type { JobOutcome, JobRun } from '../../services/jobs/job-ports.js';
import { insertPostEvents } from '../events/insert-events.js';
import { Parameters, type Sql } from '../sql.js';

const SYNC_STATUS_BY_OUTCOME = {
  completed: 'synced',
  failed: 'failed',
  retried: 'pending',
  postponed: 'pending',
} as const;

/** Writes the event of a published post whose network shows its changes. */
async function writeNetworkUpdated(sql: Sql, postId: number): Promise<void> {
  const parameters = new Parameters(postId);
  const events = insertPostEvents(
    { type: 'post.network_updated', rows: 'edited', changed: ['networkSync'] },
    parameters,
  );
  await sql(`WITH edited AS (SELECT * FROM post WHERE id = $1) ${events}`, parameters.values);
}

/**
 * Stores the effect of an attempt at an edit: the live fields, whether they are in doubt and, if
 * this job delivers the post's last change, its status (D22).
 */
export async function writeEditEffect(
  sql: Sql,
  { id, kind, postId }: JobRun,
  { edit, ...outcome }: JobOutcome,
): Promise<void> {
  if (kind !== 'network_edit' || postId === null) return;
  const error = outcome.kind === 'failed' ? (outcome.failures[0]?.message ?? null) : null;
  await sql(
    'UPDATE post_sync SET live = COALESCE($3::jsonb, live), in_doubt = COALESCE($4::boolean, in_doubt), ' +
      'status = CASE WHEN job_id = $2 THEN $5::sync_status ELSE status END, error = CASE WHEN job_id = $2 THEN $6::text ELSE error END WHERE post_id = $1',
    [
      postId,
      id,
      edit?.live ? JSON.stringify(edit.live) : null,
      edit?.inDoubt ?? null,
      SYNC_STATUS_BY_OUTCOME[outcome.kind],
      error,
    ],
  );
  if (edit?.live) await writeNetworkUpdated(sql, postId);
  if (edit?.accountPauseMs === undefined) return;
  await sql(
    "UPDATE account SET paused_until = GREATEST(paused_until, now() + $2 * interval '1 millisecond') WHERE id = (SELECT account_id FROM post WHERE id = $1)",
    [postId, edit.accountPauseMs],
  );
}
