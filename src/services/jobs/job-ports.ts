import type { JobFailure } from '../../domain/jobs/job.js';
import type { LiveFields } from '../../domain/networks/live-fields.js';
import type { NetworkPace } from '../../domain/networks/network-pace.js';
import type { Post } from '../../domain/posts/post.js';
import type { JobKind } from '../../domain/vocabulary.js';

/** What brings a job to a worker. It may come twice, or after the job has ended: the job's own row is the truth. */
export interface Ticket {
  readonly id: string;
  readonly jobId: string;
}

/** The line that jobs wait in, in the database: a job stands in it from the transaction that makes it. */
export interface JobQueue {
  /** The next tickets that are due, taken out of the line; none while the database is away. */
  next(most: number): Promise<readonly Ticket[]>;
  /** Ends a ticket that nothing is left to do for. */
  drop(ticket: Ticket): Promise<void>;
  /** Calls `wake` when jobs are put in the line by any process, and keeps the line tidy, until it is closed. */
  open(wake: () => void): Promise<void>;
  close(): Promise<void>;
}

/** A job while one worker has it. */
export interface JobRun {
  readonly ticket: Ticket;
  readonly id: string;
  readonly kind: JobKind;
  /** Relational id of the post it is about; null where there is none, or none any more. */
  readonly postId: number | null;
  readonly notificationId: string | null;
  /** What its failures are told of: the post's document id, else its own. */
  readonly about: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Asks for another lease from now on, between two pieces of long work. False: somebody else has the job now, so stop. */
  renew(): Promise<boolean>;
}

/** What an attempt at an edit has shown about the network. Absent where nothing is known that was not known before. */
export interface EditEffect {
  /** What is live there now; absent where it is as it was. */
  readonly live?: LiveFields;
  /** Whether the network may have made a change whose answer never came. */
  readonly inDoubt: boolean;
  /** The pause that the network asked the account for. */
  readonly accountPauseMs?: number;
}

/** What a worker's turn at a job came to. */
export type JobEnding =
  /** Done, but for the failures. */
  (
    | { readonly kind: 'completed'; readonly failures: readonly JobFailure[] }
    /** Nothing was done, and nothing will be without somebody doing something. */
    | { readonly kind: 'failed'; readonly failures: readonly JobFailure[] }
    /** The attempt failed; another one follows. */
    | { readonly kind: 'again'; readonly inMs: number }
    /** Nothing was tried: it does not count as an attempt. */
    | { readonly kind: 'postponed'; readonly inMs: number }
  ) & { readonly edit?: EditEffect };

/** Does one kind of work. Safe to run twice: a worker may be gone before it can tell that it did it. */
export type JobHandler = (run: JobRun) => Promise<JobEnding>;

/** Who does which kind of work. An import is done by the command that starts it. */
export type JobHandlers = Readonly<Partial<Record<JobKind, JobHandler>>>;

/** The jobs as workers share them. */
export interface JobRuns {
  /** Takes the lease of a ticket's job; null where there is nothing to do for it now. */
  take(ticket: Ticket): Promise<JobRun | null>;
  /** Writes down what became of it and ends the lease. False: the lease was lost meanwhile, and nothing is written. */
  settle(run: JobRun, ending: JobEnding): Promise<boolean>;
  /** Puts work in the line that comes round by itself, unless its time has not come. */
  schedule(): Promise<void>;
  /** Ends imports whose command was killed, and puts back in the line what works without a lease or a ticket; gives how many those were. */
  reconcile(): Promise<number>;
}

/** A published post whose edit is to be brought to its network, as it is saved now. */
export interface EditSubject {
  readonly post: Post;
  readonly sync: {
    readonly jobId: string | null;
    readonly live: LiveFields;
    readonly inDoubt: boolean;
  };
  /** How long its account still has to pause; 0 where it has not. */
  readonly pausedForMs: number;
}

export interface EditStore {
  /** Null where the post is deleted. */
  subject(postId: number): Promise<EditSubject | null>;
  /**
   * Asks for the run's turn in a network's lane. Where it is now, the post is in doubt until the run is settled: from
   * here on nobody knows what is live if the worker dies.
   */
  begin(
    run: JobRun,
    lane: NetworkPace & { readonly lane: string },
  ): Promise<{ readonly kind: 'begun' } | { readonly kind: 'later'; readonly inMs: number }>;
}

/** Jobs of one kind in one state: due, due later, with a worker, or failed and left. */
export interface JobCount {
  readonly kind: JobKind;
  readonly state: 'waiting' | 'later' | 'running' | 'failed';
  readonly count: number;
}

/** What there is to do, for all processes together. */
export interface JobLoad {
  readonly counts: readonly JobCount[];
  /** How long the job that has waited longest has been due; 0 where none waits. */
  readonly oldestDueSeconds: number;
}

/** Counts the turns that a worker takes at jobs. */
export interface JobMeter {
  ended(kind: JobKind, ending: JobEnding['kind'], seconds: number): void;
}
