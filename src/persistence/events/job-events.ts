import type { JobRun } from '../../services/jobs/job-ports.js';
import { isAnnounced } from '../../domain/events/events-of.js';
import { Parameters, type Sql } from '../sql.js';
import { insertPostEvents, insertRecordEvents, JOB_COLUMNS } from './insert-events.js';

/**
 * Writes the event of a job that a worker has finished, in the transaction that records its end.
 */
export async function writeJobFinished(sql: Sql, { id, kind }: JobRun): Promise<void> {
  if (!isAnnounced(kind)) return;
  const parameters = new Parameters(id);
  const events = insertRecordEvents({ type: 'job.finished', rows: 'finished' }, parameters);
  await sql(
    `WITH finished AS (SELECT ${JOB_COLUMNS} FROM job WHERE id = $1) ${events}`,
    parameters.values,
  );
}

/** Writes the event of a published post whose network shows its changes. */
export async function writeNetworkUpdated(sql: Sql, postId: number): Promise<void> {
  const parameters = new Parameters(postId);
  const events = insertPostEvents(
    { type: 'post.network_updated', rows: 'edited', changed: ['networkSync'] },
    parameters,
  );
  await sql(`WITH edited AS (SELECT * FROM post WHERE id = $1) ${events}`, parameters.values);
}
