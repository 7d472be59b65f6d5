import { toActor } from '../../../domain/events/actor.js';
import { postUrlProblem } from '../../../domain/networks/post-urls.js';
import type { Post } from '../../../domain/posts/post.js';
import { serviceError } from '../../../domain/publishing/publication-failures.js';
import { isUnconfirmed, openAttemptOf } from '../../../domain/publishing/publication.js';
import { toPublicationChange, type PublicationEnd } from '../../publishing/publication-results.js';
import type { Resolution } from './action-request.js';
import { refusedPlan, type PlanContext, type PostChange, type PostPlan } from './post-plan.js';

const toEnd = (resolution: Resolution): PublicationEnd =>
  resolution.kind === 'live'
    ? { kind: 'published', live: { url: resolution.url, remoteId: resolution.remoteId } }
    : { kind: 'failed', error: serviceError('NOT_LIVE') };

/** A person says whether the post is on its network (D54, D58). */
export function planResolution(context: PlanContext, post: Post, resolution: Resolution): PostPlan {
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
