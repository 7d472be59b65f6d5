import type { Viewer } from '../../../domain/access/viewer.js';
import type { Change } from '../../../domain/changes/change.js';
import type { Refusal } from '../../../domain/errors.js';
import type { Job } from '../../../domain/jobs/job.js';
import { createRemovalJob, toJobFailure, toRemovalWrites } from '../../removals/removal-job.js';
import { retryOnConflict } from '../../retry-on-conflict.js';
import { runDry, runOnce, type CompleteRecord, type WorkResult } from '../idempotency.js';
import type { DeleteOutcome, DeleteRequest, DeleteResult } from '../post-outcomes.js';
import { restoreJob } from '../recorded-dates.js';
import type { ChangeDependencies } from '../update-post.js';
import { readTargets, type DeletionTarget } from './deletion-targets.js';
import { planDeletion } from './plan-deletion.js';

const ANOTHER_REFUSED =
  'Not deleted, because another post cannot be deleted and the policy is all_or_nothing.';

const DELETED_BY_JOB = 'The job deletes the post as soon as its network no longer has it.';

function resultsOf(
  targets: readonly DeletionTarget[],
  policy: DeleteRequest['policy'],
): DeleteResult[] {
  const isStopped = policy === 'all_or_nothing' && targets.some((target) => target.refusal);
  return targets.map(({ id, refusal, isRemoved }) => {
    if (refusal) return { id, deleted: false, code: refusal.code, message: refusal.message };
    if (isStopped) return { id, deleted: false, code: 'RULE_VIOLATION', message: ANOTHER_REFUSED };
    return isRemoved
      ? { id, deleted: false, code: null, message: DELETED_BY_JOB }
      : { id, deleted: true, code: null, message: null };
  });
}

type Decision = DeleteOutcome & { readonly recording?: 'recorded' };

const refusedBy = (refusal: Refusal): DeleteOutcome => ({
  kind: 'refused',
  refusals: [refusal],
  replayed: false,
});

/** The refusal if a post that could be deleted has none of the expected versions (D26). */
function conflictOf(
  targets: readonly DeletionTarget[],
  expected: DeleteRequest['expectedVersions'],
): Refusal | null {
  const changed = targets.find(
    ({ post, refusal }) => post && !refusal && expected && !expected.includes(post.version),
  );
  return changed
    ? {
        code: 'CONFLICT',
        message: `The post ${changed.id} has version ${changed.post!.version}, which was not expected. Nothing was deleted.`,
        path: ['expectedVersions'],
        rule: 'D26',
      }
    : null;
}

/** The job of a deletion on networks (D62). Posts that no network has are deleted at once. */
function planRemovals(
  { ids, clock }: ChangeDependencies,
  accepted: readonly DeletionTarget[],
  results: readonly DeleteResult[],
): { job: Job } & Pick<Change, 'jobs' | 'removals'> {
  const requested = accepted.map(({ id: sentId, post, isRemoved }) => ({
    databaseId: post!.databaseId,
    sentId,
    step: isRemoved ? ('remove' as const) : ('ended' as const),
  }));
  const failures = results.flatMap(({ id, code, message }) =>
    code === null ? [] : [toJobFailure(id, { code, message: message! })],
  );
  const isOpen = accepted.some(({ isRemoved }) => isRemoved);
  const job = createRemovalJob(ids, { isOpen, at: clock.now(), failures });
  return {
    job,
    jobs: [{ ...job, postVersion: null }],
    removals: toRemovalWrites(job.id, requested, { deletesPosts: true }),
  };
}

/**
 * Reads the posts, applies the rules and saves; null if a concurrent change was saved first (Delete
 * posts).
 */
async function attempt(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: DeleteRequest,
  complete?: CompleteRecord,
): Promise<Decision | null> {
  const { policy, expectedVersions, dryRun, onNetwork } = request;
  const targets = await readTargets(dependencies, viewer, request);
  const conflict = conflictOf(targets, expectedVersions);
  if (conflict) return refusedBy(conflict);
  const results = resultsOf(targets, policy);
  const accepted = targets.filter((_, index) => results[index]!.code === null);
  if (accepted.length === 0) return { kind: 'done', results, job: null, replayed: false };
  const deleted = accepted.filter(({ isRemoved }) => !isRemoved).map(({ post }) => post!);
  const { job = null, ...removals } = onNetwork
    ? planRemovals(dependencies, accepted, results)
    : {};
  const change = { ...(await planDeletion(dependencies, viewer, deleted)), ...removals };
  const decision: Decision = { kind: 'done', results, job: dryRun ? null : job, replayed: false };
  const saved = dryRun
    ? await dependencies.store.dryRun(change)
    : await dependencies.store.save(change, complete?.(decision));
  return saved.kind === 'saved' ? { ...decision, recording: 'recorded' } : null;
}

const withoutRecording = ({ recording: _recording, ...decision }: Decision): DeleteOutcome =>
  decision;

/**
 * Deletes posts, once per idempotency key (Delete posts; D27, D30, D31).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export async function deletePosts(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: DeleteRequest,
): Promise<DeleteOutcome> {
  // Rights are checked again before the record is read (D27): viewers cannot delete (D4), so they
  // get no replay either.
  const { ids, policy, expectedVersions, onNetwork, idempotencyKey: key } = request;
  const decide = (complete?: CompleteRecord): Promise<Decision> =>
    retryOnConflict(() => attempt(dependencies, viewer, request, complete));
  if (key === undefined || viewer.role === 'viewer') return withoutRecording(await decide());
  const recordKey = {
    userId: viewer.user.id,
    workspaceId: viewer.workspace.id,
    operation: 'delete' as const,
    target: 'posts',
    key,
  };
  const { idempotency } = dependencies;
  const keyed = {
    recordKey,
    input: { ids, policy, expectedVersions, ...(onNetwork && { onNetwork }) },
  };
  const result = request.dryRun
    ? await runDry(idempotency, keyed, async () => withoutRecording(await decide()))
    : await runOnce(idempotency, keyed, async (complete): Promise<WorkResult<DeleteOutcome>> => {
        const decision = await decide(complete);
        const recording = decision.recording ?? (isRecorded(decision) ? 'record' : 'discard');
        return { outcome: withoutRecording(decision), recording };
      });
  if (result.kind === 'mismatch') return refusedBy(result.refusal);
  return result.kind === 'replayed'
    ? restoreOutcome(result.outcome as DeleteOutcome)
    : result.outcome;
}

/** An outcome that was recorded as JSON. */
const restoreOutcome = (outcome: DeleteOutcome): DeleteOutcome =>
  outcome.kind === 'refused'
    ? { ...outcome, replayed: true }
    : { ...outcome, job: outcome.job ? restoreJob(outcome.job) : null, replayed: true };

/**
 * If nothing is deleted, v1 responds with 403 or 412, which are never recorded, or with 422, which
 * is (D27, D31).
 */
const isRecorded = (decision: Decision): boolean =>
  decision.kind === 'done' && decision.results.every(({ code }) => code === 'POST_NOT_FOUND');
