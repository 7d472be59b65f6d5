import { slotOwners } from '../../domain/caps/daily-caps.js';
import type { Change, UpsertWrite, ExceededCap } from '../../domain/changes/change.js';
import type { BatchPolicy } from '../../domain/creation/creation-modes.js';
import type { Refusal } from '../../domain/errors.js';
import type { Plan, ChangeDependencies } from './run-change.js';
import { needsApproval, type Viewer } from '../../domain/access/viewer.js';
import { isMoreThanLabels } from '../../domain/changes/merge-patch.js';
import { isPending } from '../../domain/posts/states.js';

/** One of several posts of a call. */
export interface ChangeTarget {
  /** Why nothing is done with it; empty if something is. */
  readonly refusals: readonly Refusal[];
}

/** Whether nothing is done with a target. */
export const isRefused = ({ refusals }: ChangeTarget): boolean => refusals.length > 0;

/** How the posts of a call become one change. */
interface TargetsPlanner<Target extends ChangeTarget, Done> {
  readonly policy: BatchPolicy;
  /** Why nothing is done with a post because of another one (D31, D47). */
  readonly otherRefused: Refusal;
  /** Called again without the posts that exceed a daily cap. */
  readonly plan: (
    targets: readonly Target[],
  ) => TargetsPlan<Target, Done> | Promise<TargetsPlan<Target, Done>>;
  /** Path of the refusal of a post that exceeds a daily cap; empty by default. */
  readonly capPathOf?: (target: Target) => readonly string[];
}

/** The plan of a call with several posts. */
interface TargetsPlan<Target, Done> extends Omit<Plan<Done>, 'withoutExceeded'> {
  /** The writes of a target that is not refused. */
  readonly writesOf?: (target: Target) => readonly UpsertWrite[];
}

/**
 * Plans the change of several posts: all are refused if one is, or only that one (D31). Posts that
 * exceed a daily cap are refused (D39), unless the change takes times of a queue: then they get
 * others.
 */
export async function planTargets<Target extends ChangeTarget, Done>(
  targets: readonly Target[],
  planner: TargetsPlanner<Target, Done>,
): Promise<Plan<Done>> {
  const { policy, otherRefused, capPathOf } = planner;
  const isStopped = policy === 'all_or_nothing' && targets.some(isRefused);
  const decided = isStopped
    ? targets.map((target) =>
        isRefused(target) ? target : { ...target, refusals: [otherRefused] },
      )
    : targets;
  const { writesOf, ...plan } = await planner.plan(decided);
  const { change } = plan;
  if (!change || !writesOf || change.queueSlots.length > 0) return plan;
  const withoutExceeded = (exceeded: readonly ExceededCap[]): Promise<Plan<Done>> => {
    const caps = capsOfWrites(change, exceeded);
    const left = decided.map((target): Target => {
      const write = isRefused(target) ? undefined : writesOf(target).find((one) => caps.has(one));
      if (!write) return target;
      const refusal = capRefusal(caps.get(write)!);
      return { ...target, refusals: [{ ...refusal, path: capPathOf?.(target) ?? refusal.path }] };
    });
    return planTargets(left, planner);
  };
  return { ...plan, withoutExceeded };
}

/** The first cap that each write exceeds. */
function capsOfWrites(
  { posts }: Change,
  exceeded: readonly ExceededCap[],
): ReadonlyMap<UpsertWrite | undefined, ExceededCap> {
  const ownerOf = slotOwners(posts.filter((write) => write.kind !== 'delete'));
  return new Map(exceeded.toReversed().map((cap) => [ownerOf(cap), cap]));
}

/** The refusal of a post that exceeds a daily cap, with the next free time (D39). */
export const capRefusal = ({ postKind, limit, at, nextFreeAt }: ExceededCap): Refusal => ({
  code: 'DAILY_LIMIT_EXCEEDED',
  path: [],
  rule: 'Daily post limits',
  message: `At ${at.toISOString()} the account would exceed the limit of ${limit} publications (${postKind}) within 24 hours. Next free time: ${nextFreeAt.toISOString()}.`,
});

/**
 * Whether a write asks for an approval: its post becomes pending, or is pending and was changed by
 * a member who needs approval. Changes of labels need none (D24).
 */
function asksForApproval(viewer: Viewer, write: UpsertWrite): boolean {
  if (!isPending(write.after.storedState)) return false;
  if (write.kind === 'update' && !isPending(write.before.storedState)) return true;
  return needsApproval(viewer) && (write.kind === 'insert' || isMoreThanLabels(write.changed));
}

/**
 * One notification for each other member who may approve, about the first of the posts of a change
 * that need approval (Update post, rule 5; D24, D64).
 */
export async function approvalNotifications(
  { workspaceRecords, ids }: Pick<ChangeDependencies, 'workspaceRecords' | 'ids'>,
  viewer: Viewer,
  writes: readonly UpsertWrite[],
): Promise<Change['notifications']> {
  const pending = writes.filter((write) => asksForApproval(viewer, write));
  if (pending.length === 0) return [];
  const approvers = await workspaceRecords.approvers(viewer.workspace.id);
  const posts = pending.length === 1 ? 'a post' : `${pending.length} posts`;
  return approvers
    .filter((userId) => userId !== viewer.user.id)
    .map((userId) => ({
      id: ids.prefixed('ntf'),
      userId,
      kind: 'approval_needed',
      message: `${viewer.user.name} asks for your approval of ${posts}.`,
      postId: pending[0]!.after.databaseId,
    }));
}
