import type { JobOutcome } from '../domain/jobs/job.js';
import { createJobSlots } from '../domain/jobs/job-slots.js';
import type { ClaimedJob } from '../persistence/jobs/job-queue.js';
import { createJobAttempts, type JobAttemptDependencies } from './job-attempts.js';
import { periodically, withFallback } from './periodic-task.js';
import { settleWithin } from './settle-within.js';
import { createWakeSignal } from './wake-signal.js';

/** Claims due jobs and runs several of them concurrently. */
export interface Worker {
  start(): void;
  /**
   * Claims no more jobs, waits up to `timeoutMs` for running ones, and returns the rest to the
   * queue.
   */
  stop(timeoutMs: number): Promise<void>;
}

/** Work that every worker does at intervals, before it claims jobs. */
export interface PeriodicTask {
  readonly intervalMs: number;
  readonly run: () => Promise<unknown>;
  /** What is logged if it fails. */
  readonly failure: string;
}

interface WorkerOptions extends JobAttemptDependencies {
  readonly periodicTasks?: readonly PeriodicTask[];
  /** Jobs run concurrently; with 0 the worker does not start. */
  readonly concurrency: number;
}

/**
 * How often the queue is polled if no notification arrives. Jobs scheduled for later, and jobs
 * whose lease has expired, are found this way.
 */
const POLL_INTERVAL_MS = 1_000;
/**
 * How often a worker looks behind the due jobs of workspaces that have as many slots as they may:
 * reading past many jobs costs a few milliseconds.
 */
const LOOK_BEHIND_INTERVAL_MS = 250;
const MAINTENANCE_INTERVAL_MS = 60_000;

/** Creates a worker that is not started yet. */
export function createWorker({
  concurrency,
  periodicTasks = [],
  ...dependencies
}: WorkerOptions): Worker {
  const { queue, log } = dependencies;
  const attempt = createJobAttempts(dependencies);
  /** By the promise of the attempt. */
  const running = new Map<Promise<void>, ClaimedJob>();
  const slots = createJobSlots(Math.max(1, concurrency));
  let lookedBehindAt = -Infinity;
  const signal = createWakeSignal();
  let isStopping = false;
  let loop: Promise<void> = Promise.resolve();
  let listener: { close(): Promise<void> } | undefined;

  const warn =
    (message: string, jobId?: string) =>
    (error: unknown): void =>
      log.warn({ err: error, ...(jobId !== undefined && { jobId }) }, message);

  const claim = withFallback(queue.claim, [], warn('Failed to claim jobs'));
  const maintenance: PeriodicTask = {
    intervalMs: MAINTENANCE_INTERVAL_MS,
    run: queue.maintain,
    failure: 'Failed to maintain the job queue',
  };
  const tasks = [maintenance, ...periodicTasks].map((task) =>
    periodically(task.intervalMs, withFallback(task.run, undefined, warn(task.failure))),
  );

  /** Polling would start a job that is due sooner than that too late. */
  function wakeWhenDue(outcome: JobOutcome | null): void {
    if (outcome && 'inMs' in outcome && outcome.inMs < POLL_INTERVAL_MS)
      setTimeout(() => signal.wake(), outcome.inMs).unref();
  }

  function start(job: ClaimedJob): void {
    const task: Promise<void> = attempt(job)
      .then(wakeWhenDue)
      .catch(
        warn('Failed to record the outcome of a job; it is retried when its lease expires', job.id),
      )
      .finally(() => {
        running.delete(task);
        signal.wake();
      });
    running.set(task, job);
  }

  /** Claims and starts jobs. Those of the shares in `passedOver` are left in the queue. */
  async function fill(passedOver: readonly string[]): Promise<readonly ClaimedJob[]> {
    const limits = slots.limits([...running.values()], passedOver);
    const jobs = limits.jobs > 0 ? await claim(limits) : [];
    jobs.forEach(start);
    return jobs;
  }

  /** Fills free slots. Returns for how long to sleep then, unless a job ends before. */
  async function fillSlots(): Promise<number> {
    const before = [...running.values()];
    const jobs = await fill([]);
    const usedUp = slots.usedUp([...before, ...jobs]);
    if (usedUp.length === 0) return POLL_INTERVAL_MS;
    if (performance.now() - lookedBehindAt >= LOOK_BEHIND_INTERVAL_MS) {
      lookedBehindAt = performance.now();
      await fill(usedUp);
    }
    return LOOK_BEHIND_INTERVAL_MS;
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      for (const task of tasks) await task();
      await signal.sleep(await fillSlots());
    }
  }

  /**
   * A network call may still be in flight; its outcome is not recorded any more, and another worker
   * retries the job.
   */
  async function returnRunning(): Promise<void> {
    await Promise.all(
      [...running.values()].map((job) =>
        queue
          .settle(job, { kind: 'retried', inMs: 0 })
          .catch(warn('Failed to return a job to the queue', job.id)),
      ),
    );
  }

  return {
    start() {
      if (concurrency === 0 || isStopping) return;
      listener = queue.listen(() => signal.wake());
      loop = run();
    },
    async stop(timeoutMs) {
      isStopping = true;
      signal.wake();
      await loop;
      await settleWithin(running.keys(), timeoutMs);
      await returnRunning();
      await listener?.close();
    },
  };
}
