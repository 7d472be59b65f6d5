import { isAnnounced } from '../../domain/events/events-of.js';
import { JOB_KINDS, WORKER_JOB_KINDS, type WorkerJobKind } from '../../domain/jobs/job-kinds.js';
import type { ClaimLimits, SlotHolder } from '../../domain/jobs/job-slots.js';
import type { JobOutcome } from '../../domain/jobs/job.js';
import type { Database } from '../database.js';
import {
  announceEvents,
  JOB_COLUMNS,
  insertPostEvents,
  insertRecordEvents,
} from '../events/insert-events.js';
import { failInterruptedImports } from './job-store.js';
import { WAKE_WORKERS, listenForJobs } from './job-wakeups.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';
import { Parameters, type Sql } from '../sql.js';
import type { Log } from '../../domain/log.js';

/** A job leased by one worker. */
export interface JobRun {
  readonly id: string;
  readonly kind: WorkerJobKind;
  /** Database ID of the job's post; null if it has none, or the post no longer exists. */
  readonly postId: number | null;
  /** The `id` of the job's failures: the post's document ID, otherwise the job's own. */
  readonly subjectId: string;
  /**
   * The span of the request that created the job (W3C Trace Context); null if it was not traced.
   */
  readonly traceparent: string | null;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Renews the lease, between two steps of long work. False if the attempt is over, because another
   * worker has the job now or the attempt has reached its maximum duration: stop; its outcome is
   * not recorded.
   */
  renew(): Promise<boolean>;
}

/** A run, and whose slots it uses. */
export type ClaimedJob = JobRun & SlotHolder;

/**
 * The job queue: the unfinished jobs in the database. A job is enqueued by the transaction that
 * creates it.
 */
export interface JobQueue {
  /**
   * Leases the next due jobs: those of the kind with the highest priority first, then those that
   * were due first, within limits for kinds and workspaces. Other workers do not get them until the lease expires. At most one edit of a
   * post is leased at a time. Jobs of kinds that this process does not know are left to others.
   */
  claim(limits: ClaimLimits): Promise<readonly ClaimedJob[]>;
  /** Records the outcome and ends the lease. False if the lease was lost: nothing is recorded. */
  settle(run: JobRun, outcome: JobOutcome): Promise<boolean>;
  /** Enqueues the hourly purge if it is due, and fails imports whose command was killed. */
  maintain(): Promise<void>;
  /** Calls `wake` when any process enqueues a job that is due, until closed. */
  listen(wake: () => void): { close(): Promise<void> };
}

/** Length of a lease; workers renew it several times in this time (jobs/attempt-lease.ts). */
export const LEASE_SECONDS = 20;
const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;

/** A run holds the job until another attempt starts or its lease is cleared. */
const isLeaseHeld = (id: string, attempt: string): string =>
  `id = ${id} AND attempts = ${attempt} AND status = 'working' AND leased_until IS NOT NULL`;

const RENEW = `UPDATE job SET leased_until = ${LEASE} WHERE ${isLeaseHeld('$1', '$2')} RETURNING 1`;

/**
 * Edits of a post run one at a time, in the order in which they are due. A lease blocks the others
 * even after it has expired, because the job itself is claimed first then. The constraint
 * job_one_edit_per_post ensures the same.
 */
const IS_BLOCKED_BY_EDIT_OF_SAME_POST = `j.kind = 'network_edit' AND EXISTS (
  SELECT FROM job other
   WHERE other.status = 'working' AND other.kind = 'network_edit' AND other.post_id = j.post_id AND other.id <> j.id
     AND (other.leased_until IS NOT NULL OR (j.leased_until IS NULL AND (other.due_at, other.id) < (j.due_at, j.id))))`;

/** Due times are rounded to milliseconds, up or down. */
const IS_DUE = "j.due_at <= now() + interval '1 millisecond'";

/**
 * Reads only due jobs, and per kind at most as many as may be claimed (job_claim_idx), unless those
 * of a share are passed over. Jobs that another worker is claiming are skipped instead of waited
 * for.
 */
