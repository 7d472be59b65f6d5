import type { Job, JobFailure, JobResult } from '../../../domain/jobs/job.js';
import type { Ids } from '../../ids.js';
import type {
  CreateOutcome,
  CreateRequest,
  CreateResult,
  CreationReport,
} from './creation-request.js';
import type { UnusedVariant } from './plan-creation.js';

/** The index of a result in the list of the request that clients know. */
const INDEX_OF: Readonly<Record<JobResult['list'], (result: CreateResult) => number>> = {
  posts: ({ item }) => item,
  targets: ({ index }) => index,
};

/** What a creation, or a dry run of one, cannot do, or does with reservations (D50, D51). */
export function creationReport(
  { job }: Pick<CreateRequest, 'job'>,
  results: readonly CreateResult[],
  unusedVariants: readonly UnusedVariant[],
): CreationReport {
  const list = job === 'when_shared' ? 'targets' : 'posts';
  const nameOf = (result: CreateResult): string => `${list}[${INDEX_OF[list](result)}]`;
  return {
    list,
    failures: results.flatMap((result) =>
      result.refusals.map(({ code, message }): JobFailure => ({
        id: result.accountId ?? nameOf(result),
        code,
        message: `${nameOf(result)}: ${message}`,
      })),
    ),
    warnings: [
      ...unusedVariants.map(
        ({ item, network }) =>
          `${list}[${item}]: The content for ${network} is not used: no account is one of ${network}.`,
      ),
      ...results.flatMap((result) =>
        result.warnings.map((message) => `${nameOf(result)}: ${message}`),
      ),
    ],
  };
}

/**
 * The job of a creation (D51); null if it has none. Its posts are saved with it. It is finished,
 * unless posts are shared now: then a worker ends it when they are published.
 */
export function creationJob(
  ids: Ids,
  request: Pick<CreateRequest, 'items' | 'job' | 'dryRun'>,
  {
    outcome: { results, report },
    now,
  }: { outcome: Extract<CreateOutcome, { kind: 'done' }>; now: Date },
): Job | null {
  const isShared = results.some(
    ({ post, item }) => post !== null && request.items[item]!.mode === 'share_now',
  );
  if (request.dryRun || (request.job === 'when_shared' && !isShared)) return null;
  const posts = results.flatMap((result) =>
    result.post
      ? [{ index: INDEX_OF[report.list](result), databaseId: result.post.databaseId }]
      : [],
  );
  const status = isShared ? 'working' : posts.length > 0 ? 'completed' : 'failed';
  return {
    id: ids.prefixed('job'),
    kind: 'create',
    status,
    progress: status === 'completed' ? 1 : 0,
    failures: [...report.failures],
    result: { ...report, posts },
    postId: null,
    createdAt: now,
    finishedAt: isShared ? null : now,
  };
}
