import PgBoss from 'pg-boss';
import type pg from 'pg';
import type { Job } from '../../domain/jobs/job.js';
import type { JobKind } from '../../domain/vocabulary.js';
import type { JobQueue, QueueEntry } from '../../services/jobs/job-ports.js';
import { JOBS_CHANNEL, listenForJobs } from './job-wakeups.js';
import type { Log } from '../../services/log-port.js';
import { run, type SqlRunner } from '../sql.js';

/** Name of the queue in pg-boss. */
export const QUEUE = 'jobs';
/**
 * `short`: a job has at most one waiting entry, even if it is enqueued repeatedly. Retries are
 * managed by the job row.
 */
const QUEUE_OPTIONS = {
  name: QUEUE,
  policy: 'short',
  retryLimit: 0,
  expireInSeconds: 300,
} as const satisfies PgBoss.Queue;
/** Completed entries are deleted early: all information is in the job row. */
const MAINTENANCE_OPTIONS = {
  maintenanceIntervalSeconds: 300,
  archiveCompletedAfterSeconds: 3_600,
  deleteAfterSeconds: 3_600,
} as const;

/** Higher numbers run first: users wait for network edits and notifications. */
const PRIORITY: Readonly<Record<JobKind, number>> = {
  network_edit: 3,
  notification: 2,
  purge: 1,
  import: 0,
};

const preparedOn = (sql: SqlRunner): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await run(sql, text, values) }),
});
/** For pg-boss' maintenance: several statements in one text, which cannot be prepared. */
const plainOn = (sql: Pick<pg.Pool | pg.ClientBase, 'query'>): PgBoss.Db => ({
  executeSql: (text, values) => sql.query(text, values),
});

const NO_DATABASE: PgBoss.Db = {
  executeSql: () => Promise.reject(new Error('Pass a connection to each call')),
};
const boss = new PgBoss({ db: NO_DATABASE });

/** Enqueues a job, on the connection of the transaction that creates or postpones it. */
export async function queueJob(
  sql: SqlRunner,
  { id, kind }: Pick<Job, 'id' | 'kind'>,
  inMs = 0,
): Promise<void> {
  await boss.send(
    QUEUE,
    { jobId: id },
    { db: preparedOn(sql), singletonKey: id, priority: PRIORITY[kind], startAfter: inMs / 1000 },
  );
  if (inMs === 0) await run(sql, 'SELECT pg_notify($1, $2)', [JOBS_CHANNEL, '']);
}

/**
 * Enqueues a purge, at most one per hour across all processes. Returns false if this hour already
 * has one.
 */
export async function queuePurge(sql: SqlRunner, id: string): Promise<boolean> {
  const options = {
    db: preparedOn(sql),
    singletonKey: 'purge',
    singletonSeconds: 3_600,
    priority: PRIORITY.purge,
  };
  return (await boss.send(QUEUE, { jobId: id }, options)) !== null;
}

/** Moves the waiting queue entries of jobs to the changed due times of the jobs. */
export async function syncQueueEntries(sql: SqlRunner, jobIds: readonly string[]): Promise<void> {
  await run(
    sql,
    "UPDATE pgboss.job t SET start_after = j.due_at FROM job j WHERE t.name = $1 AND t.state = 'created' AND t.policy = 'short' AND COALESCE(t.singleton_key, '') = j.id AND j.id = ANY($2::text[])",
    [QUEUE, jobIds],
  );
  await run(sql, 'SELECT pg_notify($1, $2)', [JOBS_CHANNEL, '']);
}

/** Completes a queue entry, on the connection of the transaction that settles its job. */
export async function completeQueueEntry(sql: SqlRunner, { id }: QueueEntry): Promise<void> {
  await boss.complete(QUEUE, id, {}, { db: preparedOn(sql) });
}

/** Creates or upgrades the schema of pg-boss. Callers must exclude concurrent calls. */
export async function installJobQueue(client: pg.ClientBase): Promise<void> {
  const installer = new PgBoss({ db: plainOn(client), supervise: false, schedule: false });
  await installer.start();
  await installer.createQueue(QUEUE, { ...QUEUE_OPTIONS });
  await installer.stop({ graceful: false });
}

/** Creates the job queue of a worker process. */
export function createJobQueue(pool: pg.Pool, log: Log): JobQueue {
  const maintainer = new PgBoss({
    db: plainOn(pool),
    migrate: false,
    schedule: false,
    ...MAINTENANCE_OPTIONS,
  });
  maintainer.on('error', (error) => log.warn(`Job queue maintenance failed: ${error.message}`));
  let listener: { close(): Promise<void> } | undefined;
  let opening: Promise<unknown> | undefined;
  return {
    async dequeue(max) {
      const entries = await boss.fetch<{ jobId: string }>(QUEUE, {
        batchSize: max,
        db: preparedOn(pool),
      });
      return entries.map(({ id, data }) => ({ id, jobId: data.jobId }));
    },
    remove: (entry) => completeQueueEntry(pool, entry),
    async open(wake) {
      listener = listenForJobs(pool, wake, log);
      await (opening = maintainer.start());
    },
    async close() {
      await listener?.close();
      await opening?.catch(() => undefined); // a start in progress cannot be stopped
      await maintainer.stop({ graceful: false });
    },
  };
}
