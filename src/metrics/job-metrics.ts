import { Counter, Gauge, type Registry } from 'prom-client';
import type { JobLoad, JobMeter } from '../services/jobs/job-ports.js';
import { createHistogram } from './histogram.js';

/** Counts the turns that this process takes at jobs. */
export function createJobMetrics(register: Registry): JobMeter {
  const turns = new Counter({
    name: 'posts_gateway_job_turns_total',
    labelNames: ['kind', 'ending'],
    registers: [register],
    help: 'Turns that this process took at jobs, by kind and what they came to: completed, failed, again (another attempt follows), postponed (nothing was tried).',
  });
  const durations = createHistogram(register, {
    name: 'posts_gateway_job_turn_duration_seconds',
    help: 'Time that a turn at a job took, by kind.',
  });
  const series = new Map<string, (seconds: number) => void>();
  return {
    ended(kind, ending, seconds) {
      turns.inc({ kind, ending });
      if (!series.has(kind)) series.set(kind, durations.series({ kind }));
      series.get(kind)!(seconds);
    },
  };
}

/** Shows how many jobs there are, as the database has them for all processes; nothing while it does not say. */
export function watchJobs(register: Registry, jobLoad: () => Promise<JobLoad | null>): void {
  new Gauge({
    name: 'posts_gateway_jobs',
    labelNames: ['kind', 'state'],
    registers: [register],
    help: 'Jobs of all processes that are not completed, by kind and state: waiting (due), later (a retry), running, failed.',
    async collect() {
      const load = await jobLoad();
      this.reset();
      for (const { kind, state, count } of load?.counts ?? []) this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: 'posts_gateway_jobs_oldest_due_seconds',
    registers: [register],
    help: 'How long the job that has waited longest has been due; 0 where none waits, NaN while the database does not say.',
    async collect() {
      this.set((await jobLoad())?.oldestDueSeconds ?? NaN);
    },
  });
}
