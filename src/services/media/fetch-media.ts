import {
  FetchFailedError,
  FileTooLargeError,
  MEDIA_FILE_LIMITS,
} from '../../domain/media/media-file.js';
import type { JobFailure } from '../../domain/jobs/job.js';
import type { PendingImport } from '../../persistence/media/media-file-store.js';
import type { JobHandler } from '../jobs/job-handler.js';
import { acceptFile, RefusedFileError, type FileAcceptor } from './accept-file.js';
import { completeFile, type FileCompletion } from './complete-file.js';
import type { ReceivedFile } from './file-storage.js';
import { findExcess, rejectExcess, type QuotaDependencies } from './media-quota.js';

/** A file on another server, while it is downloaded. */
export interface Download {
  /** Reading it fails with FetchFailedError or FileTooLargeError. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Fetches files from public https addresses, without redirects. */
export interface MediaSource {
  /** Why a URL is never fetched, or null. Names are resolved only when the file is fetched. */
  problemOf(url: string): string | null;
  /** @throws FetchFailedError */
  open(url: string): Promise<Download>;
}

interface FetchDependencies
  extends Omit<FileAcceptor, 'files'>, FileCompletion, Omit<QuotaDependencies, 'files'> {
  readonly source: MediaSource;
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

/**
 * Fetches and stores one file. Null if it is done, or the item no longer waits for it. The size of
 * a file is known only once it has arrived.
 */
async function fetchFile(
  dependencies: FetchDependencies,
  { mediaId, sourceUrl, workspaceId: id, plan }: PendingImport,
): Promise<FetchProblem | null> {
  const { incoming, source } = dependencies;
  let received: ReceivedFile | undefined;
  try {
    const { content } = await source.open(sourceUrl);
    received = await incoming.receive(content, MEDIA_FILE_LIMITS.bytes);
    const excess = await findExcess(dependencies, { id, plan }, { bytes: received.bytes });
    if (excess) return { message: rejectExcess(dependencies, excess), isRetryable: false };
    await completeFile(dependencies, mediaId, await acceptFile(dependencies, received, id));
    return null;
  } catch (error) {
    return toProblem(error);
  } finally {
    if (received) await incoming.discard(received);
  }
}

/**
 * Fetches one file of a job, then gives back the slot until each file was tried: other jobs do not
 * wait for all files of a job. May run again after it was interrupted: files that have arrived are
 * not fetched again.
 */
export const createMediaFetching =
  (dependencies: FetchDependencies): JobHandler =>
  async (run) => {
    const { files, clock } = dependencies;
    const pauseMs = RETRY_PAUSES_MS[run.attempt - 1];
    const pending = await files.tryNextImport(run);
    const problem = pending && (await fetchFile(dependencies, pending));
    if (problem && !(problem.isRetryable && pauseMs !== undefined))
      await files.fail(pending.mediaId, problem.message, clock.now());
    const { untried, waiting } = await files.countImports(run);
    if (untried > 0) return { kind: 'postponed', inMs: 0 };
    if (waiting > 0 && pauseMs !== undefined) return { kind: 'retried', inMs: pauseMs };
    const failures = (await files.failedImports(run.id)).map(({ mediaId, error }): JobFailure => ({
      id: mediaId,
      code: 'MEDIA_FETCH_FAILED',
      message: error,
    }));
    return { kind: 'completed', failures };
  };
