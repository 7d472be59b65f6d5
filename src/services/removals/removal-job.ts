import type { RemovalWrite } from '../../domain/changes/change.js';
import type { Refusal } from '../../domain/errors.js';
import type { Job, JobFailure } from '../../domain/jobs/job.js';
import type { Ids } from '../ids.js';

/** A post of a request that is to be removed from its network. */
export interface RequestedRemoval {
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
