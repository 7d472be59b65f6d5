import type { Viewer } from '../../../domain/access/viewer.js';
import { decideAction } from '../../../domain/actions/action-rights.js';
import type { PostAction } from '../../../domain/actions/post-actions.js';
import { slotOwners } from '../../../domain/caps/cap-slots.js';
import type { UpsertWrite } from '../../../domain/changes/change.js';
import type { ErrorCode, Refusal } from '../../../domain/errors.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import type { Post } from '../../../domain/posts/post.js';
import { readPostId } from '../../../domain/posts/post-id.js';
import { capRefusal } from '../cap-refusal.js';
import { runDry, runOnce, type CompleteRecord, type WorkResult } from '../idempotency.js';
import type { KeyedMutex } from '../keyed-mutex.js';
import { missingPostRefusal } from '../missing-post.js';
import type { ExceededCap } from '../post-ports.js';
import { restorePost } from '../recorded-dates.js';
import { retryOnConflict } from '../../retry-on-conflict.js';
import { toActionChange, writesOf } from './action-change.js';
import type { ActionInput, ActionOutcome, ActionRequest, PostResult } from './action-request.js';
import { PLANNERS } from './planners.js';
import {
  refusedPlan,
  type PlanContext,
  type PlanPost,
  type PostActionPlanner,
  type PostPlan,
} from './post-plan.js';
import type { ChangeDependencies } from '../update-post.js';

/** Dependencies of actions. */
export type ActionDependencies = ChangeDependencies &
  Pick<PlanContext, 'workspaceRecords' | 'postingSchedules'> & { readonly withLock: KeyedMutex };

/** One ID as sent, with what the action makes of its post. */
interface Target {
  readonly id: string;
  readonly plan: PostPlan;
}

type Decision = ActionOutcome & { readonly recording?: 'recorded' };

const ANOTHER_REFUSED: Refusal = {
  code: 'RULE_VIOLATION',
  message: 'Not performed, because another post was rejected and the policy is all_or_nothing.',
  path: [],
  rule: 'D31',
};

/** What the action makes of a post, or why this viewer cannot do it (D65). */
async function planPost(
  { viewer }: PlanContext,
  post: Post,
  {
    id,
    action,
    plan,
  }: { readonly id: string; readonly action: PostAction | null; readonly plan: PlanPost },
): Promise<PostPlan> {
  if (action === null) return plan(post, id);
  const decision = decideAction(action, post, viewer);
  if (decision.kind === 'refused') return refusedPlan(decision.refusal);
  return decision.kind === 'done' ? { kind: 'unchanged', post } : plan(post, id);
}

/** The distinct posts with their plans, each with the ID that came first (D30). */
async function planTargets(
  { store }: ActionDependencies,
  context: PlanContext,
  { ids, action }: ActionRequest,
): Promise<Target[]> {
  const planner: PostActionPlanner = PLANNERS[action.kind](action as never);
  const postIds = ids.map(readPostId);
  const lookups = await (planner.find?.(context, postIds) ??
    store.findAll(context.viewer, postIds));
  const keys = lookups.map((lookup, index) =>
    lookup.kind === 'found' ? lookup.post.id : ids[index]!.toLowerCase(),
  );
  const plan = await planner.prepare(
    context,
    lookups.flatMap((lookup) => (lookup.kind === 'found' ? [lookup.post] : [])),
  );
  const plans: PostPlan[] = [];
  const distinct = ids.filter((_, index) => keys.indexOf(keys[index]!) === index);
  for (const id of distinct) {
    const lookup = lookups[ids.indexOf(id)]!;
    plans.push(
      lookup.kind === 'found'
        ? await planPost(context, lookup.post, { id, action: planner.actionOn(lookup.post), plan })
        : refusedPlan(missingPostRefusal(lookup.kind)),
    );
  }
  const checked = (await planner.checkTogether?.(context, plans)) ?? plans;
  return distinct.map((id, index) => ({ id, plan: checked[index]! }));
}

const isRefused = ({ plan }: Target): boolean => plan.kind === 'refused';

/** The targets after the policy was applied: all are refused if one is, or only that one. */
function applyPolicy(
  targets: readonly Target[],
  policy: ActionRequest['policy'],
): readonly Target[] {
  return policy === 'all_or_nothing' && targets.some(isRefused)
    ? targets.map((target) =>
        isRefused(target) ? target : { ...target, plan: refusedPlan(ANOTHER_REFUSED) },
      )
    : targets;
}

/** The targets without those whose posts exceed a daily cap. */
function withCapRefusals(
  targets: readonly Target[],
  writes: readonly UpsertWrite[],
  exceeded: readonly ExceededCap[],
): readonly Target[] {
  const ownerOf = slotOwners(writes);
  const refusals = new Map<UpsertWrite | undefined, Refusal>();
  for (const cap of exceeded.toReversed()) refusals.set(ownerOf(cap), capRefusal(cap));
  return targets.map((target) => {
    if (target.plan.kind !== 'changed') return target;
    const write = target.plan.writes.find((candidate) => refusals.has(candidate));
    return write ? { ...target, plan: refusedPlan(refusals.get(write)!) } : target;
  });
}

