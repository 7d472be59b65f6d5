import { type Viewer, toActor } from '../../../domain/access/viewer.js';
import { decideAction, type PostAction } from '../../../domain/actions/post-actions.js';
import { capReservations, queueSlotsOf } from '../../../domain/caps/daily-caps.js';
import {
  EMPTY_CHANGE,
  type Change,
  type RemovalWrite,
  type UpsertWrite,
} from '../../../domain/changes/change.js';
import type { ErrorCode, Refusal } from '../../../domain/errors.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import type { Job } from '../../../domain/jobs/job.js';
import { readPostId, type Post } from '../../../domain/posts/post.js';
import {
  approvalNotifications,
  isRefused,
  planTargets,
  type ChangeTarget,
} from '../../changes/plan-change.js';
import {
  restoreJob,
  restoreOccurrences,
  restorePost,
  queueTurn,
  refusedBy,
  runChange,
  type Plan,
  type ChangeDependencies,
} from '../../changes/run-change.js';
import { createPostsJob, entryFailures } from '../../jobs/posts-job.js';
import { createRemovalJob, toJobFailure, toRemovalWrites } from '../../removals/removal-job.js';
import { missingPostRefusal } from '../../../domain/rules/edit-rules.js';
import type {
  ActedPosts,
  ActionInput,
  ActionOutcome,
  ActionRequest,
  PostResult,
} from './action-request.js';
import { PLANNERS } from './planners.js';
import {
  refusedPlan,
  type PlanContext,
  type PlanPost,
  type PostActionPlanner,
  type PostChange,
  type PostPlan,
} from './post-plan.js';

