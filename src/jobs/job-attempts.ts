import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { JOB_RETRIES, jobRetryDelayMs } from '../domain/jobs/job-retries.js';
import type {
  JobHandlers,
  JobMetrics,
  JobOutcome,
  JobRun,
  JobRuns,
  QueueEntry,
} from '../services/jobs/job-ports.js';

/** The log of a worker. */
export type WorkerLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Dependencies of job attempts. */
export interface JobAttemptDependencies {
  readonly runs: JobRuns;
  readonly handlers: JobHandlers;
  readonly log: WorkerLog;
  /** Absent if metrics are off. */
  readonly metrics?: JobMetrics | undefined;
  /**
   * How often a lease is renewed: several times per lease, so that the jobs of a killed worker are
   * retried soon.
   */
  readonly heartbeatMs?: number;
}

const HEARTBEAT_INTERVAL_MS = 5_000;
/** Delay for a job of a kind without a handler in this process: a newer worker may have one. */
const UNKNOWN_KIND_RETRY_MS = 60_000;

const INTERRUPTED = `Gave up after ${JOB_RETRIES.maxAttempts} attempts: the worker stopped before the job finished each time.`;
const INTERNAL_ERROR = 'Internal error. See the server log for this job ID.';

const failed = ({ subjectId }: JobRun, message: string): JobOutcome => ({
  kind: 'failed',
  failures: [{ id: subjectId, code: 'INTERNAL_SERVER_ERROR', message }],
});

/**
 * Returns a function that makes one attempt at a job: leases it, runs its handler and records the
 * outcome. It resolves to the outcome, or to null if the job needed no work, and rejects if the
 * outcome could not be recorded.
 */
export function createJobAttempts({
  runs,
  handlers,
  log,
  metrics,
  heartbeatMs = HEARTBEAT_INTERVAL_MS,
}: JobAttemptDependencies) {
  async function outcomeOf(run: JobRun): Promise<JobOutcome> {
    const handler = handlers[run.kind];
    if (!handler) return { kind: 'postponed', inMs: UNKNOWN_KIND_RETRY_MS };
    if (run.attempt > JOB_RETRIES.maxAttempts) return failed(run, INTERRUPTED);
    try {
      return await handler(run);
    } catch (error) {
      logHandlerError(log, run, error);
      const inMs = jobRetryDelayMs(run.attempt, Math.random());
      return inMs === null ? failed(run, INTERNAL_ERROR) : { kind: 'retried', inMs };
    }
  }

  function renewLease(run: JobRun): void {
    run
      .renew()
      .catch((error: unknown) =>
        log.warn({ err: error, jobId: run.id }, 'Failed to renew the lease of a job'),
      );
  }

  return async (entry: QueueEntry, onLeased: (run: JobRun) => void): Promise<JobOutcome | null> => {
    const run = await runs.lease(entry);
    if (!run) return null;
    onLeased(run);
    const startedAt = performance.now();
    const heartbeat = setInterval(() => renewLease(run), heartbeatMs);
    const outcome = await outcomeOf(run).finally(() => clearInterval(heartbeat));
    const isRecorded = await runs.settle(run, outcome);
    const durationMs = performance.now() - startedAt;
    metrics?.attemptEnded(run.kind, outcome.kind, durationMs / 1000);
    log.info(
      {
        jobId: run.id,
        kind: run.kind,
        attempt: run.attempt,
        outcome: outcome.kind,
        isRecorded,
        durationMs: Math.round(durationMs),
      },
      'job attempt completed',
    );
    return outcome;
  };
}

function logHandlerError(log: WorkerLog, { id, kind, attempt }: JobRun, error: unknown): void {
  const details = { err: error, jobId: id, kind, attempt };
  if (error instanceof GatewayError && error.code === 'UNAVAILABLE')
    log.warn(details, 'job attempt failed: dependency unavailable');
  else log.error(details, 'unhandled job error');
}
