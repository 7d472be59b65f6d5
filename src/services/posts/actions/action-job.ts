import type { RemovalWrite } from '../../../domain/changes/change.js';
import type { Job } from '../../../domain/jobs/job.js';
import { createPostsJob, entryFailures } from '../../jobs/posts-job.js';
import { createRemovalJob, toJobFailure, toRemovalWrites } from '../../removals/removal-job.js';
import type { ActionInput, ActionRequest } from './action-request.js';
import type { ActionTarget } from './plan-targets.js';
import type { PlanContext } from './post-plan.js';

/** Whether the action publishes posts at once. */
const isSharing = (action: ActionInput): boolean =>
  action.kind === 'retry' || (action.kind === 'schedule' && action.mode === 'share_now');

/** The job that removes posts from their networks (D62); null if none has to be removed. */
function removalJob(
  { ids, now }: Pick<PlanContext, 'ids' | 'now'>,
  targets: readonly ActionTarget[],
): Job | null {
  if (!targets.some(({ plan }) => plan.kind === 'changed')) return null;
  const failures = targets.flatMap(({ id, plan }) =>
    plan.kind === 'refused' ? [toJobFailure(id, plan.refusals[0]!)] : [],
  );
  return createRemovalJob(ids, { isOpen: true, at: now, failures });
}

/** The posts of an action that its job removes from their networks (D62). */
export function removalsOf(
  { action }: Pick<ActionRequest, 'action'>,
  job: Job | null,
  targets: readonly ActionTarget[],
): RemovalWrite[] {
  if (action.kind !== 'unpublish' || job === null) return [];
  const requested = targets.flatMap(({ id: sentId, plan }) =>
    plan.kind === 'changed'
      ? [{ databaseId: plan.post.databaseId, sentId, step: 'remove' as const }]
      : [],
  );
  return toRemovalWrites(job.id, requested, { deletesPosts: false });
}

/**
 * The job that ends when the posts of an action are published (D51), as that of posts that are
 * created and shared now, or removed from their networks. Null if neither is done.
 */
export function actionJob(
  context: Pick<PlanContext, 'ids' | 'now'>,
  { action, dryRun }: Pick<ActionRequest, 'action' | 'dryRun'>,
  targets: readonly ActionTarget[],
): Job | null {
  if (dryRun) return null;
  if (action.kind === 'unpublish') return removalJob(context, targets);
  if (!isSharing(action)) return null;
  const { ids, now } = context;
  const posts = targets.flatMap(({ index, plan }) =>
    plan.kind === 'refused' ? [] : [{ index, databaseId: plan.post.databaseId }],
  );
  if (posts.length === 0) return null;
  const failures = entryFailures(
    'ids',
    targets.map(({ id, index, plan }) => ({
      id,
      index,
      refusals: plan.kind === 'refused' ? plan.refusals : [],
    })),
  );
  const report = { list: 'ids', failures, warnings: [] } as const;
  return createPostsJob(ids, { kind: 'share', isShared: true, report, posts, now });
}
