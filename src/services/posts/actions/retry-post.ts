import { needsApproval } from '../../../domain/access/viewer.js';
import type { Refusal } from '../../../domain/errors.js';
import type { Post } from '../../../domain/posts/post.js';
import { storedStateAfter } from '../../../domain/posts/transitions.js';
import { isUnconfirmed } from '../../../domain/publishing/publication.js';
import { toPostTime } from '../creation/planning-rules.js';
import { refusedPlan, toPostChange, type PlanContext, type PostPlan } from './post-plan.js';

const MAY_BE_LIVE: Refusal = {
  code: 'RULE_VIOLATION',
  message:
    'It is unknown whether the post was published. Check its network, and set confirmNotLive if it is not there.',
  path: ['confirmNotLive'],
  rule: 'D54',
};

/** A post that was not published becomes due now, or waits for approval (D54, D56, D57). */
export function planRetry(
  context: PlanContext,
  post: Post,
  { confirmNotLive }: { readonly confirmNotLive: boolean },
): PostPlan {
  if (isUnconfirmed(post) && !confirmNotLive) return refusedPlan(MAY_BE_LIVE);
  const event = needsApproval(context.viewer) ? 'approval_requested' : 'planned';
  return toPostChange(context, post, {
    storedState: storedStateAfter(post.storedState, event),
    scheduledAt: toPostTime(context.now),
    auto: false,
    retryAt: null,
  });
}
