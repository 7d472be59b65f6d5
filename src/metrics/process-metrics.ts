import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { AccountLoad } from '../domain/connections/connection-care.js';
import type { JobLoad } from '../domain/jobs/job.js';
import type { Readiness, RequestMetrics } from '../http/app.js';
import type { RenewalMetrics } from '../services/accounts/renewals.js';
import type { StreamMetrics } from '../services/events/live-events.js';
import type { JobMetrics } from '../services/jobs/job-handler.js';
import type { MediaMetrics } from '../services/media/media-quota.js';
import type { PublishingMetrics } from '../services/publishing/settle-publication.js';
import type { WebhookMetrics } from '../services/webhooks/send-delivery.js';
import { createRequestMetrics, createStreamMetrics } from './request-metrics.js';
import {
  collectAccounts,
  collectDuePosts,
  collectJobMetrics,
  collectOldestDelivery,
  collectOldestNumbers,
  createJobMetrics,
  createMediaMetrics,
  createPublicationMetrics,
  createRenewalMetrics,
  createWebhookMetrics,
} from './worker-metrics.js';

/** The counters of a connection pool. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** The state of a read replica. */
interface ReplicaState {
  /** Host and port. */
  readonly name: string;
  readonly isUsed: boolean;
  /** Seconds; Infinity if it is not known. */
  readonly lag: number;
}

/** Sources that are read at each scrape. */
interface MetricSources {
  readonly pool: Pool;
  readonly clock: { readonly offsetMs: number };
  /** Empty without read replicas. */
  replicas(): readonly ReplicaState[];
  jobLoad(): Promise<JobLoad | null>;
  /** Seconds since the first due post became due; null if it could not be read. */
  oldestDuePost(): Promise<number | null>;
  /** Seconds since the first due message of a webhook became due; null if it could not be read. */
  oldestDelivery(): Promise<number | null>;
  /** Seconds since the first due numbers became due; null if they could not be read. */
  oldestNumbers(): Promise<number | null>;
  /** The connected accounts of all workspaces; null if they could not be read. */
  accountLoad(): Promise<AccountLoad | null>;
  readiness(): Promise<Readiness>;
}

/** Metrics of a worker. */
export interface WorkerMetrics {
  readonly media: MediaMetrics;
  readonly jobs: JobMetrics;
  readonly publications: PublishingMetrics;
  readonly webhooks: WebhookMetrics;
  readonly renewals: RenewalMetrics;
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
      media: createMediaMetrics(register),
      jobs: createJobMetrics(register, jobKinds),
      publications: createPublicationMetrics(register, networks),
      webhooks: createWebhookMetrics(register),
      renewals: createRenewalMetrics(register),
    },
    streams: createStreamMetrics(register),
    collectFrom({ pool, clock, replicas, jobLoad, readiness, accountLoad, ...oldest }) {
      collectPoolMetrics(register, pool);
      collectClock(register, clock);
      collectReplicaMetrics(register, replicas);
      collectJobMetrics(register, jobKinds, jobLoad);
      collectDuePosts(register, oldest.oldestDuePost);
      collectOldestDelivery(register, oldest.oldestDelivery);
      collectOldestNumbers(register, oldest.oldestNumbers);
      collectAccounts(register, accountLoad);
      collectReadiness(register, readiness);
    },
    read: async () => ({ contentType: register.contentType, text: await register.metrics() }),
  };
}

/** Reports the use of this process's database connections. */
function collectPoolMetrics(register: Registry, pool: Pool): void {
  new Gauge({
    name: 'posts_gateway_database_connections',
    labelNames: ['state'],
    help: 'Open database connections, by state: busy or idle.',
    registers: [register],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'posts_gateway_database_connections_max',
    help: 'Maximum number of database connections: DATABASE_POOL_SIZE.',
    registers: [register],
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: 'posts_gateway_database_queries_waiting',
    help: 'Queries waiting for a connection.',
    registers: [register],
    collect() {
      this.set(pool.waitingCount);
    },
  });
}

/** Reports how this process sees the read replicas. */
function collectReplicaMetrics(register: Registry, replicas: () => readonly ReplicaState[]): void {
  const labelNames = ['replica'] as const;
  new Gauge({
    name: 'posts_gateway_replica_used',
    labelNames,
    help: 'Whether the process reads posts from the read replica: 1 if so, else 0.',
    registers: [register],
    collect() {
      this.reset(); // a server that became the primary is no replica any more
      for (const { name, isUsed } of replicas()) this.set({ replica: name }, isUsed ? 1 : 0);
    },
  });
  new Gauge({
    name: 'posts_gateway_replica_lag_seconds',
    labelNames,
    help: 'How far the read replica is behind the primary, to a quarter of a second. +Inf if it is not known.',
    registers: [register],
    collect() {
      this.reset();
      for (const { name, lag } of replicas()) this.set({ replica: name }, lag);
    },
  });
}

function collectClock(register: Registry, clock: MetricSources['clock']): void {
  new Gauge({
    name: 'posts_gateway_clock_offset_seconds',
    help: "Seconds that the database's clock is ahead of the clock of this machine; negative if it is behind. The gateway uses the database's clock.",
    registers: [register],
    collect() {
      this.set(clock.offsetMs / 1000);
    },
  });
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