const resultOf = ({ id, plan }: Target): PostResult =>
  plan.kind === 'refused'
    ? { id, post: null, refusals: plan.refusals }
    : { id, post: plan.post, refusals: [] };

const tooMany = (count: number): Decision => ({
  kind: 'refused',
  refusals: [
    {
      code: 'RULE_VIOLATION',
      message: `The call would create ${count} occurrences of series. It may create at most ${REQUEST_LIMITS.newPosts}.`,
      path: ['ids'],
      rule: 'D47',
    },
  ],
  replayed: false,
});

/** Reads the posts, plans and saves; null if a concurrent change was saved first. */
async function attempt(
  dependencies: ActionDependencies,
  viewer: Viewer,
  request: ActionRequest,
  complete?: CompleteRecord,
): Promise<Decision | null> {
  const { store, clock } = dependencies;
  const context: PlanContext = { ...dependencies, viewer, now: clock.now() };
  let targets: readonly Target[] = await planTargets(dependencies, context, request);
  for (;;) {
    targets = applyPolicy(targets, request.policy);
    const decision: Decision = { kind: 'done', results: targets.map(resultOf), replayed: false };
    const changes = targets.flatMap(({ plan }) => (plan.kind === 'changed' ? [plan] : []));
    if (changes.length === 0) return decision;
    const writes = writesOf(changes);
    const inserts = writes.filter(({ kind }) => kind === 'insert').length;
    if (inserts > REQUEST_LIMITS.newPosts) return tooMany(inserts);
    const change = await toActionChange(context, { changes, writes });
    const saved = request.dryRun
      ? await store.dryRun(change)
      : await store.save(change, complete?.(decision));
    if (saved.kind === 'saved') return { ...decision, recording: 'recorded' };
    // Posts of a queue get other times.
    if (saved.kind === 'conflict' || change.queueSlots.length > 0) return null;
    targets = withCapRefusals(targets, writes, saved.exceeded);
  }
}

/** Actions that take times of a queue wait for each other, instead of taking the same times. */
const inTurn = <T>(
  { withLock }: ActionDependencies,
  { workspace }: Viewer,
  action: ActionInput,
  task: () => Promise<T>,
): Promise<T> =>
  action.kind === 'schedule' && action.mode === 'add_to_queue'
    ? withLock(`queue ${workspace.id}`, task)
    : task();

const withoutRecording = ({ recording: _recording, ...decision }: Decision): ActionOutcome =>
  decision;

/** Refusals that depend on rights, or on a version, are never recorded (D27). */
const UNRECORDED: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN', 'CONFLICT', 'PUBLISHING']);

const isRecorded = (decision: Decision): boolean =>
  decision.kind === 'done' &&
  decision.results.every(({ refusals }) => refusals.every(({ code }) => !UNRECORDED.has(code)));

/**
 * Does something with posts in one transaction, once per idempotency key (D27, D31, D65).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export async function executeAction(
  dependencies: ActionDependencies,
  viewer: Viewer,
  request: ActionRequest,
): Promise<ActionOutcome> {
  const { ids, action, policy, dryRun, idempotencyKey: key } = request;
  const decide = (complete?: CompleteRecord): Promise<Decision> =>
    inTurn(dependencies, viewer, action, () =>
      retryOnConflict(() => attempt(dependencies, viewer, request, complete)),
    );
  // Rights are checked again before the record is read (D27): viewers may change nothing (D4).
  if (key === undefined || viewer.role === 'viewer') return withoutRecording(await decide());
  const recordKey = {
    userId: viewer.user.id,
    workspaceId: viewer.workspace.id,
    operation: action.kind,
    target: 'posts',
    key,
  };
  const { idempotency } = dependencies;
  const keyed = { recordKey, input: { ids, action, policy } };
  const result = dryRun
    ? await runDry(idempotency, keyed, async () => withoutRecording(await decide()))
    : await runOnce(idempotency, keyed, async (complete): Promise<WorkResult<ActionOutcome>> => {
        const decision = await decide(complete);
        const recording = decision.recording ?? (isRecorded(decision) ? 'record' : 'discard');
        return { outcome: withoutRecording(decision), recording };
      });
  if (result.kind === 'mismatch')
    return { kind: 'refused', refusals: [result.refusal], replayed: false };
  return result.kind === 'replayed'
    ? restoreOutcome(result.outcome as ActionOutcome)
    : result.outcome;
}

/** An outcome that was recorded as JSON. */
const restoreOutcome = (outcome: ActionOutcome): ActionOutcome =>
  outcome.kind === 'refused'
    ? { ...outcome, replayed: true }
    : {
        ...outcome,
        results: outcome.results.map((result) => ({
          ...result,
          post: result.post && restorePost(result.post),
        })),
        replayed: true,
      };
