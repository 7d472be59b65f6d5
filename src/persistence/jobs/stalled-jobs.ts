import type { JobKind } from '../../domain/vocabulary.js';
import { QUEUE } from './job-queue.js';
import { run, type SqlRunner } from '../sql.js';

/** A job that is due is with a worker within moments; what is not by then has lost its ticket. */
const GRACE = "interval '10 seconds'";
const MOST = 500;

/**
 * Jobs that work without anybody having them: their worker was killed, or their ticket was lost. Those that are waiting in the
 * line are not among them: pg-boss' own index on waiting tickets tells.
 */
export const stalledJobs = (sql: SqlRunner): Promise<{ id: string; kind: JobKind }[]> =>
  run(
    sql,
    "SELECT j.id, j.kind FROM job j WHERE j.status = 'working' AND j.kind <> 'import' AND (j.leased_until < now() OR (j.leased_until IS NULL AND j.due_at < now() - " +
      GRACE +
      ')) ' +
      "AND NOT EXISTS (SELECT 1 FROM pgboss.job t WHERE t.name = $2 AND COALESCE(t.singleton_key, '') = j.id AND t.state = 'created' AND t.policy = 'short') " +
      'ORDER BY j.due_at LIMIT $1',
    [MOST, QUEUE],
  );
