import type pg from 'pg';
import type { JobQueue } from '../../services/jobs/job-ports.js';
import type { Log } from '../../services/log-port.js';
import { inTransaction, run, type SqlRunner } from '../sql.js';
import { claimJobs } from './job-claims.js';
import { failInterruptedImports } from './job-store.js';
import { listenForJobs } from './job-wakeups.js';
import { settleJob } from './job-outcomes.js';

/** At most one purge per hour over all processes: its ID contains the hour. */
const SCHEDULE_PURGE =
  'INSERT INTO job (id, kind) ' +
  `SELECT to_char(now() AT TIME ZONE 'UTC', '"job_purge"YYYYMMDDHH24'), 'purge' ` +
  'ON CONFLICT (id) DO NOTHING';

const schedulePurge = (sql: SqlRunner): Promise<unknown> => run(sql, SCHEDULE_PURGE);

/**
 * The job queue of a process. Leases are stored in rows, so that no worker holds a connection while
 * it waits for a network.
 */
export const createJobQueue = (pool: pg.Pool, log: Log): JobQueue => ({
  claim: (max) => claimJobs(pool, max),
  settle: (jobRun, outcome) => inTransaction(pool, (sql) => settleJob(sql, jobRun, outcome)),
  async maintain() {
    await failInterruptedImports(pool);
    await schedulePurge(pool);
  },
  listen: (wake) => listenForJobs(pool, wake, log),
});
