import type pg from 'pg';
import { isAnnounced } from '../../domain/events/events-of.js';
import type { JobQueue } from '../../services/jobs/job-ports.js';
import type { Log } from '../../services/log-port.js';
import { announceEvents } from '../events/event-wakeups.js';
import { inTransaction, run, type SqlRunner } from '../sql.js';
import { claimJobs } from './job-claims.js';
import { failInterruptedImports } from './job-store.js';
import { listenForJobs } from './job-wakeups.js';
import { createSilentSettling, settleJob } from './job-outcomes.js';

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
export function createJobQueue(pool: pg.Pool, log: Log): JobQueue {
  const settleSilently = createSilentSettling(pool);
  return {
    claim: (max) => claimJobs(pool, max),
    async settle(jobRun, outcome) {
      if (!isAnnounced(jobRun.kind)) return settleSilently({ run: jobRun, outcome });
      const isSettled = await inTransaction(pool, (sql) => settleJob(sql, jobRun, outcome));
      if (isSettled) announceEvents(pool, null);
      return isSettled;
    },
    async maintain() {
      await failInterruptedImports(pool);
      await schedulePurge(pool);
    },
    listen: (wake) => listenForJobs(pool, wake, log),
  };
}
