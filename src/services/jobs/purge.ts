import { RETENTION, type Retained } from '../../domain/jobs/retention.js';
import { wordsOf } from '../../domain/vocabulary.js';
import type { JobHandler } from './job-ports.js';
import type { Clock } from '../ports.js';

/** Each removes at most so many of the records that ended before a time, oldest first, and gives how many those were. */
export type PurgeStore = Readonly<
  Record<Retained, (before: Date, most: number) => Promise<number>>
>;

const HOUR_MS = 3_600_000;
/** Removed in one transaction: what is being read and written meanwhile must not wait for long. */
const BATCH = 500;

/** Removes what has been kept long enough (RETENTION), a batch at a time. */
export const createPurge =
  ({ store, clock }: { store: PurgeStore; clock: Clock }): JobHandler =>
  async (run) => {
    for (const what of wordsOf<Retained>(RETENTION)) {
      const before = new Date(clock.now().getTime() - RETENTION[what].hours * HOUR_MS);
      // Where the lease is lost another worker has begun it again: whatever we end with is not written down.
      while ((await store[what](before, BATCH)) === BATCH && (await run.renew()));
    }
    return { kind: 'completed', failures: [] };
  };
