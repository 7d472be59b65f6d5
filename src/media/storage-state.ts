import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { MEDIA_FILE_LIMITS } from '../domain/media/media-file.js';
import type { MediaStorageState } from '../domain/diagnostics/diagnostic-facts.js';
import type { FileStorage } from '../services/media/file-storage.js';

const STATES: Readonly<Record<string, MediaStorageState>> = {
  EACCES: 'read_only',
  EDQUOT: 'full',
  ENOENT: 'missing',
  ENOSPC: 'full',
  EPERM: 'read_only',
  EROFS: 'read_only',
};
const stateOf = ({ code = '' }: NodeJS.ErrnoException): MediaStorageState =>
  STATES[code] ?? 'unavailable';

/** Whether a folder can take the largest file. Changes nothing. */
async function folderState(folder: string): Promise<MediaStorageState> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < MEDIA_FILE_LIMITS.bytes ? 'full' : 'ok';
  } catch (error) {
    return stateOf(error as NodeJS.ErrnoException);
  }
}

/** A key that no file has. */
const NO_KEY = 'readiness';

/**
 * Whether files can be received in a folder and, if they are kept elsewhere, whether their bucket
 * answers. Changes nothing.
 */
export async function readStorageState(
  folder: string,
  bucket: Pick<FileStorage, 'open'> | null,
): Promise<MediaStorageState> {
  const state = await folderState(folder);
  if (state !== 'ok' || !bucket) return state;
  return bucket.open(NO_KEY).then(
    () => 'ok',
    () => 'unavailable',
  );
}

/** Node.js reports ENOENT for a folder that it cannot create on a read-only file system. */
const CREATION_STATES: Partial<Record<MediaStorageState, MediaStorageState>> = {
  full: 'full',
  missing: 'read_only',
  read_only: 'read_only',
};

/** Requests to a bucket cost money, and a load balancer checks every second. */
const INTERVAL_MS = 10_000;

/** Like `readStorageState`, but creates the folder, and reads the state again only after 10 s. */
export function createStorageCheck(
  folder: string,
  bucket: Pick<FileStorage, 'open'> | null,
): () => Promise<MediaStorageState> {
  let readAt = -Infinity;
  let state: Promise<MediaStorageState> = Promise.resolve('ok');
  return () => {
    if (performance.now() - readAt < INTERVAL_MS) return state;
    readAt = performance.now();
    state = mkdir(folder, { recursive: true, mode: 0o700 }).then(
      () => readStorageState(folder, bucket),
      (error: unknown) => CREATION_STATES[stateOf(error as NodeJS.ErrnoException)] ?? 'unavailable',
    );
    return state;
  };
}
