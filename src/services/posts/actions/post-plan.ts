import type { OccurrenceChanges } from '../../../domain/calendar/occurrence-dates.js';
import type { Viewer } from '../../../domain/access/viewer.js';
import type { PostAction } from '../../../domain/actions/post-actions.js';
import { newSlots } from '../../../domain/caps/daily-caps.js';
import type { Change, UpsertWrite } from '../../../domain/changes/change.js';
import { isSame } from '../../../domain/changes/merge-patch.js';
import { enumKeys } from '../../../domain/enums.js';
import type { Refusal } from '../../../domain/errors.js';
import type { PostEventType } from '../../../domain/events/event.js';
import type { PostId, Post } from '../../../domain/posts/post.js';
import { isPausedAfterApproval } from '../../../domain/posts/transitions.js';
import { renewPublication } from '../../../domain/publishing/publication.js';
import { duplicateRefusal, duplicatesOf, toChangedCandidate } from '../creation/planning-rules.js';
import type { ChangeDependencies } from '../../changes/run-change.js';
import type { PostLookup } from '../../../domain/posts/post-query.js';
import type { ContentCandidate } from '../../../persistence/posts/post-store.js';

/** What an action makes of one post. */
export type PostPlan =
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  /** The post already is as the action would make it. */
  | { readonly kind: 'unchanged'; readonly post: Post }
  | PostChange;

/** The writes of an action on one post: of the post, and of others that follow it. */
export interface PostChange extends Partial<
  Pick<Change, 'publications' | 'notifications' | 'requiredSeries'>
> {
  readonly kind: 'changed';
  readonly post: Post;
  readonly writes: readonly UpsertWrite[];
  /** What the action does to the occurrences of a series; absent for other posts. */
  readonly series?: OccurrenceChanges;
}

/** What planning an action reads. */
export interface PlanContext extends ChangeDependencies {
  readonly viewer: Viewer;
  readonly now: Date;
}

/**
 * Plans the writes for one post that the table of actions allows. Does not write.
 * `expectedVersion`: the version that the member saw, null if none was sent.
 */
export type PlanPost = (post: Post, expectedVersion: number | null) => PostPlan | Promise<PostPlan>;

/** An action as the executor runs it. */
export interface PostActionPlanner {
  /**
   * The entry of the table of actions that says who may do it with which posts. Null if the plan
   * decides it: the table is about posts that exist.
   */
  readonly actionOn: (post: Post) => PostAction | null;
  /** Finds the posts; by default those that exist. */
  readonly find?: (
    context: PlanContext,
    ids: readonly (PostId | null)[],
  ) => Promise<PostLookup<Post>[]>;
  /** Reads what the plans of the posts need. */
  readonly prepare: (context: PlanContext, posts: readonly Post[]) => PlanPost | Promise<PlanPost>;
  /** Refuses plans that do not go together with others of the call, or with other posts. */
  readonly checkTogether?: (
    context: PlanContext,
    plans: readonly PostPlan[],
  ) => Promise<readonly PostPlan[]>;
}

/** A post that is restored did not exist. */
function candidateOf({ post, writes: [write] }: PostChange): ContentCandidate | null {
  const isExisting = write?.kind === 'update' && write.restores !== true;
  return toChangedCandidate(isExisting ? write.before : null, post);
}

/** The check of an action that may make posts duplicates of others. */
export const duplicateCheck = ({
  allowDuplicate,
}: {
  readonly allowDuplicate: boolean;
}): Pick<PostActionPlanner, 'checkTogether'> =>
  allowDuplicate ? {} : { checkTogether: withoutDuplicates };

/**
 * Refuses the posts that would have the account and content of another one that is planned or
 * published within 24 hours (D49).
 */
async function withoutDuplicates(
  { store }: PlanContext,
  plans: readonly PostPlan[],
): Promise<readonly PostPlan[]> {
  const duplicates = await duplicatesOf(
    store,
    plans.map((plan) => (plan.kind === 'changed' ? candidateOf(plan) : null)),
  );
  return plans.map((plan, index) => {
    const duplicate = duplicates[index] ?? null;
    return duplicate === null ? plan : refusedPlan(duplicateRefusal(duplicate));
  });
}

export const refusedPlan = (...refusals: readonly Refusal[]): PostPlan => ({
  kind: 'refused',
  refusals,
});

/** Properties that follow from other records. */
const RELATIONS: ReadonlySet<keyof Post> = new Set(['account', 'review']);

/** The change of one post and nothing else; its version is raised. */
export function toPostChange(
  { viewer, now }: Pick<PlanContext, 'viewer' | 'now'>,
  before: Post,
  { event, ...given }: Partial<Post> & { readonly event?: PostEventType },
): PostChange {
  const storedState = given.storedState ?? before.storedState;
  const isOtherState = storedState !== before.storedState;
  const values = { pausedAfterApproval: isPausedAfterApproval(before, storedState), ...given };
  const planned: Post = {
    ...before,
    ...(isOtherState && { review: null }),
    ...values,
    version: before.version + 1,
    updatedAt: now,
  };
  const { post: after, publications } = renewPublication(before, planned);
  const write: UpsertWrite = {
    kind: 'update',
    before,
    after,
    changed: enumKeys(values as Record<keyof Post, unknown>).filter(
      (field) => !RELATIONS.has(field) && !isSame(before[field], after[field]),
    ),
    slots: newSlots(before, after, viewer.workspace),
    ...(event && { event }),
  };
  return {
    kind: 'changed',
    post: after,
    writes: [write],
    publications,
  };
}
