import { editRefusal, missingPostRefusal } from '../../domain/rules/edit-rules.js';
import type { ErrorCode, Refusal } from '../../domain/errors.js';
import type { OccurrenceChanges } from '../../domain/calendar/occurrence-dates.js';
import type { Job } from '../../domain/jobs/job.js';
import type { DuplicateReaction } from '../../domain/creation/creation-modes.js';
import type { PostPatch } from '../../domain/posts/post-fields.js';
import { type Post, readPostId } from '../../domain/posts/post.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { capRefusal } from '../changes/plan-change.js';
import {
  postTurn,
  refusedBy,
  runChange,
  type ChangeDependencies,
  type ChangeOutcome,
  type Plan,
  restoreJob,
  restoreOccurrences,
  restorePost,
} from '../changes/run-change.js';
import { createUpdatePreview, type UpdatePreview } from './update-preview.js';
import { planUpdate, type PlannedPatch } from './plan-update.js';

/** An update of one post. */
export interface UpdateRequest {
  /** As the client sent it; either kind of ID (D3). */
  readonly id: string;
  readonly patch: PostPatch;
  /** The version that the change is based on (If-Match, `expectedVersion`, D26). */
  readonly expectedVersion?: number;
  /** What becomes of a post with the content of another one within 24 hours (D49). */
  readonly duplicates: DuplicateReaction;
  readonly idempotencyKey?: string;
  /** Whether the key was derived from the call instead of sent (D93). */
  readonly isKeyDerived?: boolean;
  readonly dryRun: boolean;
}

/** An updated post. */
export interface UpdatedPost {
  readonly kind: 'updated';
  readonly post: Post;
  readonly job: Job | null;
  /** What the update does to the occurrences of a series; null for other posts. */
  readonly series: OccurrenceChanges | null;
  /** ID of a post with the same content within 24 hours; null if there is none (D49). */
  readonly duplicateOf: string | null;
  /** Of a dry run that would change the post. */
  readonly preview?: UpdatePreview;
}

/**
 * Outcome of an update. The order of refusals (D21): POST_NOT_FOUND, FORBIDDEN, CONFLICT, then the
 * rules, one entry for each refused field.
 */
export type UpdateOutcome = ChangeOutcome<UpdatedPost>;

/** An update whose patch may depend on the post. */
export interface PatchRequest extends Omit<UpdateRequest, 'patch'> {
  /**
   * The operation, and its input apart from the post and the version, for the idempotency record.
   */
  readonly operation: 'update' | 'revert';
  readonly input: object;
  /** The patch for the post as it is now, or why there is none. */
  readonly patchOf: (post: Post) => PlannedPatch | Promise<PlannedPatch | readonly Refusal[]>;
  /** Adds to the refusals of a patch what the client can do. */
  readonly explain?: (refusals: readonly Refusal[], patch: PostPatch) => readonly Refusal[];
}

const isRefusals = (patch: PlannedPatch | readonly Refusal[]): patch is readonly Refusal[] =>
  Array.isArray(patch);

/** Refusals that are recorded for an idempotency key: those of the rules (D27). */
const RECORDED: ReadonlySet<ErrorCode> = new Set([
  'RULE_VIOLATION',
  'APPROVAL_REQUIRED',
  'DAILY_LIMIT_EXCEEDED',
  'MEDIA_NOT_FOUND',
  'DUPLICATE_CONTENT',
  'NO_FREE_SLOT',
]);

/** What an update without an effect does to other posts. */
const UNCHANGED = { series: null, duplicateOf: null } as const;

/** Reads the post and applies the rules (Update post; D21). */
async function plan(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  { id, expectedVersion, duplicates, dryRun, patchOf, explain }: PatchRequest,
): Promise<Plan<UpdatedPost>> {
  const post = await findEditable(dependencies, viewer, id);
  if ('code' in post) return { outcome: refusedBy(post) };
  if (expectedVersion !== undefined && expectedVersion !== post.version)
    return { outcome: refusedBy(conflict(expectedVersion, post.version)) };
  const patch = await patchOf(post);
  if (isRefusals(patch)) return { outcome: refusedBy(...patch) };
  const now = dependencies.clock.now();
  const update = await planUpdate(dependencies, viewer, post, { ...patch, duplicates, now });
  if (update.kind === 'refused')
    return {
      outcome: refusedBy(...(explain?.(update.refusals, patch.patch) ?? update.refusals)),
    };
  const { after } = update;
  if (update.kind === 'unchanged')
    return { outcome: { kind: 'updated', post: after, job: null, ...UNCHANGED } };
  const { change, job, series, duplicateOf } = update;
  const preview = dryRun
    ? createUpdatePreview({ store: dependencies.store, viewer }, post, update)
    : null;
  return {
    change,
    outcome: preview
      ? { kind: 'updated', post: preview.post, job: null, series, duplicateOf, preview }
      : { kind: 'updated', post: after, job, series, duplicateOf },
    withoutExceeded: ([cap]) => ({ outcome: refusedBy(capRefusal(cap)) }),
  };
}

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

/**
 * Updates one post, once per idempotency key (Update post; D20 to D29).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export const updatePost = (
  dependencies: ChangeDependencies,
  viewer: Viewer,
  { patch, ...request }: UpdateRequest,
): Promise<UpdateOutcome> =>
  patchPost(dependencies, viewer, {
    ...request,
    operation: 'update',
    input: { patch },
    patchOf: () => ({ patch, takesSlot: false }),
  });

/**
 * Updates one post with a patch that may depend on it, once per idempotency key.
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export async function patchPost(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: PatchRequest,
): Promise<UpdateOutcome> {
  const { id, operation, input, expectedVersion, duplicates, dryRun } = request;
  const { idempotencyKey, isKeyDerived } = request;
  let target = id;
  if (idempotencyKey !== undefined) {
    // Rights are checked again before the record is read (D27). Both kinds of ID are one target.
    const post = await findEditable(dependencies, viewer, id);
    if ('code' in post) return { ...refusedBy(post), replayed: false };
    target = post.id;
  }
  return runChange(dependencies.runner, viewer, {
    operation,
    target,
    input: { ...input, expectedVersion, ...(duplicates === 'allow' && { duplicates }) },
    idempotencyKey,
    isKeyDerived,
    dryRun,
    turn: postTurn(viewer, id),
    plan: () => plan(dependencies, viewer, request),
    isRecorded: (outcome) =>
      outcome.kind === 'updated' || outcome.refusals.every(({ code }) => RECORDED.has(code)),
    restore: ({ post, job, series, duplicateOf }) => ({
      kind: 'updated',
      post: restorePost(post),
      job: job && restoreJob(job),
      series: restoreOccurrences(series),
      // An outcome of an earlier release has no duplicate.
      duplicateOf: duplicateOf ?? null,
    }),
  });
}
