import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type {
  PublicationOutcome,
  PublishingMetrics,
} from '../services/publishing/settle-publication.js';

const OUTCOMES = [
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
    for (const outcome of OUTCOMES) attempts.inc({ network, outcome }, 0);
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
    help: 'Time since the first post became due that has not been handed over for publication; 0 if there is none, NaN while the database is unavailable.',
    async collect() {
      this.set((await oldestDueSeconds()) ?? NaN);
    },
  });
}
