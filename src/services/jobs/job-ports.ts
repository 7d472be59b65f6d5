import type { DeliveryFailureCode } from '../../domain/jobs/notification-delivery.js';
import type { Job, JobFailure } from '../../domain/jobs/job.js';
import type { LiveFields } from '../../domain/networks/live-fields.js';
import type { JobKind, JobStatus } from '../../domain/vocabulary.js';

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

/**
 * An entry of the job queue. It may arrive twice, or after its job has finished: the job's own row
 * decides.
 */
export interface QueueEntry {
  readonly id: string;
  readonly jobId: string;
}

/** The job queue, in the database: a job is enqueued by the transaction that creates it. */
export interface JobQueue {
  /**
   * Removes the next due entries from the queue and returns them; none while the database is
   * unavailable.
   */
  dequeue(max: number): Promise<readonly QueueEntry[]>;
  /** Deletes an entry whose job needs no more work. */
  remove(entry: QueueEntry): Promise<void>;
  /**
   * Until closed, calls `wake` when any process enqueues jobs, and runs the queue's maintenance.
   */
  open(wake: () => void): Promise<void>;
  close(): Promise<void>;
}

/** A job leased by one worker. */
export interface JobRun {
  readonly queueEntry: QueueEntry;
  readonly id: string;
  readonly kind: JobKind;
  /** Database ID of the job's post; null if it has none, or the post no longer exists. */
  readonly postId: number | null;
  readonly notificationId: string | null;
  /** The `id` of the job's failures: the post's document ID, otherwise the job's own. */
  readonly subjectId: string;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Renews the lease, between two steps of long work. False if another worker has the job now:
   * stop.
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

/** The handlers by job kind. An import has none: the command that starts it runs it. */
export type JobHandlers = Readonly<Partial<Record<JobKind, JobHandler>>>;

/** Leases of jobs, shared by all workers. */
export interface JobRuns {
  /** Leases the job of a queue entry; null if it needs no work now. */
  lease(entry: QueueEntry): Promise<JobRun | null>;
  /** Records the outcome and ends the lease. False if the lease was lost: nothing is recorded. */
  settle(run: JobRun, outcome: JobOutcome): Promise<boolean>;
  /** Enqueues the purge of expired records if it is due. */
  schedulePurge(): Promise<void>;
  /**
   * Fails imports whose command was killed, and enqueues running jobs that have neither a lease nor
   * a queue entry; returns how many were enqueued.
   */
  reconcile(): Promise<number>;
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
  /** For how long the oldest due job has been due; 0 if none is. */
  readonly oldestDueSeconds: number;
}

/** Metrics of job attempts. */
export interface JobMetrics {
  attemptEnded(kind: JobKind, outcome: JobOutcome['kind'], seconds: number): void;
}

/** A job, for operators. */
export interface AdminJob extends Omit<Job, 'postId'> {
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

/** A notification as the webhook receives it: IDs and kind only, no post content. */
export interface NotificationMessage {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: Date;
  readonly workspaceId: string;
  readonly userId: string;
  /** Document ID of the post, even if the post is deleted. */
  readonly postId: string | null;
}

/** Reads notifications for delivery. */
export interface NotificationStore {
  /** Null if it no longer exists. */
  findMessage(id: string): Promise<NotificationMessage | null>;
}

/** Result of one delivery to the webhook. */
export type DeliveryResult =
  | { readonly kind: 'delivered' }
  /**
   * `message` contains neither the URL nor the secret; `retryAfterMs` is the pause that the
   * receiver requested.
   */
  | {
      readonly kind: 'failed';
      readonly code: DeliveryFailureCode;
      readonly message: string;
      readonly retryAfterMs?: number;
    };

/**
 * The operator's webhook for notifications. Responds within 20 seconds; may be called again with
 * the same message.
 */
export interface Webhook {
  deliver(message: NotificationMessage): Promise<DeliveryResult>;
}