const CLAIM = `
WITH due AS MATERIALIZED (
  SELECT first.*, of_kind.slots, of_kind.most_of_workspace, of_kind.rank, of_kind.slots || ' ' || first.workspace_id AS share
    FROM unnest($1::job_kind[], $2::text[], $3::int[], $4::int[]) WITH ORDINALITY AS of_kind (kind, slots, most, most_of_workspace, rank), LATERAL (
      SELECT j.id, j.workspace_id, j.due_at FROM job j
       WHERE j.status = 'working' AND j.kind = of_kind.kind AND ${IS_DUE}
         AND (j.leased_until IS NULL OR j.leased_until <= now())
         AND NOT (${IS_BLOCKED_BY_EDIT_OF_SAME_POST})
         AND (j.workspace_id IS NULL OR of_kind.slots || ' ' || j.workspace_id <> ALL ($5::text[]))
       ORDER BY j.due_at LIMIT of_kind.most FOR NO KEY UPDATE SKIP LOCKED
    ) first
), of_workspaces AS (
  SELECT due.*, row_number() OVER (PARTITION BY share ORDER BY rank, due_at) AS nth FROM due
), fitting AS (
  SELECT w.id, w.slots, w.rank, w.due_at, row_number() OVER (PARTITION BY slots = 'publication' ORDER BY rank, due_at) AS nth
    FROM of_workspaces w LEFT JOIN unnest($6::text[], $7::int[]) AS running (share, jobs) USING (share)
   WHERE share IS NULL OR w.nth + COALESCE(jobs, 0) <= most_of_workspace
), next AS MATERIALIZED (
  SELECT id FROM fitting WHERE slots = 'publication' OR nth <= $8 ORDER BY rank, due_at LIMIT $9
)
UPDATE job j SET attempts = attempts + 1, leased_until = ${LEASE}, rate_bucket = NULL
  FROM next WHERE j.id = next.id
RETURNING j.id, j.kind, j.workspace_id AS "workspaceId", j.post_id::float8 AS "postId", j.attempts AS attempt, j.traceparent,
  COALESCE((SELECT doc_id FROM post p WHERE p.id = j.post_id), j.id) AS "subjectId"`;

/**
 * Codes of a claim that collided with another one on edits of the same post: an exclusion violation
 * or a deadlock. The next claim finds the jobs again.
 */
const COLLISION = new Set(['23P01', '40P01']);

const SLOT_USES = WORKER_JOB_KINDS.map((kind) => JOB_KINDS[kind].worker.slots);

/** Leases the next due jobs. */
async function claimJobs(database: Database, limits: ClaimLimits): Promise<ClaimedJob[]> {
  const rows = await database
    .change<Omit<ClaimedJob, 'renew'>>(CLAIM, [
      WORKER_JOB_KINDS,
      SLOT_USES,
      WORKER_JOB_KINDS.map(limits.ofKind),
      WORKER_JOB_KINDS.map(limits.ofWorkspace),
      limits.passedOver,
      [...limits.running.keys()],
      [...limits.running.values()],
      limits.otherJobs,
      limits.jobs,
    ])
    .catch((error: Error & { code?: string }) => {
      if (COLLISION.has(error.code ?? '')) return [];
      throw error;
    });
  return rows.map((row) => ({
    ...row,
    renew: async () => (await database.change(RENEW, [row.id, row.attempt])).length > 0,
  }));
}

const SYNC_STATUS_BY_OUTCOME = {
  completed: 'synced',
  failed: 'failed',
  retried: 'pending',
  postponed: 'pending',
} as const;

/** Writes the event of a published post whose network shows its changes. */
async function writeNetworkUpdated(sql: Sql, postId: number): Promise<void> {
  const parameters = new Parameters(postId);
  const events = insertPostEvents(
    { type: 'post.network_updated', rows: 'edited', changed: ['networkSync'] },
    parameters,
  );
  await sql(`WITH edited AS (SELECT * FROM post WHERE id = $1) ${events}`, parameters.values);
}

/**
 * Stores the effect of an attempt at an edit: the live fields, whether they are in doubt and, if
 * this job delivers the post's last change, its status (D22).
 */
async function writeEditEffect(
  sql: Sql,
  { id, kind, postId }: JobRun,
  { edit, ...outcome }: JobOutcome,
): Promise<void> {
  if (kind !== 'network_edit' || postId === null) return;
  const error = outcome.kind === 'failed' ? (outcome.failures[0]?.message ?? null) : null;
  await sql(
    'UPDATE post_sync SET live = COALESCE($3::jsonb, live), in_doubt = COALESCE($4::boolean, in_doubt), ' +
      'status = CASE WHEN job_id = $2 THEN $5::sync_status ELSE status END, error = CASE WHEN job_id = $2 THEN $6::text ELSE error END WHERE post_id = $1',
    [
      postId,
      id,
      edit?.live ? JSON.stringify(edit.live) : null,
      edit?.inDoubt ?? null,
      SYNC_STATUS_BY_OUTCOME[outcome.kind],
      error,
    ],
  );
  if (edit?.live) await writeNetworkUpdated(sql, postId);
  if (edit?.accountPauseMs === undefined) return;
  await sql(
    "UPDATE account SET paused_until = GREATEST(paused_until, now() + $2 * interval '1 millisecond') WHERE id = (SELECT account_id FROM post WHERE id = $1)",
    [postId, edit.accountPauseMs],
  );
}

