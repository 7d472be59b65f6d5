import type { JobQueue, JobRun, QueueEntry } from '../services/jobs/job-ports.js';
import { createJobAttempts, type JobAttemptDependencies } from './job-attempts.js';
import { periodically } from './periodic-task.js';
import { createWakeSignal } from './wake-signal.js';

/** Dequeues due jobs and runs several of them concurrently. */
export interface Worker {
  start(): void;
  /**
   * Dequeues no more jobs, waits up to `timeoutMs` for running ones, and returns the rest to the
   * queue.
   */
  stop(timeoutMs: number): Promise<void>;
}

interface WorkerOptions extends JobAttemptDependencies {
  readonly queue: JobQueue;
  /** Jobs run concurrently; with 0 the worker does not start. */
  readonly concurrency: number;
}

/**
 * How often the queue is polled if no notification arrives. Jobs scheduled for later are found this
 * way.
 */
const POLL_INTERVAL_MS = 1_000;
/** How often the worker scans for orphaned jobs. */
const RECONCILE_INTERVAL_MS = 5_000;
/** How often recurring jobs are scheduled. */
const SCHEDULE_INTERVAL_MS = 600_000;

/** Creates a worker that is not started yet. */
export function createWorker({ queue, concurrency, ...dependencies }: WorkerOptions): Worker {
  const { runs, log } = dependencies;
  const attempt = createJobAttempts(dependencies);
  /** By the promise of the attempt; null until the job is leased. */
  const running = new Map<Promise<void>, JobRun | null>();
  const signal = createWakeSignal();
  let isStopping = false;
  let loop: Promise<void> = Promise.resolve();

  const warn =
    (message: string, jobId?: string) =>
    (error: unknown): void =>
      log.warn({ err: error, ...(jobId !== undefined && { jobId }) }, message);

  async function runEntry(entry: QueueEntry, onLeased: (run: JobRun) => void): Promise<void> {
    const outcome = await attempt(entry, onLeased);
    if (outcome && 'inMs' in outcome && outcome.inMs < POLL_INTERVAL_MS)
      setTimeout(() => signal.wake(), outcome.inMs).unref();
  }

  function start(entry: QueueEntry): void {
    const task: Promise<void> = runEntry(entry, (run) => running.set(task, run))
      .catch(
        warn(
          'Failed to record the outcome of a job; it is retried when its lease expires',
          entry.jobId,
        ),
      )
      .finally(() => {
        running.delete(task);
        signal.wake();
      });
    running.set(task, null);
  }

  async function run(): Promise<void> {
    const reconcile = periodically(
      RECONCILE_INTERVAL_MS,
      () => runs.reconcile(),
      warn('Failed to scan for orphaned jobs'),
    );
    const schedulePurge = periodically(
      SCHEDULE_INTERVAL_MS,
      () => runs.schedulePurge(),
      warn('Failed to schedule the purge of expired records'),
    );
    while (!isStopping) {
      await reconcile();
      await schedulePurge();
      const freeSlots = concurrency - running.size;
      const entries = freeSlots > 0 ? await queue.dequeue(freeSlots) : [];
      entries.forEach(start);
      if (freeSlots === 0 || entries.length < freeSlots) await signal.sleep(POLL_INTERVAL_MS);
    }
  }

  /**
   * A network call may still be in flight; its outcome is not recorded any more, and another worker
   * retries the job.
   */
  async function returnRunning(): Promise<void> {
    const leased = [...running.values()].filter((job) => job !== null);
    await Promise.all(
      leased.map((job) =>
        runs
          .settle(job, { kind: 'retried', inMs: 0 })
          .catch(warn('Failed to return a job to the queue', job.id)),
      ),
    );
  }

  return {
    start() {
      if (concurrency === 0 || isStopping) return;
      queue.open(() => signal.wake()).catch(warn('Failed to open the job queue'));
      loop = run();
    },
    async stop(timeoutMs) {
      isStopping = true;
      signal.wake();
      await loop;
      await Promise.race([
        Promise.all(running.keys()),
        new Promise((resolve) => {
          setTimeout(resolve, timeoutMs).unref();
        }),
      ]);
      await returnRunning();
      await queue.close();
    },
  };
}
