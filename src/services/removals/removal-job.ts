import type { Change, RemovalWrite } from '../../domain/changes/change.js';
import type { Refusal } from '../../domain/errors.js';
import type { Job, JobFailure } from '../../domain/jobs/job.js';
import type { Post } from '../../domain/posts/post.js';
import { removalRefusal } from '../../domain/rules/removal-rules.js';
import type { Ids } from '../ids.js';

/** A post of a request that is to be removed from its network. */
interface RequestedRemoval {
  readonly databaseId: number;
  /** As the client sent it. */
  readonly sentId: string;
  /**
   * `remove`: a job removes it. `ended`: its network does not have it, so nothing is left to do.
   */
  readonly step: 'remove' | 'ended';
}

/** A rejected post of a request: a failure of the job. */
export const toJobFailure = (
  sentId: string,
  { code, message }: Pick<Refusal, 'code' | 'message'>,
): JobFailure => ({ id: sentId, code, message });

/** The job that removes posts from their networks (D62). */
export function createRemovalJob(
  ids: Ids,
  {
    isOpen,
    at,
    failures,
  }: {
    /** Whether a network has to be called. */
    isOpen: boolean;
    at: Date;
    /** The posts of the request that were rejected. */
    failures: readonly JobFailure[];
  },
): Job {
  return {
    id: ids.prefixed('job'),
    kind: 'unpublish',
    status: isOpen ? 'working' : 'completed',
    progress: isOpen ? 0 : 1,
    failures: [...failures],
    result: null,
    postId: null,
    createdAt: at,
    finishedAt: isOpen ? null : at,
  };
}

/** What is stored about the posts of a job. `deletesPosts`: whether they are then deleted here. */
export const toRemovalWrites = (
  jobId: string,
  requested: readonly RequestedRemoval[],
  { deletesPosts }: { deletesPosts: boolean },
): RemovalWrite[] =>
  requested.flatMap(({ databaseId: postId, sentId, step }): RemovalWrite[] => {
    const start = { kind: 'start', jobId, postId, sentId, deletesPost: deletesPosts } as const;
    return step === 'remove' ? [start] : [start, { kind: 'end', jobId, postId, failure: null }];
  });

/** The removal of a publication, or why there is none, for the history of the recycling post. */
interface PreviousRemoval extends Pick<Change, 'jobs' | 'removals'> {
  readonly note: string | null;
}

/**
 * Removes the previous publication of a recycling post, after the new one is live (D59). A job does
 * it: the new publication does not wait for that.
 */
export function removePrevious(ids: Ids, previous: Post | null, at: Date): PreviousRemoval {
  if (previous === null) return { jobs: [], removals: [], note: null };
  const refusal = removalRefusal(previous);
  if (refusal)
    return {
      jobs: [],
      removals: [],
      note: `The previous publication stays on ${previous.network}. ${refusal.message}`,
    };
  const job = createRemovalJob(ids, { isOpen: true, at, failures: [] });
  const { id: sentId, databaseId } = previous;
  return {
    jobs: [{ ...job, postVersion: null }],
    removals: toRemovalWrites(job.id, [{ databaseId, sentId, step: 'remove' }], {
      deletesPosts: false,
    }),
    note: null,
  };
}