/**
 * Writes the event of a job that a worker has finished, in the transaction that records its end.
 */
async function writeJobFinished(sql: Sql, { id, kind }: JobRun): Promise<void> {
  if (!isAnnounced(kind)) return;
  const parameters = new Parameters(id);
  const events = insertRecordEvents({ type: 'job.finished', rows: 'finished' }, parameters);
  await sql(
    `WITH finished AS (SELECT ${JOB_COLUMNS} FROM job WHERE id = $1) ${events}`,
    parameters.values,
  );
}

type OutcomeKind = JobOutcome['kind'];

const finished = (status: 'completed' | 'failed'): string =>
  `status = '${status}', failures = s.failures, finished_at = now(), attempt_at = NULL`;
const DUE_LATER = `due_at = now() + s."inMs" * interval '1 millisecond'`;

/** What each outcome changes. */
const ASSIGNMENTS: Readonly<Record<OutcomeKind, string>> = {
  completed: `progress = 1, ${finished('completed')}`,
  failed: finished('failed'),
  retried: `attempt_at = NULL, ${DUE_LATER}`,
  // safe: the next attempt gets this number or a higher one, and never during this lease
  postponed: `attempts = job.attempts - 1, ${DUE_LATER}`,
};

/** Records an outcome of the runs that hold their lease. `locked`: what to do about locked rows. */
const settle = (kind: OutcomeKind, locked: 'SKIP LOCKED' | ''): string => `
WITH settled AS MATERIALIZED (
  SELECT a.* FROM ${callRows('"jobId" text, "jobAttempt" int, failures jsonb, "inMs" float8')} a,
         LATERAL (SELECT FROM job WHERE ${isLeaseHeld('a."jobId"', 'a."jobAttempt"')} FOR NO KEY UPDATE ${locked}) j
)
UPDATE job SET ${ASSIGNMENTS[kind]}, leased_until = NULL, rate_bucket = NULL FROM settled s WHERE id = s."jobId" RETURNING id`;

interface Settlement {
  readonly run: JobRun;
  readonly outcome: JobOutcome;
}

/** Records outcomes of one kind. Returns the IDs of the jobs whose run still held its lease. */
async function settleAll(
  sql: Sql,
  text: string,
  settlements: readonly Settlement[],
): Promise<Set<string>> {
  const records = settlements.map(({ run: { id, attempt }, outcome }) => ({
    jobId: id,
    jobAttempt: attempt,
    ...('inMs' in outcome ? { inMs: outcome.inMs } : { failures: outcome.failures }),
  }));
  const rows = await sql<{ id: string }>(text, [toCallRows(records)]);
  return new Set(rows.map(({ id }) => id));
}

const isDueNow = (outcome: JobOutcome): boolean => 'inMs' in outcome && outcome.inMs === 0;
const wakeWorkers = (sql: Sql): Promise<unknown> => sql(`SELECT ${WAKE_WORKERS}`);

/** Records an outcome and ends the lease. Returns whether the run still held it. */
async function settleJob(sql: Sql, jobRun: JobRun, outcome: JobOutcome): Promise<boolean> {
  const settled = await settleAll(sql, settle(outcome.kind, ''), [{ run: jobRun, outcome }]);
  if (settled.size === 0) return false;
  await writeEditEffect(sql, jobRun, outcome);
  if ('failures' in outcome) await writeJobFinished(sql, jobRun);
  if (isDueNow(outcome)) await wakeWorkers(sql);
  return true;
}

/**
 * Settles jobs whose end is no event, and changes nothing else: concurrent calls share a statement.
 */
function createSilentSettling(database: Database): (settlement: Settlement) => Promise<boolean> {
  const sharedBy = (kind: OutcomeKind) => {
    const [shared, waiting] = [settle(kind, 'SKIP LOCKED'), settle(kind, '')];
    return database.share<Settlement, boolean>({
      async together(settlements) {
        const settled = await settleAll(database.change, shared, settlements);
        return settlements.map(({ run: { id } }) => settled.has(id) || undefined);
      },
      alone: async (settlement) =>
        (await settleAll(database.change, waiting, [settlement])).size > 0,
    });
  };
  const settleOne: Readonly<Record<OutcomeKind, ReturnType<typeof sharedBy>>> = {
    completed: sharedBy('completed'),
    failed: sharedBy('failed'),
    retried: sharedBy('retried'),
    postponed: sharedBy('postponed'),
  };
  return async (settlement) => {
    const isSettled = await settleOne[settlement.outcome.kind](settlement);
    if (isSettled && isDueNow(settlement.outcome)) await wakeWorkers(database.change);
    return isSettled;
  };
}

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
    claim: (limits) => claimJobs(database, limits),
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
