import PgBoss from 'pg-boss';
import type pg from 'pg';
import type { Job } from '../../domain/jobs/job.js';
import type { JobKind } from '../../domain/vocabulary.js';
import type { JobQueue, Ticket } from '../../services/jobs/job-ports.js';
import { JOBS_CHANNEL, listenForJobs } from './job-wakeups.js';
import type { Log } from '../log.js';
import { run, type SqlRunner } from '../sql.js';

/** pg-boss' name of the line. */
export const QUEUE = 'jobs';
/** `short`: a job waits in the line once at most, however often it is put there. Retries are the job row's affair. */
const QUEUE_OPTIONS = {
  name: QUEUE,
  policy: 'short',
  retryLimit: 0,
  expireInSeconds: 300,
} as const satisfies PgBoss.Queue;
/** Ended tickets tell nothing that the job's row does not. */
const UPKEEP = {
  maintenanceIntervalSeconds: 300,
  archiveCompletedAfterSeconds: 3_600,
  deleteAfterSeconds: 3_600,
} as const;

/** Which work goes first where workers are short: people wait for the first ones. */
const PRIORITY: Readonly<Record<JobKind, number>> = {
  network_edit: 3,
  notification: 2,
  purge: 1,
  import: 0,
};

const preparedOn = (sql: SqlRunner): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await run(sql, text, values) }),
});
/** For what pg-boss does by itself: several statements in one text, which cannot be prepared. */
const plainOn = (sql: Pick<pg.Pool | pg.ClientBase, 'query'>): PgBoss.Db => ({
  executeSql: (text, values) => sql.query(text, values),
});

const NOWHERE: PgBoss.Db = {
  executeSql: () => Promise.reject(new Error('Each call says on which connection it runs')),
};
const boss = new PgBoss({ db: NOWHERE });

/** Puts a job in the line, on the connection of the transaction that makes it or lets it wait. */
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

/** Puts a purge in the line unless this hour has had one, from whatever process; false where it has. */
export async function queuePurge(sql: SqlRunner, id: string): Promise<boolean> {
  const options = {
    db: preparedOn(sql),
    singletonKey: 'purge',
    singletonSeconds: 3_600,
    priority: PRIORITY.purge,
  };
  return (await boss.send(QUEUE, { jobId: id }, options)) !== null;
}

/** Lets the tickets of jobs that wait come when the jobs are due now, which has been moved. */
export async function followDueTimes(sql: SqlRunner, jobIds: readonly string[]): Promise<void> {
  await run(
    sql,
    "UPDATE pgboss.job t SET start_after = j.due_at FROM job j WHERE t.name = $1 AND t.state = 'created' AND t.policy = 'short' AND COALESCE(t.singleton_key, '') = j.id AND j.id = ANY($2::text[])",
    [QUEUE, jobIds],
  );
  await run(sql, 'SELECT pg_notify($1, $2)', [JOBS_CHANNEL, '']);
}

/** Ends a ticket, on the connection of the transaction that settles its job. */
export async function endTicket(sql: SqlRunner, { id }: Ticket): Promise<void> {
  await boss.complete(QUEUE, id, {}, { db: preparedOn(sql) });
}

/** Makes pg-boss' own schema, or brings it to this version's; call it where no other process does. */
export async function installJobQueue(client: pg.ClientBase): Promise<void> {
  const installer = new PgBoss({ db: plainOn(client), supervise: false, schedule: false });
  await installer.start();
  await installer.createQueue(QUEUE, { ...QUEUE_OPTIONS });
  await installer.stop({ graceful: false });
}

export function createJobQueue(pool: pg.Pool, log: Log): JobQueue {
  const keeper = new PgBoss({ db: plainOn(pool), migrate: false, schedule: false, ...UPKEEP });
  keeper.on('error', (error) => log.warn(`The line of jobs could not be tidied: ${error.message}`));
  let listening: { close(): Promise<void> } | undefined;
  let opening: Promise<unknown> | undefined;
  return {
    async next(most) {
      const tickets = await boss.fetch<{ jobId: string }>(QUEUE, {
        batchSize: most,
        db: preparedOn(pool),
      });
      return tickets.map(({ id, data }) => ({ id, jobId: data.jobId }));
    },
    drop: (ticket) => endTicket(pool, ticket),
    async open(wake) {
      listening = listenForJobs(pool, wake, log);
      await (opening = keeper.start());
    },
    async close() {
      await listening?.close();
      await opening?.catch(() => undefined); // one that is half open cannot be stopped
      await keeper.stop({ graceful: false });
    },
  };
}