/** One ID as sent, with what the action makes of its post. */
interface ActionTarget extends ChangeTarget {
  readonly id: string;
  /** Index of the ID in the request. */
  readonly index: number;
  /** Null if the post was refused when it was planned. */
  readonly plan: Exclude<PostPlan, { kind: 'refused' }> | null;
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

const tooMany = (count: number): Refusal => ({
  code: 'RULE_VIOLATION',
  message: `The call would create ${count} occurrences of series. It may create at most ${REQUEST_LIMITS.newPosts}.`,
  path: ['ids'],
  rule: 'D47',
});

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
async function readTargets(
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
  return indexes.map((index, place) => {
    const plan = checked[place]!;
    return plan.kind === 'refused'
      ? { id: ids[index]!, index, plan: null, refusals: plan.refusals }
      : { id: ids[index]!, index, plan, refusals: [] };
  });
}

/** What the action does with a target; null if it was refused, or already is so. */
const changeOf = (target: ActionTarget): PostChange | null =>
  !isRefused(target) && target.plan?.kind === 'changed' ? target.plan : null;

/** What clients learn about a target. */
const resultOf = (target: ActionTarget): PostResult => ({
  id: target.id,
  post: isRefused(target) ? null : target.plan!.post,
  series: changeOf(target)?.series ?? null,
  refusals: target.refusals,
});

/**
 * The writes of all posts, one for each row: a series and its occurrence may write the same one.
 */
function writesOf(changes: readonly PostChange[]): UpsertWrite[] {
  const written = new Set<string>();
  return changes
    .flatMap(({ writes }) => writes)
    .filter(({ after: { id } }) => !written.has(id) && written.add(id));
}

/** Whether the action publishes posts at once. */
const isSharing = (action: ActionInput): boolean =>
  action.kind === 'retry' || (action.kind === 'schedule' && action.mode === 'share_now');

/** The job that removes posts from their networks (D62); null if none has to be removed. */
function removalJob({ ids, now }: PlanContext, targets: readonly ActionTarget[]): Job | null {
  if (!targets.some(changeOf)) return null;
  const failures = targets.flatMap(({ id, refusals: [refusal] }) =>
    refusal ? [toJobFailure(id, refusal)] : [],
  );
  return createRemovalJob(ids, { isOpen: true, at: now, failures });
}

/**
 * The job that ends when the posts of an action are published (D51), as that of posts that are
 * created and shared now, or removed from their networks. Null if neither is done.
 */
function actionJob(
  context: PlanContext,
  { action, dryRun }: Pick<ActionRequest, 'action' | 'dryRun'>,
  targets: readonly ActionTarget[],
): Job | null {
  if (dryRun) return null;
  if (action.kind === 'unpublish') return removalJob(context, targets);
  if (!isSharing(action)) return null;
  const posts = targets.flatMap((target) =>
    isRefused(target) ? [] : [{ index: target.index, databaseId: target.plan!.post.databaseId }],
  );
  if (posts.length === 0) return null;
  const report = { list: 'ids', failures: entryFailures('ids', targets), warnings: [] } as const;
  const { ids, now } = context;
  return createPostsJob(ids, { kind: 'share', isShared: true, report, posts, now });
}

/** The posts of an action that its job removes from their networks (D62). */
function removalsOf(
  { action }: ActionRequest,
  job: Job | null,
  targets: readonly ActionTarget[],
): RemovalWrite[] {
  if (action.kind !== 'unpublish' || job === null) return [];
  const requested = targets.flatMap((target) => {
    const change = changeOf(target);
    return change
      ? [{ databaseId: change.post.databaseId, sentId: target.id, step: 'remove' as const }]
      : [];
  });
  return toRemovalWrites(job.id, requested, { deletesPosts: false });
}

/** Plans what the action makes of its posts. */
async function plan(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: ActionRequest,
): Promise<Plan<ActedPosts>> {
  const now = dependencies.clock.now();
  const context: PlanContext = { ...dependencies, viewer, now };
  return planTargets(await readTargets(context, request), {
    policy: request.policy,
    otherRefused: ANOTHER_REFUSED,
    async plan(targets) {
      const job = actionJob(context, request, targets);
      const outcome = { kind: 'done', results: targets.map(resultOf), job } as const;
      const changes = targets.flatMap((target) => changeOf(target) ?? []);
      if (changes.length === 0 && job === null) return { outcome };
      const writes = writesOf(changes);
      const inserts = writes.filter(({ kind }) => kind === 'insert').length;
      if (inserts > REQUEST_LIMITS.newPosts) return { outcome: refusedBy(tooMany(inserts)) };
      const change: Change = {
        ...EMPTY_CHANGE,
        workspaceId: viewer.workspace.id,
        actor: toActor(viewer),
        at: now,
        posts: writes,
        jobs: job ? [{ ...job, postVersion: null }] : [],
        removals: removalsOf(request, job, targets),
        requiredSeries: [...new Set(changes.flatMap(({ requiredSeries = [] }) => requiredSeries))],
        publications: changes.flatMap(({ publications = [] }) => publications),
        notifications: [
          ...(await approvalNotifications(context, viewer, writes)),
          ...changes.flatMap(({ notifications = [] }) => notifications),
        ],
        capReservations: capReservations(writes, viewer.workspace.plan),
        queueSlots: queueSlotsOf(writes),
      };
      return { change, outcome, writesOf: (target) => changeOf(target)?.writes ?? [] };
    },
  });
}

/** Refusals that depend on rights, or on a version, are never recorded (D27). */
const UNRECORDED: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN', 'CONFLICT', 'PUBLISHING']);

/**
 * Does something with posts in one transaction, once per idempotency key (D27, D31, D65).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export function actOnPosts(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: ActionRequest,
): Promise<ActionOutcome> {
  const { ids, expectedVersions, action, policy, dryRun, idempotencyKey } = request;
  const takesSlots = action.kind === 'schedule' && action.mode === 'add_to_queue';
  return runChange<ActedPosts>(dependencies.runner, viewer, {
    operation: action.kind,
    target: 'posts',
    input: { ids, expectedVersions, action, policy },
    idempotencyKey,
    dryRun,
    turn: takesSlots ? queueTurn(viewer) : undefined,
    plan: () => plan(dependencies, viewer, request),
    isRecorded: (outcome) =>
      outcome.kind === 'done' &&
      outcome.results.every(({ refusals }) => refusals.every(({ code }) => !UNRECORDED.has(code))),
    restore: (recorded) => ({
      ...recorded,
      results: recorded.results.map((result) => ({
        ...result,
        post: result.post && restorePost(result.post),
        series: restoreOccurrences(result.series),
      })),
      job: recorded.job && restoreJob(recorded.job),
    }),
  });
}
