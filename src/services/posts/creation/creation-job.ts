import type { Job, JobResult } from '../../../domain/jobs/job.js';
import type { Ids } from '../../ids.js';
import { createPostsJob, entryFailures, entryName } from '../../jobs/posts-job.js';
import type {
  CreateOutcome,
  CreateRequest,
  CreateResult,
  CreationReport,
} from './creation-request.js';
import type { UnusedVariant } from './plan-creation.js';

type CreationList = Exclude<JobResult['list'], 'ids'>;

/** The index of a result in the list of the request that clients know. */
const INDEX_OF: Readonly<Record<CreationList, (result: CreateResult) => number>> = {
  posts: ({ item }) => item,
  targets: ({ index }) => index,
};

/** The list of the request that clients know. */
const listOf = ({ job }: Pick<CreateRequest, 'job'>): CreationList =>
  job === 'when_shared' ? 'targets' : 'posts';

/** What a creation, or a dry run of one, cannot do, or does with reservations (D50, D51). */
export function creationReport(
  request: Pick<CreateRequest, 'job'>,
  results: readonly CreateResult[],
  unusedVariants: readonly UnusedVariant[],
): CreationReport {
  const list = listOf(request);
  const indexOf = INDEX_OF[list];
  return {
    list,
    failures: entryFailures(
      list,
      results.map((result) => ({
        index: indexOf(result),
        id: result.accountId,
        refusals: result.refusals,
      })),
    ),
    warnings: [
      ...unusedVariants.map(
        ({ item, network }) =>
          `${entryName(list, item)}: The content for ${network} is not used: no account is one of ${network}.`,
      ),
      ...results.flatMap((result) =>
        result.warnings.map((message) => `${entryName(list, indexOf(result))}: ${message}`),
      ),
    ],
  };
}

/** The job of a creation (D51); null if it has none. Its posts are saved with it. */
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
  const indexOf = INDEX_OF[listOf(request)];
  const posts = results.flatMap((result) =>
    result.post ? [{ index: indexOf(result), databaseId: result.post.databaseId }] : [],
  );
  return createPostsJob(ids, { kind: 'create', isShared, report, posts, now });
}
