import type { JobCount, JobLoad } from '../../domain/jobs/job.js';
import type { Database } from '../database.js';
import { forScrapes } from '../single-flight.js';

type Row = JobCount & { readonly oldestDueSeconds: number };

/**
 * Uses two small indexes and skips completed jobs, which are many. An import counts as running: the
 * command that started it runs it, for as long as it takes.
 */
const OPEN_JOBS = `SELECT kind, state, count(*)::int AS count, COALESCE(max(extract(epoch FROM now() - due_at)) FILTER (WHERE state IN ('due', 'running') AND kind <> 'import'), 0)::float AS "oldestDueSeconds"
  FROM (
    SELECT kind, due_at, CASE WHEN leased_until > now() OR kind = 'import' THEN 'running' WHEN due_at > now() THEN 'scheduled' ELSE 'due' END AS state FROM job WHERE status = 'working'
    UNION ALL SELECT kind, NULL, 'failed' FROM job WHERE status = 'failed'
  ) open_jobs GROUP BY kind, state`;

async function readJobLoad(database: Database): Promise<JobLoad> {
  const rows = await database.scan<Row>(OPEN_JOBS);
  return {
    counts: rows.map(({ kind, state, count }) => ({ kind, state, count })),
    oldestDueSeconds: Math.max(0, ...rows.map((row) => row.oldestDueSeconds)),
  };
}

/** Reads the open and failed jobs; null if the database does not respond in time. */
export const createJobLoad = (database: Database): (() => Promise<JobLoad | null>) =>
  forScrapes(() => readJobLoad(database));
