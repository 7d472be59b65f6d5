import type { JobFailure, JobResult } from '../../domain/jobs/job.js';
import type { PublicationError } from '../../domain/publishing/publication.js';
import type { JobHandler } from './job-ports.js';

/** A post of a creation, as its job sees it. Deleted posts are absent. */
export interface CreatedPost {
  readonly databaseId: number;
  readonly accountId: string;
  /** Whether it is being published, or is due: it waits for no person and for no later time. */
  readonly isOpen: boolean;
  /** Why it was not published, or not known to be; null if it was, or if that is not decided. */
  readonly error: PublicationError | null;
}

/** The state of a creation whose posts are published immediately. */
export interface CreationProgress {
  readonly result: JobResult;
  readonly posts: readonly CreatedPost[];
  /** Milliseconds since the creation. */
  readonly ageMs: number;
}

/** Reads what became of the posts of creations. */
export interface CreationStore {
  /** Null if the job is no creation. */
  progressOf(jobId: string): Promise<CreationProgress | null>;
}

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Posts are published within a few seconds, or retried for an hour: looked at less and less. */
const pauseMs = (ageMs: number): number =>
  Math.min(Math.max(Math.round(ageMs / 4), MIN_PAUSE_MS), MAX_PAUSE_MS);

function publicationFailures({ result: { list, posts }, posts: found }: CreationProgress) {
  const indexOf = new Map(posts.map(({ databaseId, index }) => [databaseId, index]));
  return found.flatMap(({ databaseId, accountId, error }): JobFailure[] =>
    error
      ? [
          {
            id: accountId,
            code: error.code as JobFailure['code'],
            message: `${list}[${indexOf.get(databaseId)}]: ${error.message}`,
          },
        ]
      : [],
  );
}

/**
 * Ends the job of a creation when each of its posts is done or waits for its time or a person
 * (D51). Only looks: an interrupted attempt is repeated by any worker. The job fails if nothing was
 * done: no post was created, or none of them published.
 */
export const createCreationFinisher =
  (store: CreationStore): JobHandler =>
  async ({ id }) => {
    const progress = await store.progressOf(id);
    if (!progress) return { kind: 'completed', failures: [] };
    const { result, posts, ageMs } = progress;
    if (posts.some(({ isOpen }) => isOpen)) return { kind: 'postponed', inMs: pauseMs(ageMs) };
    const unpublished = publicationFailures(progress);
    return {
      kind: unpublished.length === result.posts.length ? 'failed' : 'completed',
      failures: [...result.failures, ...unpublished],
    };
  };
