import { isAnnounced } from '../../domain/events/events-of.js';
import type { JobQueue } from '../../services/jobs/job-ports.js';
import type { Log } from '../../services/log-port.js';
import type { Database } from '../database.js';
import { announceEvents } from '../events/event-wakeups.js';
import type { Sql } from '../sql.js';
import { claimJobs } from './job-claims.js';
import { failInterruptedImports } from './job-store.js';
import { listenForJobs } from './job-wakeups.js';
import { createSilentSettling, settleJob } from './job-outcomes.js';

/** At most one purge per hour over all processes: its ID contains the hour. */
const SCHEDULE_PURGE =
  'INSERT INTO job (id, kind) ' +
  `SELECT to_char(now() AT TIME ZONE 'UTC', '"job_purge"YYYYMMDDHH24'), 'purge' ` +
  'ON CONFLICT (id) DO NOTHING';

const schedulePurge = (sql: Sql): Promise<unknown> => sql(SCHEDULE_PURGE);

/**
 * The job queue of a process. Leases are stored in rows, so that no worker holds a connection while
 * it waits for a network.
 */
export function createJobQueue(database: Database, log: Log): JobQueue {
  const settleSilently = createSilentSettling(database);
  return {
    claim: (max) => claimJobs(database, max),
    async settle(jobRun, outcome) {
      if (!isAnnounced(jobRun.kind)) return settleSilently({ run: jobRun, outcome });
      const isSettled = await database.transaction((sql) => settleJob(sql, jobRun, outcome));
      if (isSettled) announceEvents(database, null);
      return isSettled;
    },
    async maintain() {
      await failInterruptedImports(database.change);
      await schedulePurge(database.change);
    },
    listen: (wake) => listenForJobs(database, wake, log),
  };
}
