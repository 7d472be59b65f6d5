import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Vitals } from '../http/health.js';
import type { Meter } from '../http/meter.js';
import type { JobLoad, JobMeter } from '../services/jobs/job-ports.js';
import { createJobMetrics, watchJobs } from './job-metrics.js';
import { watchPool, type Pool } from './pool-metrics.js';
import { createRequestMetrics } from './request-metrics.js';

/** What there is to look at when somebody reads the metrics. */
interface Watched {
  readonly pool: Pool;
  jobLoad(): Promise<JobLoad | null>;
  vitals(): Promise<Vitals>;
}

/** Everything that this process counts and measures. */
export interface ProcessMetrics {
  readonly requests: Meter;
  readonly jobs: JobMeter;
  /** From now on these are shown too. */
  watch(watched: Watched): void;
  /** All of it, in the text format of Prometheus. */
  read(): Promise<{ contentType: string; text: string }>;
}

/** Beside our own: memory, CPU, garbage collection and event loop, as prom-client names them. */
export function createProcessMetrics(): ProcessMetrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return {
    requests: createRequestMetrics(register),
    jobs: createJobMetrics(register),
    watch({ pool, jobLoad, vitals }) {
      watchPool(register, pool);
      watchJobs(register, jobLoad);
      watchParts(register, vitals);
    },
    read: async () => ({ contentType: register.contentType, text: await register.metrics() }),
  };
}

function watchParts(register: Registry, vitals: () => Promise<Vitals>): void {
  new Gauge({
    name: 'posts_gateway_part_up',
    labelNames: ['part'],
    help: 'What /readyz says: 1 where the part is well, else 0.',
    registers: [register],
    async collect() {
      const { parts } = await vitals();
      this.reset();
      for (const [part, standing] of Object.entries(parts))
        if (standing !== 'unused') this.set({ part }, standing === 'ok' ? 1 : 0);
    },
  });
}
