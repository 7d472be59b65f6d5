import type { MediaFileStore } from '../../persistence/media/media-file-store.js';
import { convertedKey, thumbnailKey } from '../media/accept-file.js';
import type { FileStorage, IncomingFiles } from '../media/file-storage.js';
import { RETENTION, type RetentionKey } from '../../domain/jobs/retention.js';
import { enumKeys } from '../../domain/enums.js';
import type { EventPartitions } from '../../persistence/events/event-partitions.js';
import type { JobRun } from '../../persistence/jobs/job-queue.js';
import type { PurgeStore } from '../../persistence/jobs/purge-store.js';
import type { Clock } from '../clock.js';
import type { JobHandler } from './job-handler.js';

/** Removes files that no media item has. */
export interface UnusedFiles {
  /** Removes at most `max` files that have been unused since before a time; returns how many. */
  remove(before: Date, max: number): Promise<number>;
  /** Removes files that arrived before a time and were left by a killed process. */
  discardIncoming(before: Date): Promise<void>;
}

/**
 * Removes unused files from the storage. A file that cannot be deleted is left to the next purge.
 */
export const createUnusedFiles = ({
  files,
  storage,
  incoming,
}: {
  readonly files: Pick<MediaFileStore, 'unusedKeys' | 'forgetKeys'>;
  readonly storage: FileStorage;
  readonly incoming: IncomingFiles;
}): UnusedFiles => ({
  async remove(before, max) {
    const keys = await files.unusedKeys(before, max);
    for (const key of keys) {
      await storage.delete(thumbnailKey(key));
      await storage.delete(convertedKey(key));
      await storage.delete(key);
    }
    if (keys.length > 0) await files.forgetKeys(keys);
    return keys.length;
  },
  discardIncoming: (before) => incoming.discardOlderThan(before),
});

interface PurgeDependencies {
  readonly store: PurgeStore;
  readonly events: EventPartitions;
  /** Files of media that were deleted. */
  readonly unusedFiles: UnusedFiles;
  /** How long events are kept. */
  readonly eventRetentionDays: number;
  readonly clock: Clock;
}

const HOUR_MS = 3_600_000;
/**
 * Records deleted in one transaction: small, so that concurrent reads and writes do not wait for
 * long.
 */
const BATCH = 500;
const DAY_MS = 24 * HOUR_MS;
/** Partitions exist for some weeks ahead: changes need them even if no worker runs. */
const DAYS_AHEAD = 28;

/** Deletes in batches. If the lease is lost, another worker has restarted the job: stops. */
async function deleteAll(
  { renew }: JobRun,
  deleteBatch: (max: number) => Promise<number>,
): Promise<void> {
  while ((await deleteBatch(BATCH)) === BATCH && (await renew()));
}

/**
 * Deletes records whose retention has expired (RETENTION), in batches, events by partition, and
 * files of deleted media (D63).
 * Creates the partitions of the coming weeks (D70).
 */
export const createPurge =
  ({ store, events, unusedFiles, eventRetentionDays, clock }: PurgeDependencies): JobHandler =>
  async (run) => {
    const now = clock.now();
    const daysFromNow = (days: number): Date => new Date(now.getTime() + days * DAY_MS);
    await events.add(now, daysFromNow(DAYS_AHEAD));
    for (const kind of enumKeys<RetentionKey>(RETENTION)) {
      const before = daysFromNow(-RETENTION[kind].hours / 24);
      await deleteAll(run, (max) => store[kind](before, max));
    }
    const before = daysFromNow(-eventRetentionDays);
    await events.drop(before);
    await deleteAll(run, (max) => events.deleteUnpartitioned(before, max));
    const dayAgo = daysFromNow(-1); // longer than any upload takes
    await deleteAll(run, (max) => unusedFiles.remove(dayAgo, max));
    await unusedFiles.discardIncoming(dayAgo);
    return { kind: 'completed', failures: [] };
  };
