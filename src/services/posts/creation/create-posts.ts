import type { Viewer } from '../../../domain/access/viewer.js';
import { slotOwners } from '../../../domain/caps/cap-slots.js';
import type { Change, InsertWrite } from '../../../domain/changes/change.js';
import type { Refusal } from '../../../domain/errors.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import { toPostState } from '../../../domain/posts/states.js';
import { capRefusal } from '../cap-refusal.js';
import { runDry, runOnce, type CompleteRecord, type WorkResult } from '../idempotency.js';
import type { KeyedMutex } from '../keyed-mutex.js';
import type { ExceededCap } from '../post-ports.js';
import { MAX_QUEUE_ATTEMPTS, retryOnConflict } from '../../retry-on-conflict.js';
import type { ChangeDependencies } from '../update-post.js';
import {
  createCreationChange,
  createPostsOf,
  insertsOf,
  type CreatedTarget,
} from './creation-change.js';
import { creationJob, creationReport } from './creation-job.js';
import type { CreateOutcome, CreateRequest, CreateResult } from './creation-request.js';
import {
  planCreation,
  type CreationPlan,
  type CreationPlanDependencies,
  type PlannedTarget,
} from './plan-creation.js';
import { restoreOutcome } from './recorded-creation.js';

/** Dependencies of creations. */
export type CreateDependencies = ChangeDependencies &
  Pick<CreationPlanDependencies, 'workspaceRecords' | 'postingSchedules'>;

type LockedDependencies = CreateDependencies & { readonly withLock: KeyedMutex };

const { newPosts: MAX_NEW_POSTS } = REQUEST_LIMITS;

type Decision = CreateOutcome & { readonly recording?: 'recorded' };
type DoneOutcome = Extract<CreateOutcome, { kind: 'done' }>;

const refusedBy = (...refusals: readonly Refusal[]): CreateOutcome => ({
  kind: 'refused',
  refusals,
  replayed: false,
});

const NO_RIGHT: Refusal = {
  code: 'FORBIDDEN',
  message: 'Your role in this workspace is viewer. Viewers cannot create posts.',
  path: [],
  rule: 'D48',
};

const ANOTHER_REFUSED: Refusal = {
  code: 'RULE_VIOLATION',
  message: 'Not created, because another post was rejected and the policy is all_or_nothing.',
  path: [],
  rule: 'D47',
};

const tooMany = (count: number): Refusal => ({
  code: 'RULE_VIOLATION',
  message: `The call would create ${count} posts, the occurrences of series included. It may create at most ${MAX_NEW_POSTS}.`,
  path: ['targets'],
  rule: 'D47',
});

/** The targets after the policy was applied: all are refused if one is, or only that one. */
function applyPolicy(
  targets: readonly PlannedTarget[],
  policy: CreateRequest['policy'],
): readonly PlannedTarget[] {
  const isStopped = policy === 'all_or_nothing' && targets.some(isRefused);
  return isStopped
    ? targets.map((target) =>
        isRefused(target) ? target : { ...target, refusals: [ANOTHER_REFUSED] },
      )
    : targets;
}

const isRefused = ({ refusals }: PlannedTarget): boolean => refusals.length > 0;

/** The targets without those whose posts exceed a daily cap. */
function withCapRefusals(
  { targets, accepted, created }: Step,
  writes: readonly InsertWrite[],
  exceeded: readonly ExceededCap[],
): readonly PlannedTarget[] {
  const ownerOf = slotOwners(writes);
  const refusals = new Map<PlannedTarget, Refusal>();
  for (const cap of exceeded) {
    const id = ownerOf(cap)?.after.id;
    const index = created.findIndex(({ post, children }) =>
      [post, ...children].some((one) => one.id === id),
    );
    const target = accepted[index];
    if (!target || refusals.has(target)) continue;
    const path =
      target.accountId === null
        ? ['scheduledAt']
        : ['targets', String(target.index), 'scheduledAt'];
    refusals.set(target, { ...capRefusal(cap), path });
  }
  return targets.map((target) => {
    const refusal = refusals.get(target);
    return refusal ? { ...target, refusals: [refusal] } : target;
  });
}

interface Step {
  readonly targets: readonly PlannedTarget[];
  readonly accepted: readonly PlannedTarget[];
  readonly created: readonly CreatedTarget[];
}

function resultsOf({ targets, accepted, created }: Step, dryRun: boolean): CreateResult[] {
  const createdOf = new Map(accepted.map((target, index) => [target, created[index]!]));
  return targets.map((target) => {
    const { item, index, accountId, network, refusals, warnings } = target;
    const post = createdOf.get(target)?.post ?? null;
    return {
      item,
      index,
      accountId,
      network,
      post: dryRun ? null : post,
      state: post && toPostState(post.storedState),
      scheduledAt: post?.scheduledAt ?? null,
      refusals,
      warnings: post ? warnings : [],
    };
  });
}

