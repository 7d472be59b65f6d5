import type { MediaFileStore } from '../../persistence/media/media-file-store.js';
import { thumbnailKey } from './accept-file.js';
import type { FileStorage, IncomingFiles } from './file-storage.js';

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
      await storage.delete(key);
    }
    if (keys.length > 0) await files.forgetKeys(keys);
    return keys.length;
  },
  discardIncoming: (before) => incoming.discardOlderThan(before),
});
