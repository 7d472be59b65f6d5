import type { Viewer } from '../../../domain/access/viewer.js';
import type { ErrorCode } from '../../../domain/errors.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import { runDry, runOnce, type CompleteRecord, type WorkResult } from '../idempotency.js';
import type { KeyedMutex } from '../keyed-mutex.js';
import { restoreJob, restorePost } from '../recorded-dates.js';
import { MAX_QUEUE_ATTEMPTS, retryOnConflict } from '../../retry-on-conflict.js';
import { toActionChange, writesOf } from './action-change.js';
import { actionJob, removalsOf } from './action-job.js';
import type { ActionInput, ActionOutcome, ActionRequest } from './action-request.js';
import {
  applyPolicy,
  planTargets,
  resultOf,
  withCapRefusals,
  type ActionTarget,
} from './plan-targets.js';
import type { PlanContext } from './post-plan.js';
import type { ChangeDependencies } from '../update-post.js';

/** Dependencies of actions. */
export type ActionDependencies = ChangeDependencies &
  Pick<PlanContext, 'workspaceRecords' | 'postingSchedules'> & { readonly withLock: KeyedMutex };

type Decision = ActionOutcome & { readonly recording?: 'recorded' };

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
  let targets: readonly ActionTarget[] = await planTargets(context, request);
  for (;;) {
    targets = applyPolicy(targets, request.policy);
    const job = actionJob(context, request, targets);
    const results = targets.map(resultOf);
    const decision: Decision = { kind: 'done', results, job, replayed: false };
    const changes = targets.flatMap(({ plan }) => (plan.kind === 'changed' ? [plan] : []));
    if (changes.length === 0 && job === null) return decision;
    const writes = writesOf(changes);
    const inserts = writes.filter(({ kind }) => kind === 'insert').length;
    if (inserts > REQUEST_LIMITS.newPosts) return tooMany(inserts);
    const removals = removalsOf(request, job, targets);
    const change = await toActionChange(context, { changes, writes, job, removals });
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
const untilSaved = <T>(
  { withLock }: ActionDependencies,
  { workspace }: Viewer,
  action: ActionInput,
  task: () => Promise<T | null>,
): Promise<T> =>
  action.kind === 'schedule' && action.mode === 'add_to_queue'
    ? withLock(`queue ${workspace.id}`, () => retryOnConflict(task, MAX_QUEUE_ATTEMPTS))
    : retryOnConflict(task);

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
  const { ids, expectedVersions, action, policy, dryRun, idempotencyKey: key } = request;
  const decide = (complete?: CompleteRecord): Promise<Decision> =>
    untilSaved(dependencies, viewer, action, () =>
      attempt(dependencies, viewer, request, complete),
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
  const keyed = { recordKey, input: { ids, expectedVersions, action, policy } };
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
        job: outcome.job && restoreJob(outcome.job),
        replayed: true,
      };
