import { needsApproval } from '../../../domain/access/viewer.js';
import type { PostAction } from '../../../domain/actions/post-actions.js';
import { storedStateAfter } from '../../../domain/posts/transitions.js';
import type { Post } from '../../../domain/posts/post.js';
import { resumedDate } from '../recycling.js';
import type { ActionInput, ActionKind } from './action-request.js';
import {
  toPostChange,
  type PlanContext,
  type PostActionPlanner,
  type PostPlan,
} from './post-plan.js';
import { planResolution } from './resolve-publication.js';
import { restorePlanner } from './restore-posts.js';
import { planRetry } from './retry-post.js';
import { reviewPlanner } from './review-posts.js';
import { schedulePlanner } from './schedule-posts.js';

/** A recycling post goes on at its next date; without one, it expires (D59). */
function planResume(context: PlanContext, post: Post): PostPlan {
  const { viewer, now } = context;
  const scheduledAt = resumedDate(post, viewer.workspace.timeZone, now);
  if (!scheduledAt)
    return toPostChange(context, post, {
      storedState: storedStateAfter(post.storedState, 'recycling_finished'),
    });
  const event = needsApproval(viewer) ? 'approval_requested' : 'resumed';
  return toPostChange(context, post, {
    storedState: storedStateAfter(post.storedState, event),
    scheduledAt,
    pausedAfterApproval: false,
  });
}

type Planners = {
  readonly [K in ActionKind]: (input: Extract<ActionInput, { kind: K }>) => PostActionPlanner;
};

/** An action that needs nothing but the post. */
const simple = (
  action: PostAction,
  plan: (context: PlanContext, post: Post) => PostPlan,
): PostActionPlanner => ({
  actionOn: () => action,
  prepare: (context) => (post) => plan(context, post),
});

/** How each action changes one post that the table of actions allows it for. */
export const PLANNERS: Planners = {
  schedule: schedulePlanner,
  review: reviewPlanner,
  retry: (input) => simple('retry', (context, post) => planRetry(context, post, input)),
  resolve: ({ resolution }) =>
    simple('resolve', (context, post) => planResolution(context, post, resolution)),
  pause: () =>
    simple('pause', (context, post) =>
      toPostChange(context, post, { storedState: storedStateAfter(post.storedState, 'paused') }),
    ),
  resume: () => simple('resume', planResume),
  restore: restorePlanner,
  // A job removes the post: until then, nothing about it changes.
  unpublish: () => ({
    actionOn: () => 'unpublish',
    prepare: () => (post) => ({ kind: 'changed', post, writes: [] }),
  }),
};
