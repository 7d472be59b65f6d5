import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { JobCount, JobLoad, JobOutcome } from '../domain/jobs/job.js';
import type { JobMetrics } from '../services/jobs/job-handler.js';
import { DURATION_BUCKETS } from './duration-buckets.js';

const OUTCOMES = [
  'completed',
  'failed',
  'retried',
  'postponed',
] as const satisfies readonly JobOutcome['kind'][];
const STATES = [
  'due',
  'scheduled',
  'running',
  'failed',
] as const satisfies readonly JobCount['state'][];

/**
 * Counts and times the job attempts of this process. Every series exists from the start, at 0: an
 * alert on an increase would miss the first event of a series that begins with it.
 */
export function createJobMetrics(register: Registry, kinds: readonly string[]): JobMetrics {
  const attempts = new Counter({
    name: 'posts_gateway_job_attempts_total',
    labelNames: ['kind', 'outcome'],
    registers: [register],
    help: 'Job attempts of this process, by kind and outcome: completed, failed, retried (another attempt follows), postponed (nothing was tried).',
  });
  const durations = new Histogram({
    name: 'posts_gateway_job_attempt_duration_seconds',
    labelNames: ['kind'],
    buckets: DURATION_BUCKETS,
    registers: [register],
    help: 'Duration of job attempts, by kind.',
  });
  for (const kind of kinds) {
    durations.zero({ kind });
    for (const outcome of OUTCOMES) attempts.inc({ kind, outcome }, 0);
  }
  return {
    attemptEnded(kind, outcome, seconds) {
      attempts.inc({ kind, outcome });
      durations.observe({ kind }, seconds);
    },
  };
}

/**
 * Reports the jobs of all processes from the database; no series while the database is unavailable.
 */
export function collectJobMetrics(
  register: Registry,
  kinds: readonly string[],
  jobLoad: () => Promise<JobLoad | null>,
): void {
  new Gauge({
    name: 'posts_gateway_jobs',
    labelNames: ['kind', 'state'],
    registers: [register],
    help: 'Unfinished and failed jobs of all processes, by kind and state: due, scheduled (due later), running, failed.',
    async collect() {
      const load = await jobLoad();
      this.reset();
      if (!load) return;
      for (const kind of kinds) for (const state of STATES) this.set({ kind, state }, 0);
      for (const { kind, state, count } of load.counts) this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: 'posts_gateway_jobs_oldest_due_seconds',
    registers: [register],
    help: 'Time since the oldest due or running job became due; 0 if there is none, NaN while the database is unavailable.',
    async collect() {
      this.set((await jobLoad())?.oldestDueSeconds ?? NaN);
    },
  });
}
