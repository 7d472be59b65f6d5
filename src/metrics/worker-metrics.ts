import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AccountLoad } from '../domain/connections/connection-care.js';
import type { JobCount, JobLoad, JobOutcome } from '../domain/jobs/job.js';
import type { MediaAmounts } from '../domain/media/media-quota.js';
import type { RenewalMetrics, RenewalOutcome } from '../services/accounts/renewals.js';
import type { MediaMetrics } from '../services/media/media-quota.js';
import type { JobMetrics } from '../services/jobs/job-handler.js';
import type {
  PublicationOutcome,
  PublishingMetrics,
} from '../services/publishing/settle-publication.js';
import type { DeliveryMetric, WebhookMetrics } from '../services/webhooks/send-delivery.js';
import { DURATION_BUCKETS } from './request-metrics.js';

const JOB_OUTCOMES = [
  'completed',
  'failed',
  'retried',
  'postponed',
] as const satisfies readonly JobOutcome['kind'][];
const JOB_STATES = [
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
    help: 'Job attempts of this process, by kind and outcome: completed, failed, retried (another attempt follows), postponed (nothing was tried, or one of several files was fetched).',
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
    for (const outcome of JOB_OUTCOMES) attempts.inc({ kind, outcome }, 0);
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
      for (const kind of kinds) for (const state of JOB_STATES) this.set({ kind, state }, 0);
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

const MEDIA_AMOUNTS = {
  bytes: 'bytes',
  openUploads: 'open_uploads',
  waitingImports: 'waiting_imports',
} as const satisfies Record<keyof MediaAmounts, string>;

/** Counts what quotas reject in this process. Every series exists from the start, at 0. */
export function createMediaMetrics(register: Registry): MediaMetrics {
  const rejections = new Counter({
    name: 'posts_gateway_media_quota_rejections_total',
    labelNames: ['quota'],
    registers: [register],
    help: 'Files, upload URLs and imports that this process rejected because of the quota of their workspace: bytes, open_uploads or waiting_imports.',
  });
  for (const quota of Object.values(MEDIA_AMOUNTS)) rejections.inc({ quota }, 0);
  return { rejected: (amount) => rejections.inc({ quota: MEDIA_AMOUNTS[amount] }) };
}

const PUBLICATION_OUTCOMES = [
  'published',
  'retried',
  'failed',
  'unconfirmed',
  'missed',
] as const satisfies readonly PublicationOutcome[];

/** Upper bounds in seconds: from a post that is on time to one that is too late to be published. */
const LATENESS_BUCKETS = [0.5, 1, 2, 3, 5, 10, 30, 60, 300, 900, 3600];

/**
 * Counts the publications of this process. Every series of the counter exists from the start, at 0.
 */
export function createPublicationMetrics(
  register: Registry,
  networks: readonly string[],
): PublishingMetrics {
  const attempts = new Counter({
    name: 'posts_gateway_publication_attempts_total',
    labelNames: ['network', 'outcome'],
    registers: [register],
    help: 'Ended attempts of this process to publish a post, by network and outcome: published, retried (another attempt follows), failed, unconfirmed (unknown result), missed (too late).',
  });
  const lateness = new Histogram({
    name: 'posts_gateway_publication_lateness_seconds',
    buckets: LATENESS_BUCKETS,
    registers: [register],
    help: 'Time from the scheduled time of a post to the call that published it.',
  });
  for (const network of networks)
    for (const outcome of PUBLICATION_OUTCOMES) attempts.inc({ network, outcome }, 0);
  return {
    published: (lateSeconds) => lateness.observe(lateSeconds),
    ended: (network, outcome) => attempts.inc({ network, outcome }),
  };
}

/** Reports the posts that wait in the database, for all processes. */
export function collectDuePosts(
  register: Registry,
  oldestDueSeconds: () => Promise<number | null>,
): void {
  new Gauge({
    name: 'posts_gateway_posts_oldest_due_seconds',
    registers: [register],
    help: 'Time since the first due post could have been published that is not published yet; 0 if there is none, NaN while the database is unavailable.',
    async collect() {
      this.set((await oldestDueSeconds()) ?? NaN);
    },
  });
}

const DELIVERY_OUTCOMES = [
  'delivered',
  'retried',
  'failed',
] as const satisfies readonly DeliveryMetric[];

/** Counts and times the messages that this process sends to the receivers of webhooks. */
export function createWebhookMetrics(register: Registry): WebhookMetrics {
  const attempts = new Counter({
    name: 'posts_gateway_webhook_attempts_total',
    labelNames: ['outcome'],
    registers: [register],
    help: 'Attempts of this process to deliver messages of webhooks, by outcome: delivered, retried (another attempt follows), failed.',
  });
  const durations = new Histogram({
    name: 'posts_gateway_webhook_attempt_duration_seconds',
    buckets: DURATION_BUCKETS,
    registers: [register],
    help: 'Time until receivers of webhooks responded, or until the attempt was given up.',
  });
  for (const outcome of DELIVERY_OUTCOMES) attempts.inc({ outcome }, 0);
  return {
    deliveryEnded(outcome, seconds) {
      attempts.inc({ outcome });
      durations.observe(seconds);
    },
  };
}

/** Reports how long the first due message waits; NaN while the database is unavailable. */
export function collectOldestDelivery(
  register: Registry,
  oldestDelivery: () => Promise<number | null>,
): void {
  new Gauge({
    name: 'posts_gateway_webhook_oldest_due_seconds',
    registers: [register],
    help: 'Time since the oldest undelivered message of a webhook became due; 0 if there is none, NaN while the database is unavailable. Receivers that fail or respond slowly make it grow.',
    async collect() {
      this.set((await oldestDelivery()) ?? NaN);
    },
  });
}

/** Reports how long the first due numbers of a post wait; NaN while the database is unavailable. */
export function collectOldestNumbers(
  register: Registry,
  oldestNumbers: () => Promise<number | null>,
): void {
  new Gauge({
    name: 'posts_gateway_numbers_oldest_due_seconds',
    registers: [register],
    help: 'Time since the oldest metrics of a published post became due that are not read yet; 0 if there are none, NaN while the database is unavailable.',
    async collect() {
      this.set((await oldestNumbers()) ?? NaN);
    },
  });
}

const RENEWAL_OUTCOMES = [
  'renewed',
  'failed',
  'rejected',
] as const satisfies readonly RenewalOutcome[];

/** Counts the renewals of this process. Every series exists from the start, at 0. */
export function createRenewalMetrics(register: Registry): RenewalMetrics {
  const renewals = new Counter({
    name: 'posts_gateway_renewals_total',
    labelNames: ['outcome'],
    registers: [register],
    help: 'Renewals of the access to accounts by this process, by outcome: renewed, failed (repeated later), rejected (the account has to be connected again).',
  });
  for (const outcome of RENEWAL_OUTCOMES) renewals.inc({ outcome }, 0);
  return {
    renewalEnded(outcome) {
      if (outcome !== 'current') renewals.inc({ outcome });
    },
  };
}

/** Reports the connected accounts; no series while the database is unavailable. */
export function collectAccounts(
  register: Registry,
  accountLoad: () => Promise<AccountLoad | null>,
): void {
  new Gauge({
    name: 'posts_gateway_accounts',
    labelNames: ['status'],
    registers: [register],
    help: 'Accounts with credentials, by status: connected, needs_reauthorization (a person has to connect the account again).',
    async collect() {
      const load = await accountLoad();
      this.reset();
      if (!load) return;
      this.set({ status: 'connected' }, load.connected);
      this.set({ status: 'needs_reauthorization' }, load.needsReauthorization);
    },
  });
  new Gauge({
    name: 'posts_gateway_renewals_oldest_due_seconds',
    registers: [register],
    help: 'Time since the oldest renewal of the access to an account became due; 0 if none is due, NaN while the database is unavailable.',
    async collect() {
      this.set((await accountLoad())?.oldestRenewalSeconds ?? NaN);
    },
  });
}
