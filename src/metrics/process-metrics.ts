import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { JobLoad } from '../domain/jobs/job.js';
import type { Readiness, RequestMetrics } from '../http/app.js';
import type { StreamMetrics } from '../services/events/live-events.js';
import type { JobMetrics } from '../services/jobs/job-handler.js';
import type { PublishingMetrics } from '../services/publishing/settle-publication.js';
import type { WebhookMetrics } from '../services/webhooks/send-delivery.js';
import { createJobMetrics, collectJobMetrics } from './job-metrics.js';
import { collectPoolMetrics, type Pool } from './pool-metrics.js';
import { collectDuePosts, createPublicationMetrics } from './publication-metrics.js';
import { collectReplicaMetrics, type ReplicaState } from './replica-metrics.js';
import { createRequestMetrics } from './request-metrics.js';
import { createStreamMetrics } from './stream-metrics.js';
import { collectOldestDelivery, createWebhookMetrics } from './webhook-metrics.js';

/** Sources that are read at each scrape. */
interface MetricSources {
  readonly pool: Pool;
  /** Empty without read replicas. */
  replicas(): readonly ReplicaState[];
  jobLoad(): Promise<JobLoad | null>;
  /** Seconds since the first due post became due; null if it could not be read. */
  oldestDuePost(): Promise<number | null>;
  /** Seconds since the first due message of a webhook became due; null if it could not be read. */
  oldestDelivery(): Promise<number | null>;
  readiness(): Promise<Readiness>;
}

/** Metrics of a worker. */
export interface WorkerMetrics {
  readonly jobs: JobMetrics;
  readonly publications: PublishingMetrics;
  readonly webhooks: WebhookMetrics;
}

/** The values of labels that exist from the start. */
interface Labels {
  readonly jobKinds: readonly string[];
  readonly networks: readonly string[];
}

/** All metrics of this process. */
export interface ProcessMetrics {
  readonly requests: RequestMetrics;
  readonly worker: WorkerMetrics;
  readonly streams: StreamMetrics;
  /** Includes these sources in every scrape from now on. */
  collectFrom(sources: MetricSources): void;
  /** In the text format of Prometheus. */
  read(): Promise<{ contentType: string; text: string }>;
}

/**
 * Creates the metrics of this process. Includes prom-client's default metrics: memory, CPU, garbage
 * collection and event loop.
 */
export function createProcessMetrics({ jobKinds, networks }: Labels): ProcessMetrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return {
    requests: createRequestMetrics(register),
    worker: {
      jobs: createJobMetrics(register, jobKinds),
      publications: createPublicationMetrics(register, networks),
      webhooks: createWebhookMetrics(register),
    },
    streams: createStreamMetrics(register),
    collectFrom({ pool, replicas, jobLoad, oldestDuePost, oldestDelivery, readiness }) {
      collectPoolMetrics(register, pool);
      collectReplicaMetrics(register, replicas);
      collectJobMetrics(register, jobKinds, jobLoad);
      collectDuePosts(register, oldestDuePost);
      collectOldestDelivery(register, oldestDelivery);
      collectReadiness(register, readiness);
    },
    read: async () => ({ contentType: register.contentType, text: await register.metrics() }),
  };
}

function collectReadiness(register: Registry, readiness: () => Promise<Readiness>): void {
  new Gauge({
    name: 'posts_gateway_dependency_up',
    labelNames: ['dependency'],
    help: 'Result of each check of /readyz: 1 if ok, else 0.',
    registers: [register],
    async collect() {
      const { checks } = await readiness();
      this.reset();
      for (const [dependency, status] of Object.entries(checks))
        if (status !== 'unused') this.set({ dependency }, status === 'ok' ? 1 : 0);
    },
  });
}
