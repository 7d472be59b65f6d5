import type { JobKind, WorkerJobKind } from '../../domain/jobs/job-kinds.js';
import type { JobOutcome } from '../../domain/jobs/job.js';
import type { JobRun } from '../../persistence/jobs/job-queue.js';

/**
 * Runs one kind of job. Must be idempotent: a worker may stop after the work and before recording
 * it.
 */
export type JobHandler = (run: JobRun) => Promise<JobOutcome>;

/** The handler of every kind that workers run. */
export type JobHandlers = Readonly<Record<WorkerJobKind, JobHandler>>;

/** Metrics of job attempts. */
export interface JobMetrics {
  attemptEnded(kind: JobKind, outcome: JobOutcome['kind'], seconds: number): void;
}
