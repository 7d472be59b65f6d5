import type pg from 'pg';
import type { JobKind } from '../../domain/vocabulary.js';
import type { JobEnding, JobRun, JobRuns, Ticket } from '../../services/jobs/job-ports.js';
import type { Ids } from '../../services/ports.js';
import { endTicket, queueJob, queuePurge } from './job-queue.js';
import { endSilentImports } from './job-store.js';
import { stalledJobs } from './stalled-jobs.js';
import { writeEditEffect } from '../networks/edit-effects.js';
import { inTransaction, run, type SqlRunner } from '../sql.js';

/** How long a worker may be silent: it tells several times in this while that it lives (jobs/worker.ts). */
export const LEASE_SECONDS = 20;
const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;
/** When a job looks again whether the one before it of the same post has ended. */
const POST_IS_BUSY_MS = 1_000;

interface Rival {
  id: string;
  kind: JobKind;
  isLeased: boolean;
  isEarly: boolean;
}
interface TakenRow {
  kind: JobKind;
  postId: number | null;
  notificationId: string | null;
  about: string | null;
  attempt: number;
}

/** The job, and the other edits of its post that have not ended, held until the transaction ends: in one order for all. */
const lockJob = (sql: SqlRunner, jobId: string): Promise<Rival[]> =>
  run<Rival>(
    sql,
    'SELECT id, kind, COALESCE(leased_until > now(), false) AS "isLeased", due_at > now() AS "isEarly" FROM job ' +
      "WHERE status = 'working' AND (id = $1 OR (kind = 'network_edit' AND post_id = (SELECT post_id FROM job WHERE id = $1 AND kind = 'network_edit'))) ORDER BY id FOR UPDATE",
    [jobId],
  );

/** Leases that ran out on the way here: their workers are gone, and the reconciler will find the jobs. */
const endLeases = (sql: SqlRunner, ids: readonly string[]): Promise<unknown> =>
  run(
    sql,
    'UPDATE job SET leased_until = NULL, lane = NULL WHERE id = ANY($1::text[]) AND leased_until IS NOT NULL',
    [ids],
  );

/** Lets a job wait, and ends the ticket that it came with. */
async function postpone(
  sql: SqlRunner,
  { id, kind, ticket }: Pick<JobRun, 'id' | 'kind' | 'ticket'>,
  inMs: number,
): Promise<void> {
  await run(sql, "UPDATE job SET due_at = now() + $2 * interval '1 millisecond' WHERE id = $1", [
    id,
    inMs,
  ]);
  await endTicket(sql, ticket);
  await queueJob(sql, { id, kind }, inMs);
}

async function take(sql: SqlRunner, ticket: Ticket): Promise<TakenRow | null> {
  const rows = await lockJob(sql, ticket.jobId);
  const mine = rows.find(({ id }) => id === ticket.jobId);
  if (!mine || mine.isLeased || mine.isEarly) {
    await endTicket(sql, ticket); // done, or with somebody else, or a second ticket of one that waits for the first
    return null;
  }
  const rivals = rows.filter((row) => row !== mine);
  if (rivals.some(({ isLeased }) => isLeased)) {
    await postpone(sql, { ...mine, ticket }, POST_IS_BUSY_MS);
    return null;
  }
  await endLeases(
    sql,
    rivals.map(({ id }) => id),
  );
  const [taken] = await run<TakenRow>(
    sql,
    `UPDATE job j SET attempts = attempts + 1, leased_until = ${LEASE} WHERE id = $1 RETURNING kind, post_id::int AS "postId", notification_id AS "notificationId", ` +
      'attempts AS attempt, (SELECT doc_id FROM post p WHERE p.id = j.post_id) AS about',
    [mine.id],
  );
  return taken!;
}

/** The run has the job as long as nobody began another attempt and nobody ended its lease. */
const HELD = "id = $1 AND attempts = $2 AND status = 'working' AND leased_until IS NOT NULL";

const ENDED = 'leased_until = NULL, lane = NULL';

/** Whether the run still had the job. */
async function end(sql: SqlRunner, { id, attempt }: JobRun, ending: JobEnding): Promise<boolean> {
  const finished = (progress: string): string =>
    `status = $3::job_status, progress = ${progress}, failures = $4, finished_at = now(), turn_at = NULL`;
  const texts = {
    completed: finished('1'),
    failed: finished('progress'),
    again: 'turn_at = NULL',
    postponed: 'attempts = attempts - 1', // taken again it has this number again, or a higher one: never while this lease runs
  } as const satisfies Record<JobEnding['kind'], string>;
  const values =
    'failures' in ending
      ? [id, attempt, ending.kind, JSON.stringify(ending.failures)]
      : [id, attempt];
  return (
    (
      await run(
        sql,
        `UPDATE job SET ${texts[ending.kind]}, ${ENDED} WHERE ${HELD} RETURNING 1`,
        values,
      )
    ).length > 0
  );
}

async function settle(sql: SqlRunner, one: JobRun, ending: JobEnding): Promise<boolean> {
  if (!(await end(sql, one, ending))) return false;
  await writeEditEffect(sql, one, ending);
  await ('inMs' in ending ? postpone(sql, one, ending.inMs) : endTicket(sql, one.ticket));
  return true;
}

/** Jobs as workers share them: leases are rows, so that no worker holds a connection while it waits for a network. */
export function createJobRuns(pool: pg.Pool, ids: Pick<Ids, 'prefixed'>): JobRuns {
  return {
    async take(ticket) {
      const taken = await inTransaction(pool, (sql) => take(sql, ticket));
      if (!taken) return null;
      const { about, ...row } = taken;
      const renewed = (): Promise<unknown[]> =>
        run(pool, `UPDATE job SET leased_until = ${LEASE} WHERE ${HELD} RETURNING 1`, [
          ticket.jobId,
          row.attempt,
        ]);
      return {
        ...row,
        ticket,
        id: ticket.jobId,
        about: about ?? ticket.jobId,
        renew: async () => (await renewed()).length > 0,
      };
    },
    settle: (one, ending) => inTransaction(pool, (sql) => settle(sql, one, ending)),
    schedule: () =>
      inTransaction(pool, async (sql) => {
        const id = ids.prefixed('job');
        if (await queuePurge(sql, id))
          await run(sql, "INSERT INTO job (id, kind) VALUES ($1, 'purge')", [id]);
      }),
    reconcile: () =>
      inTransaction(pool, async (sql) => {
        await endSilentImports(sql);
        const stalled = await stalledJobs(sql);
        for (const job of stalled) await queueJob(sql, job);
        return stalled.length;
      }),
  };
}
