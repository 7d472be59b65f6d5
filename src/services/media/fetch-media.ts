import { FetchFailedError, FileTooLargeError } from '../../domain/media/media-file.js';
import { MEDIA_FILE_LIMITS } from '../../domain/media/media-file.js';
import type { JobFailure } from '../../domain/jobs/job.js';
import type { MediaFileStore, PendingImport } from '../../persistence/media/media-file-store.js';
import type { Clock } from '../clock.js';
import type { JobHandler } from '../jobs/job-handler.js';
import { acceptFile, RefusedFileError, type FileAcceptor } from './accept-file.js';
import type { ReceivedFile } from './file-storage.js';
import type { MediaSource } from './media-source.js';

interface FetchDependencies extends FileAcceptor {
  readonly files: MediaFileStore;
  readonly source: MediaSource;
  readonly clock: Clock;
}

/** Pauses before the next attempts at files whose servers did not respond. */
const RETRY_PAUSES_MS = [5_000, 30_000, 120_000];

/** Why a file is not fetched, and whether another attempt may succeed. */
interface FetchProblem {
  readonly message: string;
  readonly isRetryable: boolean;
}

/** @throws what is no problem of the file */
function toProblem(error: unknown): FetchProblem {
  if (error instanceof FetchFailedError) return error;
  if (error instanceof RefusedFileError)
    return { message: `The file ${error.message}.`, isRetryable: false };
  if (error instanceof FileTooLargeError)
    return { message: 'The file is too large.', isRetryable: false };
  throw error;
}

/** Fetches and stores one file. Null if it is done, or the item no longer waits for it. */
async function fetchFile(
  dependencies: FetchDependencies,
  { mediaId, sourceUrl }: PendingImport,
): Promise<FetchProblem | null> {
  const { incoming, source, files, clock } = dependencies;
  let received: ReceivedFile | undefined;
  try {
    const { content } = await source.open(sourceUrl);
    received = await incoming.receive(content, MEDIA_FILE_LIMITS.bytes);
    await files.complete(mediaId, await acceptFile(dependencies, received), clock.now());
    return null;
  } catch (error) {
    return toProblem(error);
  } finally {
    if (received) await incoming.discard(received);
  }
}

/**
 * Fetches the files of a job, one after another. May run again after it was interrupted: files that
 * have arrived are not fetched again.
 */
export const createMediaFetching =
  (dependencies: FetchDependencies): JobHandler =>
  async (run) => {
    const { files, clock } = dependencies;
    const pauseMs = RETRY_PAUSES_MS[run.attempt - 1];
    let isAnyRetried = false;
    for (const pending of await files.pendingImports(run.id)) {
      const problem = await fetchFile(dependencies, pending);
      if (problem?.isRetryable && pauseMs !== undefined) isAnyRetried = true;
      else if (problem) await files.fail(pending.mediaId, problem.message, clock.now());
      if (!(await run.renew())) break;
    }
    if (isAnyRetried) return { kind: 'retried', inMs: pauseMs! };
    const failures = (await files.failedImports(run.id)).map(({ mediaId, error }): JobFailure => ({
      id: mediaId,
      code: 'MEDIA_FETCH_FAILED',
      message: error,
    }));
    return { kind: 'completed', failures };
  };
