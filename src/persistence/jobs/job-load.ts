import type pg from 'pg';
import type { JobCount, JobLoad } from '../../services/jobs/job-ports.js';
import { inTime } from '../single-flight.js';
import { run } from '../sql.js';

/** Whoever collects metrics gives up after some seconds, and the other metrics are not to wait for these. */
const DEADLINE_MS = 1_000;

type Row = JobCount & { readonly oldestDueSeconds: number };

/** By two small indexes: jobs that are completed are many, and not looked at. An import has no lease: the command that began it runs it. */
const LOOK = `SELECT kind, state, count(*)::int AS count, COALESCE(max(extract(epoch FROM now() - due_at)) FILTER (WHERE state = 'waiting'), 0)::float AS "oldestDueSeconds"
  FROM (
    SELECT kind, due_at, CASE WHEN leased_until > now() OR kind = 'import' THEN 'running' WHEN due_at > now() THEN 'later' ELSE 'waiting' END AS state FROM job WHERE status = 'working'
    UNION ALL SELECT kind, NULL, 'failed' FROM job WHERE status = 'failed'
  ) open_jobs GROUP BY kind, state`;

async function look(pool: pg.Pool): Promise<JobLoad> {
  const rows = await run<Row>(pool, LOOK);
  return {
    counts: rows.map(({ kind, state, count }) => ({ kind, state, count })),
    oldestDueSeconds: Math.max(0, ...rows.map((row) => row.oldestDueSeconds)),
  };
}

/** Looks what there is to do; null where the database does not say in time. */
export const createJobLoad = (pool: pg.Pool): (() => Promise<JobLoad | null>) =>
  inTime(() => look(pool), { milliseconds: DEADLINE_MS, otherwise: null });
