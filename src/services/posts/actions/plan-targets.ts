import { decideAction } from '../../../domain/actions/action-rights.js';
import type { PostAction } from '../../../domain/actions/post-actions.js';
import { slotOwners } from '../../../domain/caps/cap-slots.js';
import type { UpsertWrite } from '../../../domain/changes/change.js';
import type { Refusal } from '../../../domain/errors.js';
import { readPostId } from '../../../domain/posts/post-id.js';
import type { Post } from '../../../domain/posts/post.js';
import { capRefusal } from '../cap-refusal.js';
import { missingPostRefusal } from '../missing-post.js';
import type { ExceededCap } from '../post-ports.js';
import type { ActionRequest, PostResult } from './action-request.js';
import { PLANNERS } from './planners.js';
import {
  refusedPlan,
  type PlanContext,
  type PlanPost,
  type PostActionPlanner,
  type PostPlan,
} from './post-plan.js';

/** One ID as sent, with what the action makes of its post. */
export interface ActionTarget {
  readonly id: string;
  /** Index of the ID in the request. */
  readonly index: number;
  readonly plan: PostPlan;
}

const ANOTHER_REFUSED: Refusal = {
  code: 'RULE_VIOLATION',
  message: 'Not performed, because another post was rejected and the policy is all_or_nothing.',
  path: [],
  rule: 'D31',
};

const DIFFERENT_VERSIONS: Refusal = {
  code: 'RULE_VIOLATION',
  message: 'The call contains the post several times, with different versions. Send it once.',
  path: ['expectedVersion'],
  rule: 'D30',
};

/** What the action makes of a post, or why this viewer cannot do it (D65). */
async function planPost(
  { viewer }: PlanContext,
  post: Post,
  {
    versions,
    action,
    plan,
  }: {
    readonly versions: readonly (number | null)[];
    readonly action: PostAction | null;
    readonly plan: PlanPost;
  },
): Promise<PostPlan> {
  const [expectedVersion = null, ...others] = versions;
  const decision = action && decideAction(action, post, viewer);
  if (decision?.kind === 'refused') return refusedPlan(decision.refusal);
  if (others.some((version) => version !== expectedVersion)) return refusedPlan(DIFFERENT_VERSIONS);
  return decision?.kind === 'done' ? { kind: 'unchanged', post } : plan(post, expectedVersion);
}

/** The distinct posts with their plans, each with the ID that came first (D30). */
export async function planTargets(
  context: PlanContext,
  { ids, expectedVersions = [], action }: ActionRequest,
): Promise<ActionTarget[]> {
  const planner: PostActionPlanner = PLANNERS[action.kind](action as never);
  const postIds = ids.map(readPostId);
  const lookups = await (planner.find?.(context, postIds) ??
    context.store.findAll(context.viewer, postIds));
  const keys = lookups.map((lookup, index) =>
    lookup.kind === 'found' ? lookup.post.id : ids[index]!.toLowerCase(),
  );
  const plan = await planner.prepare(
    context,
    lookups.flatMap((lookup) => (lookup.kind === 'found' ? [lookup.post] : [])),
  );
  const plans: PostPlan[] = [];
  const indexes = [...keys.keys()].filter((index) => keys.indexOf(keys[index]!) === index);
  for (const index of indexes) {
    const lookup = lookups[index]!;
    const versions = expectedVersions.filter((_, other) => keys[other] === keys[index]);
    plans.push(
      lookup.kind === 'found'
        ? await planPost(context, lookup.post, {
            versions,
            action: planner.actionOn(lookup.post),
            plan,
          })
        : refusedPlan(missingPostRefusal(lookup.kind)),
    );
  }
  const checked = (await planner.checkTogether?.(context, plans)) ?? plans;
  return indexes.map((index, place) => ({ id: ids[index]!, index, plan: checked[place]! }));
}

const isRefused = ({ plan }: ActionTarget): boolean => plan.kind === 'refused';

/** The targets after the policy was applied: all are refused if one is, or only that one. */
export function applyPolicy(
  targets: readonly ActionTarget[],
  policy: ActionRequest['policy'],
): readonly ActionTarget[] {
  return policy === 'all_or_nothing' && targets.some(isRefused)
    ? targets.map((target) =>
        isRefused(target) ? target : { ...target, plan: refusedPlan(ANOTHER_REFUSED) },
      )
    : targets;
}

/** The targets without those whose posts exceed a daily cap. */
export function withCapRefusals(
  targets: readonly ActionTarget[],
  writes: readonly UpsertWrite[],
  exceeded: readonly ExceededCap[],
): readonly ActionTarget[] {
  const ownerOf = slotOwners(writes);
  const refusals = new Map<UpsertWrite | undefined, Refusal>();
  for (const cap of exceeded.toReversed()) refusals.set(ownerOf(cap), capRefusal(cap));
  return targets.map((target) => {
    if (target.plan.kind !== 'changed') return target;
    const write = target.plan.writes.find((candidate) => refusals.has(candidate));
    return write ? { ...target, plan: refusedPlan(refusals.get(write)!) } : target;
  });
}

/** What clients learn about a target. */
export const resultOf = ({ id, plan }: ActionTarget): PostResult =>
  plan.kind === 'refused'
    ? { id, post: null, refusals: plan.refusals }
    : { id, post: plan.post, refusals: [] };