/** Plans and saves; null if a concurrent change was saved first. */
async function attempt(
  dependencies: CreateDependencies,
  viewer: Viewer,
  request: CreateRequest,
  complete?: CompleteRecord,
): Promise<Decision | null> {
  const plan = await planCreation(dependencies, viewer, request);
  if (request.unusedVariants === 'refuse' && plan.unusedVariants.length > 0)
    return refusedBy(...plan.unusedVariants.map(({ refusal }) => refusal));
  let { targets } = plan;
  for (;;) {
    targets = applyPolicy(targets, request.policy);
    const accepted = targets.filter((target) => !isRefused(target));
    const created = createPostsOf(dependencies, viewer, {
      plans: accepted.map((target) => target.plan!),
      databaseIds: plan.databaseIds,
    });
    const step = { targets, accepted, created };
    const writes = insertsOf(viewer, step.created);
    if (writes.length > MAX_NEW_POSTS) return refusedBy(tooMany(writes.length));
    const now = dependencies.clock.now();
    const outcome = outcomeOf(plan, step, request);
    const job = creationJob(dependencies.ids, request, { outcome, now });
    const decision = { ...outcome, job };
    if (writes.length === 0 && job === null) return decision;
    const change = await createCreationChange(dependencies, viewer, { plan, writes, job, now });
    const saved = await save(dependencies, change, { request, record: complete?.(decision) });
    if (saved.kind === 'saved') return { ...decision, recording: 'recorded' };
    // Posts of a queue get other times.
    if (saved.kind === 'conflict' || change.queueSlots.length > 0) return null;
    targets = withCapRefusals(step, writes, saved.exceeded);
  }
}

const save = (
  { store }: CreateDependencies,
  change: Change,
  { request, record }: { request: CreateRequest; record: ReturnType<CompleteRecord> | undefined },
) => (request.dryRun ? store.dryRun(change) : store.save(change, record));

function outcomeOf(plan: CreationPlan, step: Step, request: CreateRequest): DoneOutcome {
  const results = resultsOf(step, request.dryRun);
  const report = creationReport(request, results, plan.unusedVariants);
  return {
    kind: 'done',
    groupIds: plan.groupIds,
    results,
    report,
    job: null,
    replayed: false,
  };
}

/** Creations that take times of a queue wait for each other, instead of taking the same times. */
const untilSaved = <T>(
  { withLock }: LockedDependencies,
  { workspace }: Viewer,
  { items }: CreateRequest,
  task: () => Promise<T | null>,
): Promise<T> =>
  items.some(({ mode }) => mode === 'add_to_queue')
    ? withLock(`queue ${workspace.id}`, () => retryOnConflict(task, MAX_QUEUE_ATTEMPTS))
    : retryOnConflict(task);

const withoutRecording = ({ recording: _recording, ...outcome }: Decision): CreateOutcome =>
  outcome;

/**
 * Creates posts in one transaction, once per idempotency key (D47, D48).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export async function executeCreation(
  dependencies: LockedDependencies,
  viewer: Viewer,
  request: CreateRequest,
): Promise<CreateOutcome> {
  if (viewer.role === 'viewer') return refusedBy(NO_RIGHT);
  const { idempotencyKey: key, items, policy, duplicates } = request;
  const decide = (complete?: CompleteRecord): Promise<Decision> =>
    untilSaved(dependencies, viewer, request, () =>
      attempt(dependencies, viewer, request, complete),
    );
  if (key === undefined) return withoutRecording(await decide());
  const recordKey = {
    userId: viewer.user.id,
    workspaceId: viewer.workspace.id,
    operation: 'create' as const,
    target: 'posts',
    key,
  };
  const { idempotency } = dependencies;
  const input = {
    items: items.map(({ variants, ...item }) => ({ ...item, variants: [...variants] })),
    policy,
    duplicates,
  };
  const result = request.dryRun
    ? await runDry(idempotency, { recordKey, input }, async () => withoutRecording(await decide()))
    : await runOnce(
        idempotency,
        { recordKey, input },
        async (complete): Promise<WorkResult<CreateOutcome>> => {
          const decision = await decide(complete);
          return { outcome: withoutRecording(decision), recording: decision.recording ?? 'record' };
        },
      );
  if (result.kind === 'mismatch') return refusedBy(result.refusal);
  return result.kind === 'replayed'
    ? restoreOutcome(result.outcome as CreateOutcome)
    : result.outcome;
}
