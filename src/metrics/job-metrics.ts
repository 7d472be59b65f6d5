import { Counter, Gauge, type Registry } from 'prom-client';
import type { JobLoad, JobMetrics } from '../services/jobs/job-ports.js';
import { createHistogram } from './histogram.js';

/** Counts and times the job attempts of this process. */
export function createJobMetrics(register: Registry): JobMetrics {
  const attempts = new Counter({
    name: 'posts_gateway_job_attempts_total',
    labelNames: ['kind', 'outcome'],
    registers: [register],
    help: 'Job attempts of this process, by kind and outcome: completed, failed, retried (another attempt follows), postponed (nothing was tried).',
  });
  const durations = createHistogram(register, {
    name: 'posts_gateway_job_attempt_duration_seconds',
    help: 'Duration of job attempts, by kind.',
  });
  const series = new Map<string, (seconds: number) => void>();
  return {
    attemptEnded(kind, outcome, seconds) {
      attempts.inc({ kind, outcome });
      if (!series.has(kind)) series.set(kind, durations.series({ kind }));
      series.get(kind)!(seconds);
    },
  };
}

/**
 * Reports the jobs of all processes from the database; no series while the database is unavailable.
 */
export function collectJobMetrics(
  register: Registry,
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
      for (const { kind, state, count } of load?.counts ?? []) this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: 'posts_gateway_jobs_oldest_due_seconds',
    registers: [register],
    help: 'Time since the oldest due job became due; 0 if none is due, NaN while the database is unavailable.',
    async collect() {
      this.set((await jobLoad())?.oldestDueSeconds ?? NaN);
    },
  });
}
