import type { JobFailure } from '../../domain/jobs/job.js';
import type { FollowedPosts, FollowedPostsStore } from '../../persistence/jobs/job-store.js';
import type { JobHandler } from './job-handler.js';
import { entryName } from './posts-job.js';

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
