import { RETENTION, type RetentionKey } from '../../domain/jobs/retention.js';
import { enumKeys } from '../../domain/enums.js';
import type { Clock } from '../clock.js';
import type { JobHandler } from './job-ports.js';

/**
 * Each function deletes at most `max` records that expired before a time, oldest first, and returns
 * how many.
 */
export type PurgeStore = Readonly<
  Record<RetentionKey, (before: Date, max: number) => Promise<number>>
>;

const HOUR_MS = 3_600_000;
/**
 * Records deleted in one transaction: small, so that concurrent reads and writes do not wait for
 * long.
 */
const BATCH = 500;

/** Deletes records whose retention has expired (RETENTION), in batches. */
export const createPurge =
  ({ store, clock }: { store: PurgeStore; clock: Clock }): JobHandler =>
  async (run) => {
    for (const kind of enumKeys<RetentionKey>(RETENTION)) {
      const before = new Date(clock.now().getTime() - RETENTION[kind].hours * HOUR_MS);
      // If the lease is lost, another worker has restarted the job, and this outcome is not
      // recorded.
      while ((await store[kind](before, BATCH)) === BATCH && (await run.renew()));
    }
    return { kind: 'completed', failures: [] };
  };
