import { editRefusal } from '../../domain/rules/edit-rights.js';
import type { ErrorCode, Refusal } from '../../domain/errors.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import type { Post } from '../../domain/posts/post.js';
import { readPostId } from '../../domain/posts/post-id.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { createUpdatePreview } from './dry-run/update-preview.js';
import { runDry, runOnce, type CompleteRecord, type WorkResult } from './idempotency.js';
import type { KeyedMutex } from './keyed-mutex.js';
import { capRefusal } from './cap-refusal.js';
import { missingPostRefusal } from './missing-post.js';
import { planUpdate, type PlanDependencies } from './plan-update.js';
import type { Clock } from '../clock.js';
import type { IdempotencyStore } from './post-ports.js';
import type { UpdateOutcome, UpdateRequest } from './post-outcomes.js';
import { restoreJob, restorePost } from './recorded-dates.js';
import { retryOnConflict } from '../retry-on-conflict.js';

/** Dependencies of updates and deletions. */
export interface ChangeDependencies extends PlanDependencies {
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
}

/** Dependencies of updates. */
export interface UpdateDependencies extends ChangeDependencies {
  readonly withLock: KeyedMutex;
}

/** An update whose patch may depend on the post. */
export interface PatchRequest extends Omit<UpdateRequest, 'patch'> {
  /**
   * The operation, and its input apart from the post and the version, for the idempotency record.
   */
  readonly operation: 'update' | 'revert';
  readonly input: object;
  /** The patch for the post as it is now, or why there is none. */
  readonly patchOf: (post: Post) => PostPatch | Promise<PostPatch | readonly Refusal[]>;
}

const isRefusals = (patch: PostPatch | readonly Refusal[]): patch is readonly Refusal[] =>
  Array.isArray(patch);

/** Refusals that are recorded for an idempotency key: those of the rules (D27). */
const RECORDED: ReadonlySet<ErrorCode> = new Set([
  'RULE_VIOLATION',
  'APPROVAL_REQUIRED',
  'DAILY_LIMIT_EXCEEDED',
  'MEDIA_NOT_FOUND',
]);

type Decision = UpdateOutcome & { readonly recording?: 'recorded' };

const refusedBy = (refusals: readonly Refusal[]): Decision => ({
  kind: 'refused',
  refusals,
  replayed: false,
});

/**
 * Reads the post, applies the rules and saves; null if a concurrent change was saved first (Update
 * post; D21).
 */
async function attempt(
  dependencies: UpdateDependencies,
  viewer: Viewer,
  request: PatchRequest,
  complete?: CompleteRecord,
): Promise<Decision | null> {
  const { expectedVersion, dryRun } = request;
  const post = await findEditable(dependencies, viewer, request.id);
  if ('code' in post) return refusedBy([post]);
  if (expectedVersion !== undefined && expectedVersion !== post.version)
    return refusedBy([conflict(expectedVersion, post.version)]);
  const patch = await request.patchOf(post);
  if (isRefusals(patch)) return refusedBy(patch);
  const plan = await planUpdate(dependencies, viewer, post, {
    patch,
    now: dependencies.clock.now(),
  });
  if (plan.kind === 'refused') return refusedBy(plan.refusals);
  if (plan.kind === 'unchanged')
    return { kind: 'updated', post: plan.after, job: null, replayed: false };
  const updated = { kind: 'updated', post: plan.after, job: plan.job, replayed: false } as const;
  const saved = dryRun
    ? await dependencies.store.dryRun(plan.change)
    : await dependencies.store.save(plan.change, complete?.(updated));
  if (saved.kind === 'cap_exceeded') return refusedBy([capRefusal(saved.exceeded[0])]);
  if (saved.kind !== 'saved') return null;
  if (!dryRun) return { ...updated, recording: 'recorded' };
  const preview = createUpdatePreview({ store: dependencies.store, viewer }, post, plan);
  return { ...updated, post: preview.post, job: null, preview };
}

const updateUnderLock = (
  dependencies: UpdateDependencies,
  viewer: Viewer,
  request: PatchRequest,
  complete?: CompleteRecord,
): Promise<Decision> =>
  dependencies.withLock(`${viewer.workspace.id} ${request.id.toLowerCase()}`, () =>
    retryOnConflict(() => attempt(dependencies, viewer, request, complete)),
  );

const conflict = (expected: number, actual: number): Refusal => ({
  code: 'CONFLICT',
  message: `The post has version ${actual}, not the expected version ${expected}. Nothing was changed.`,
  path: ['expectedVersion'],
  rule: 'D26',
});

/** The post, or why this viewer cannot change it (D18, D19). */
async function findEditable(
  { store }: ChangeDependencies,
  viewer: Viewer,
  id: string,
): Promise<Post | Refusal> {
  const [lookup] = await store.findAll(viewer, [readPostId(id)]);
  return lookup?.kind === 'found'
    ? (editRefusal(lookup.post, viewer) ?? lookup.post)
    : missingPostRefusal(lookup?.kind ?? 'unknown');
}

const isRecorded = (outcome: UpdateOutcome): boolean =>
  outcome.kind === 'updated' || outcome.refusals.every(({ code }) => RECORDED.has(code));

/**
 * Updates one post, once per idempotency key (Update post; D20 to D29).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export const updatePost = (
  dependencies: UpdateDependencies,
  viewer: Viewer,
  { patch, ...request }: UpdateRequest,
): Promise<UpdateOutcome> =>
  patchPost(dependencies, viewer, {
    ...request,
    operation: 'update',
    input: { patch },
    patchOf: () => patch,
  });

/**
 * Updates one post with a patch that may depend on it, once per idempotency key.
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export async function patchPost(
  dependencies: UpdateDependencies,
  viewer: Viewer,
  request: PatchRequest,
): Promise<UpdateOutcome> {
  if (request.idempotencyKey === undefined)
    return withoutRecording(await updateUnderLock(dependencies, viewer, request));
  // Rights are checked again before the record is read (D27). Both kinds of ID are the same target.
  const post = await findEditable(dependencies, viewer, request.id);
  if ('code' in post) return refusedBy([post]);
  const { operation, input, expectedVersion, idempotencyKey: key } = request;
  const recordKey = {
    userId: viewer.user.id,
    workspaceId: viewer.workspace.id,
    operation,
    target: post.id,
    key,
  };
  const { idempotency } = dependencies;
  const keyed = { recordKey, input: { ...input, expectedVersion } };
  const decide = (complete?: CompleteRecord): Promise<Decision> =>
    updateUnderLock(dependencies, viewer, request, complete);
  const result = request.dryRun
    ? await runDry(idempotency, keyed, async () => withoutRecording(await decide()))
    : await runOnce(idempotency, keyed, async (complete): Promise<WorkResult<UpdateOutcome>> => {
        const decision = await decide(complete);
        const recording = decision.recording ?? (isRecorded(decision) ? 'record' : 'discard');
        return { outcome: withoutRecording(decision), recording };
      });
  if (result.kind === 'mismatch') return refusedBy([result.refusal]);
  return result.kind === 'replayed' ? toReplayed(result.outcome as UpdateOutcome) : result.outcome;
}

const withoutRecording = ({ recording: _recording, ...outcome }: Decision): UpdateOutcome =>
  outcome;

/** Restores a recorded outcome. */
const toReplayed = (outcome: UpdateOutcome): UpdateOutcome =>
  outcome.kind === 'refused'
    ? { ...outcome, replayed: true }
    : {
        kind: 'updated',
        post: restorePost(outcome.post),
        job: outcome.job && restoreJob(outcome.job),
        replayed: true,
      };
