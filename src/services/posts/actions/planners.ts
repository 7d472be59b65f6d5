import { needsApproval } from '../../../domain/access/viewer.js';
import { storedStateAfter } from '../../../domain/posts/transitions.js';
import { nextRecycleDate } from '../recycling.js';
import type { ActionInput, ActionKind } from './action-request.js';
import { toPostChange, type PostActionPlanner } from './post-plan.js';
import { planResolution } from './resolve-publication.js';
import { planRetry } from './retry-post.js';

type Planners = {
  readonly [K in ActionKind]: (input: Extract<ActionInput, { kind: K }>) => PostActionPlanner;
};

/** How each action changes one post that the table of actions allows it for. */
export const PLANNERS: Planners = {
  retry: (input) => ({
    actionOn: () => 'retry',
    plan: (context, post) => planRetry(context, post, input),
  }),
  resolve: ({ resolution }) => ({
    actionOn: () => 'resolve',
    plan: (context, post) => planResolution(context, post, resolution),
  }),
  pause: () => ({
    actionOn: () => 'pause',
    plan: (context, post) =>
      toPostChange(context, post, { storedState: storedStateAfter(post.storedState, 'paused') }),
  }),
  resume: () => ({
    actionOn: () => 'resume',
    plan: (context, post) =>
      toPostChange(context, post, {
        storedState: storedStateAfter(
          post.storedState,
          needsApproval(context.viewer) ? 'approval_requested' : 'resumed',
        ),
        scheduledAt: nextRecycleDate(post, context.now),
      }),
  }),
};
