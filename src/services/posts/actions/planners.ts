import { needsApproval, toActor } from '../../../domain/access/viewer.js';
import type { PostAction } from '../../../domain/actions/post-actions.js';
import type { Refusal } from '../../../domain/errors.js';
import { postUrlProblem } from '../../../domain/networks/post-urls.js';
import type { Post } from '../../../domain/posts/post.js';
import { isReleasable, storedStateAfter } from '../../../domain/posts/transitions.js';
import { serviceError } from '../../../domain/publishing/publication-failures.js';
import { isUnconfirmed } from '../../../domain/publishing/publication.js';
import { openAttemptOf } from '../../../domain/publishing/publication.js';
import { toPublicationChange, type PublicationEnd } from '../../publishing/publication-results.js';
import { toPostTime } from '../creation/planning-rules.js';
import { resumedDate } from '../../../domain/calendar/recycling.js';
import type { ActionInput, ActionKind, Resolution } from './action-request.js';
import {
  duplicateCheck,
  refusedPlan,
  toPostChange,
  type PlanContext,
  type PostActionPlanner,
  type PostChange,
  type PostPlan,
} from './post-plan.js';
import { restorePlanner } from './restore-posts.js';
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
    ...(isReleasable(post, viewer) && { event: 'post.scheduled' }),
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
  retry: (input) => ({
    ...simple('retry', (context, post) => planRetry(context, post, input)),
    ...duplicateCheck(input),
  }),
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

const MAY_BE_LIVE: Refusal = {
  code: 'RULE_VIOLATION',
  message:
    'It is unknown whether the post was published. Check its network, and set confirmNotLive if it is not there.',
  path: ['confirmNotLive'],
  rule: 'D54',
};

/** A post that was not published becomes due now, or waits for approval (D54, D56, D57). */
function planRetry(
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

const toEnd = (resolution: Resolution): PublicationEnd =>
  resolution.kind === 'live'
    ? { kind: 'published', live: { url: resolution.url, remoteId: resolution.remoteId } }
    : { kind: 'failed', error: serviceError('NOT_LIVE') };

/** A person says whether the post is on its network (D54, D58). */
function planResolution(context: PlanContext, post: Post, resolution: Resolution): PostPlan {
  if (resolution.kind === 'live') {
    const problem = post.account && postUrlProblem(post.account, resolution.url);
    if (problem)
      return refusedPlan({ code: 'RULE_VIOLATION', message: problem, path: ['url'], rule: 'D58' });
  }
  return toResolvedPost(context, post, toEnd(resolution));
}

function toResolvedPost(
  { viewer, ids, now }: PlanContext,
  post: Post,
  end: PublicationEnd,
): PostChange {
  const record = post.publicationRecord;
  const change = toPublicationChange(ids, {
    post,
    context: viewer.workspace,
    copyId: null,
    previous: null,
    attempt: openAttemptOf(record),
    run: null,
    actor: toActor(viewer),
    end,
    at: now,
  });
  const [write] = change.posts;
  if (write?.kind !== 'update') throw new Error('A publication ends with an update of its post.');
  const [publication] = change.publications;
  const after: Post = {
    ...write.after,
    publicationRecord: record && {
      ...record,
      result: end.kind,
      error: publication!.error,
      publishedAt: publication!.publishedAt,
      openAttempt: null,
    },
  };
  // The state stays `failed`, but from now on it is known that the post is not there.
  const isKnownToFail = end.kind === 'failed' && isUnconfirmed(post);
  return {
    kind: 'changed',
    post: after,
    writes: [{ ...write, after, ...(isKnownToFail && { event: 'post.failed' as const }) }],
    // A reminder that was imported has no record of its publication.
    publications: record ? change.publications : [],
  };
}
