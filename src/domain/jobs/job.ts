import type { ErrorCode } from '../errors.js';
import type { LiveFields } from '../networks/live-fields.js';
import type { JobKind } from './job-kinds.js';
import type { NetworkFailureCode } from '../networks/network-failures.js';
import type { JobStatus } from '../enums.js';
import type { ServiceFailureCode } from '../publishing/publication-failures.js';

/**
 * A part of a job that could not be done: the ID of the post or account concerned, a code and a
 * message.
 */
export interface JobFailure {
  id: string;
  code: ErrorCode | NetworkFailureCode | ServiceFailureCode;
  message: string;
}

/** A post that a job creates, or whose publication it follows. */
export interface JobPost {
  /** Index of its entry in the request. */
  readonly index: number;
  readonly databaseId: number;
}

/**
 * What a call did that creates posts, or shares them now, apart from their publication (D51).
 * Stored as JSON.
 */
export interface JobResult {
  /** The list of the request that indexes and messages refer to. */
  readonly list: 'posts' | 'targets' | 'ids';
  readonly posts: readonly JobPost[];
  /** Accounts that got no post, or posts that are not shared. */
  readonly failures: readonly JobFailure[];
  readonly warnings: readonly string[];
}

/** Work that continues after the response (D42). */
export interface Job {
  id: string;
  kind: JobKind;
  status: JobStatus;
  /** 0 to 1. */
  progress: number;
  failures: JobFailure[];
  /** Null unless the job creates posts or follows their publication. */
  result: JobResult | null;
  /** Database ID of the job's post. */
  postId: number | null;
  createdAt: Date;
  finishedAt: Date | null;
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
    /** Nothing was tried, or one of several parts is done: does not count as an attempt. */
    | { readonly kind: 'postponed'; readonly inMs: number }
  ) & { readonly edit?: NetworkEditEffect };

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
 * Failures as the REST API presents them: post or account ID → messages, `{}` if there are none.
 */
export function failuresById(failures: readonly JobFailure[]): Record<string, string[]> {
  const byId: Record<string, string[]> = {};
  for (const { id, message } of failures) (byId[id] ??= []).push(message);
  return byId;
}

/** Failure message of an import whose command was killed. */
export const IMPORT_INTERRUPTED =
  'The import was interrupted. The posts imported so far are kept; run it again to import the rest.';

/** Retries of failed jobs: pauses of 2 s, then twice as long each time, 17 minutes in total. */
export const JOB_RETRIES = {
  maxAttempts: 10,
  firstPauseMs: 2_000,
  maxPauseMs: 600_000,
} as const;

/**
 * Milliseconds until the next attempt after the nth one (1 is the first), or null if it was the
 * last. `random`, from 0 to 1, shortens the pause by up to half, so that jobs that failed together
 * are not retried together.
 */
export function jobRetryDelayMs(attempt: number, random: number): number | null {
  const { maxAttempts, firstPauseMs, maxPauseMs } = JOB_RETRIES;
  if (attempt >= maxAttempts) return null;
  return Math.round(Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs) * (1 - random / 2));
}
