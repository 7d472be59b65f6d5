import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { JOB_KINDS } from '../domain/jobs/job-kinds.js';
import { JOB_RETRIES, jobRetryDelayMs, type JobOutcome } from '../domain/jobs/job.js';
import type { JobQueue, JobRun } from '../persistence/jobs/job-queue.js';
import type { JobHandlers, JobMetrics } from '../services/jobs/job-handler.js';
import { keepLease } from './attempt-lease.js';

/** The log of a worker. */
export type WorkerLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Dependencies of job attempts. */
export interface JobAttemptDependencies {
  readonly queue: JobQueue;
  readonly handlers: JobHandlers;
  readonly log: WorkerLog;
  /** What is done about a job that no further attempt follows, if it is more than to record it. */
  readonly giveUp?: Partial<JobHandlers>;
  /** Absent if metrics are off. */
  readonly metrics?: JobMetrics | undefined;
  /**
   * How often a lease is renewed: several times per lease, so that the jobs of a killed worker are
   * retried soon.
   */
  readonly heartbeatMs?: number;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

const HEARTBEAT_INTERVAL_MS = 5_000;

const INTERRUPTED = `Gave up after ${JOB_RETRIES.maxAttempts} attempts: each time, the worker stopped before the job finished, or the job took too long.`;
const INTERNAL_ERROR = 'Internal error. See the server log for this job ID.';

const failed = ({ subjectId }: JobRun, message: string): JobOutcome => ({
  kind: 'failed',
  failures: [{ id: subjectId, code: 'INTERNAL_SERVER_ERROR', message }],
});

/**
 * Returns a function that makes one attempt at a claimed job: runs its handler and records the
 * outcome. It resolves to the outcome, or to null if the attempt is over before it is done, and
 * rejects if the outcome could not be recorded.
 */
export function createJobAttempts({
  queue,
  handlers,
  giveUp = {},
  log,
  metrics,
  heartbeatMs = HEARTBEAT_INTERVAL_MS,
  now = () => performance.now(),
}: JobAttemptDependencies) {
  async function lastOutcome(run: JobRun, message: string): Promise<JobOutcome> {
    try {
      return (await giveUp[run.kind]?.(run)) ?? failed(run, message);
    } catch (error) {
      logHandlerError(log, run, error);
      return { kind: 'retried', inMs: JOB_RETRIES.maxPauseMs };
    }
  }
  async function outcomeOf(run: JobRun): Promise<JobOutcome> {
    if (run.attempt > JOB_RETRIES.maxAttempts) return lastOutcome(run, INTERRUPTED);
    try {
      return await handlers[run.kind](run);
    } catch (error) {
      logHandlerError(log, run, error);
      const inMs = jobRetryDelayMs(run.attempt, Math.random());
      return inMs === null ? lastOutcome(run, INTERNAL_ERROR) : { kind: 'retried', inMs };
    }
  }

  return async (claimed: JobRun): Promise<JobOutcome | null> => {
    const { id: jobId, kind, attempt } = claimed;
    const startedAt = now();
    const lease = keepLease(claimed, {
      heartbeatMs,
      maxMs: JOB_KINDS[kind].worker.maxAttemptSeconds * 1000,
      now,
      onRenewalError: (error) =>
        log.warn({ err: error, jobId }, 'Failed to renew the lease of a job'),
    });

    async function finish(): Promise<JobOutcome> {
      const outcome = await outcomeOf(lease.run).finally(lease.stop);
      const isRecorded = !lease.isOver() && (await queue.settle(claimed, outcome));
      const durationMs = now() - startedAt;
      metrics?.attemptEnded(kind, outcome.kind, durationMs / 1000);
      log.info(
        {
          jobId,
          kind,
          attempt,
          outcome: outcome.kind,
          isRecorded,
          durationMs: Math.round(durationMs),
        },
        'job attempt completed',
      );
      return outcome;
    }
    async function giveUp(): Promise<null> {
      await lease.over;
      log.warn(
        { jobId, kind, attempt },
        'A job attempt lost its lease or took too long; another worker takes over the job',
      );
      return null;
    }
    return Promise.race([finish(), giveUp()]);
  };
}

function logHandlerError(log: WorkerLog, { id, kind, attempt }: JobRun, error: unknown): void {
  const details = { err: error, jobId: id, kind, attempt };
  if (error instanceof GatewayError && error.code === 'UNAVAILABLE')
    log.warn(details, 'job attempt failed: dependency unavailable');
  else log.error(details, 'unhandled job error');
}
