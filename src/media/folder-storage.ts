import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FileStorage } from '../services/media/file-storage.js';

/** Saves the entries of a folder: without it, a crash may undo the rename of a file into it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Keeps files in a folder. Received files are moved into it, so they must be on the same file
 * system.
 */
export function createFolderStorage(folder: string): FileStorage {
  const fileOf = (key: string): string => path.join(folder, key);
  return {
    async store(key, { path: received }) {
      const file = fileOf(key);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await rename(received, file);
      await syncFolder(path.dirname(file));
    },
    async open(key, range) {
      try {
        const handle = await open(fileOf(key));
        return handle.createReadStream(range ? { start: range.first, end: range.last } : {});
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    delete: (key) => rm(fileOf(key), { force: true }),
  };
}
