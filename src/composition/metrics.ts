import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { GatewayError } from '../domain/errors.js';
import { createApp } from '../http/app.js';
import type { Vitals } from '../http/health.js';
import { createMetricsFront } from '../http/metrics-handler.js';
import type { Meter } from '../http/meter.js';
import { openServer } from '../http/connections/server.js';
import type { Database } from '../persistence/database.js';
import { createJobLoad } from '../persistence/jobs/job-load.js';
import type { JobMeter } from '../services/jobs/job-ports.js';

/** What a process shows to those who watch it, on a port of its own. */
export interface Metrics {
  /** http:// with host and port; null where METRICS_PORT is not set. */
  readonly url: string | null;
  readonly requests?: Meter;
  readonly jobs?: JobMeter;
  /** From now on /metrics and /readyz are answered; /healthz has been since it was opened. */
  watch(pool: Database['pool'], vitals: () => Promise<Vitals>): void;
  /** From now on /readyz is 503. */
  drain(): void;
  close(): Promise<void>;
}

const NONE: Metrics = { url: null, watch() {}, drain() {}, close: () => Promise.resolve() };

/**
 * Opens METRICS_PORT, if it is set; without it nothing is counted.
 * @throws Error of one line where the address cannot be had
 */
export async function openMetrics(
  { metricsPort: port, metricsHost: host }: Config,
  log: Logger,
): Promise<Metrics> {
  if (port === undefined) return NONE;
  const { createProcessMetrics } = await import('../metrics/process-metrics.js'); // prom-client takes its time to load
  const { requests, jobs, watch, read } = createProcessMetrics();
  const app = createApp({ log: log.child({}, { level: 'warn' }) }); // who reads every few seconds is not worth a line
  const server = await openServer(app, {
    host,
    port,
    settings: { port: 'METRICS_PORT', host: 'METRICS_HOST' },
  });
  return {
    url: server.url,
    requests,
    jobs,
    watch(pool, vitals) {
      watch({ pool, jobLoad: createJobLoad(pool), vitals });
      app.open({
        graphql: () => Promise.reject(new GatewayError('NOT_FOUND')),
        rest: createMetricsFront(read),
        vitals,
        isAnswering: () => Promise.resolve(true),
      });
    },
    drain: () => app.drain(),
    close: () => server.close(0),
  };
}
