import type { JobFailure, JobResult } from '../../domain/jobs/job.js';
import type { PublicationError } from '../../domain/publishing/publication-record.js';
import type { JobHandler } from './job-ports.js';
import { entryName } from './posts-job.js';

/** A post as the job that follows its publication sees it. Deleted posts are absent. */
export interface FollowedPost {
  readonly databaseId: number;
  /** Document ID (D3). */
  readonly id: string;
  readonly accountId: string;
  /** Whether it is being published, or is due: it waits for no person and for no later time. */
  readonly isOpen: boolean;
  /** Why it was not published, or not known to be; null if it was, or if that is not decided. */
  readonly error: PublicationError | null;
}

/** How far the posts of a job are, which are published at once. */
export interface FollowedPosts {
  readonly result: JobResult;
  readonly posts: readonly FollowedPost[];
  /** Milliseconds since the job was created. */
  readonly ageMs: number;
}

/** Reads what became of the posts of jobs. */
export interface FollowedPostsStore {
  /** Null if the job has no posts. */
  progressOf(jobId: string): Promise<FollowedPosts | null>;
}

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Posts are published within a few seconds, or retried for an hour: looked at less and less. */
const pauseMs = (ageMs: number): number =>
  Math.min(Math.max(Math.round(ageMs / 4), MIN_PAUSE_MS), MAX_PAUSE_MS);

/** Failures are about accounts if the request lists accounts, and about posts if it lists posts. */
function publicationFailures({ result: { list, posts }, posts: found }: FollowedPosts) {
  const indexOf = new Map(posts.map(({ databaseId, index }) => [databaseId, index]));
  return found.flatMap(({ databaseId, id, accountId, error }): JobFailure[] =>
    error
      ? [
          {
            id: list === 'ids' ? id : accountId,
            code: error.code as JobFailure['code'],
            message: `${entryName(list, indexOf.get(databaseId)!)}: ${error.message}`,
          },
        ]
      : [],
  );
}

/**
 * Ends a job when each of its posts is done or waits for its time or a person (D51). Only looks: an
 * interrupted attempt is repeated by any worker. The job fails if none of the posts is published.
 */
export const createPublicationFollower =
  (store: FollowedPostsStore): JobHandler =>
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
