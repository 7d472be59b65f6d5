import type { Refusal } from '../../domain/errors.js';
import type { Job, JobFailure, JobPost, JobResult } from '../../domain/jobs/job.js';
import type { Ids } from '../ids.js';

/** What a call makes of an entry of its list of posts, accounts or IDs. */
export interface EntryResult {
  /** Index of the entry in the request. */
  readonly index: number;
  /**
   * What a failure of the entry is about: a post or an account; null if only the index tells it.
   */
  readonly id: string | null;
  readonly refusals: readonly Refusal[];
}

/** The entry as failures and warnings name it, such as `targets[2]`. */
export const entryName = (list: JobResult['list'], index: number): string => `${list}[${index}]`;

/** The failures of a job: one for each refusal (D42, D51). */
export const entryFailures = (
  list: JobResult['list'],
  entries: readonly EntryResult[],
): JobFailure[] =>
  entries.flatMap(({ index, id, refusals }) =>
    refusals.map(({ code, message }): JobFailure => ({
      id: id ?? entryName(list, index),
      code,
      message: `${entryName(list, index)}: ${message}`,
    })),
  );

/**
 * The job of a call that makes posts, or publishes them (D51). If they are published at once, a
 * worker ends it when each of them is done; otherwise it is finished.
 */
export function createPostsJob(
  ids: Ids,
  {
    kind,
    isShared,
    report,
    posts,
    now,
  }: {
    readonly kind: 'create' | 'share';
    /** Whether posts of the job are published at once. */
    readonly isShared: boolean;
    readonly report: Pick<JobResult, 'list' | 'failures' | 'warnings'>;
    readonly posts: readonly JobPost[];
    readonly now: Date;
  },
): Job {
  const status = isShared ? 'working' : posts.length > 0 ? 'completed' : 'failed';
  return {
    id: ids.prefixed('job'),
    kind,
    status,
    progress: status === 'completed' ? 1 : 0,
    failures: [...report.failures],
    result: { ...report, posts },
    postId: null,
    createdAt: now,
    finishedAt: isShared ? null : now,
  };
}
