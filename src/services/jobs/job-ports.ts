import type { Job, JobFailure } from '../../domain/jobs/job.js';
import type { JobKind, WorkerJobKind } from '../../domain/jobs/job-kinds.js';
import type { LiveFields } from '../../domain/networks/live-fields.js';
import type { JobStatus } from '../../domain/enums.js';

/** Jobs as API clients see them. */
export interface JobStore {
  find(workspaceId: string, id: string): Promise<Job | null>;
  byIds(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Job>>;
}

/** Saves jobs that run outside the queue: imports. */
export interface JobWriter {
  /** Inserts the job, or updates the one with that ID. */
  save(owner: { workspaceId: string; userId: string }, job: Job): Promise<void>;
}

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

/**
 * Changes of the known network state after an attempt at an edit. Absent properties are unchanged.
 */
export interface NetworkEditEffect {
  /** The fields that the network now shows. */
  readonly live?: LiveFields;
  /** Whether the network may have applied a change without the gateway receiving its response. */
  readonly inDoubt: boolean;
  /** The pause that the network requested for the account. */
  readonly accountPauseMs?: number;
}

/** Outcome of one attempt at a job. */
export type JobOutcome =
  /** Done, except for the failures. */
  (
    | { readonly kind: 'completed'; readonly failures: readonly JobFailure[] }
    /** Nothing was done, and a retry would not help. */
    | { readonly kind: 'failed'; readonly failures: readonly JobFailure[] }
    /** The attempt failed; another one follows. */
    | { readonly kind: 'retried'; readonly inMs: number }
    /** Nothing was tried: does not count as an attempt. */
    | { readonly kind: 'postponed'; readonly inMs: number }
  ) & { readonly edit?: NetworkEditEffect };

/**
 * Runs one kind of job. Must be idempotent: a worker may stop after the work and before recording
 * it.
 */
export type JobHandler = (run: JobRun) => Promise<JobOutcome>;

/** The handler of every kind that workers run. */
export type JobHandlers = Readonly<Record<WorkerJobKind, JobHandler>>;

/**
 * The job queue: the unfinished jobs in the database. A job is enqueued by the transaction that
 * creates it.
 */
export interface JobQueue {
  /**
   * Leases the next due jobs: those of the kind with the highest priority first, then those that
   * were due first. Other workers do not get them until the lease expires. At most one edit of a
   * post is leased at a time. Jobs of kinds that this process does not know are left to others.
   */
  claim(max: number): Promise<readonly JobRun[]>;
  /** Records the outcome and ends the lease. False if the lease was lost: nothing is recorded. */
  settle(run: JobRun, outcome: JobOutcome): Promise<boolean>;
  /** Enqueues the hourly purge if it is due, and fails imports whose command was killed. */
  maintain(): Promise<void>;
  /** Calls `wake` when any process enqueues a job that is due, until closed. */
  listen(wake: () => void): { close(): Promise<void> };
}

/** Number of jobs of one kind in one state. */
export interface JobCount {
  readonly kind: JobKind;
  readonly state: 'due' | 'scheduled' | 'running' | 'failed';
  readonly count: number;
}

/** The jobs of all processes. */
export interface JobLoad {
  readonly counts: readonly JobCount[];
  /**
   * Time since the oldest due or running job became due, imports excluded; 0 if there is none.
   * Running jobs count, so that hanging ones show.
   */
  readonly oldestDueSeconds: number;
}

/** Metrics of job attempts. */
export interface JobMetrics {
  attemptEnded(kind: JobKind, outcome: JobOutcome['kind'], seconds: number): void;
}

/** A job, for operators. */
export interface AdminJob extends Omit<Job, 'postId' | 'result'> {
  readonly workspaceId: string | null;
  readonly attempts: number;
  /** The earliest time of the next attempt. */
  readonly dueAt: Date;
  /** Document ID of the job's post; null if it has none. */
  readonly postId: string | null;
}

/**
 * Administration of all workspaces' jobs. Failed jobs are dead letters: they are retried only on
 * request.
 */
export interface JobAdmin {
  /** Newest first. */
  list(status: JobStatus, max: number): Promise<AdminJob[]>;
  /**
   * Enqueues failed jobs as if they were new; returns the IDs of those enqueued. Imports are
   * restarted with their own command instead.
   */
  retry(ids: readonly string[] | 'all_failed'): Promise<string[]>;
}
