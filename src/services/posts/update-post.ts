import { editRefusal } from '../../domain/rules/edit-rights.js';
import type { ErrorCode, Refusal } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import type { Post } from '../../domain/posts/post.js';
import { readPostId } from '../../domain/posts/post-id.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { capRefusal } from '../changes/change-targets.js';
import {
  postTurn,
  refusedBy,
  runChange,
  type ChangeDependencies,
  type ChangeOutcome,
  type Plan,
} from '../changes/run-change.js';
import { restoreJob, restorePost } from '../changes/recorded-dates.js';
import { createUpdatePreview, type UpdatePreview } from './update-preview.js';
import { missingPostRefusal } from '../../domain/rules/edit-rights.js';
import { planUpdate } from './plan-update.js';

/** An update of one post. */
export interface UpdateRequest {
  /** As the client sent it; either kind of ID (D3). */
  readonly id: string;
  readonly patch: PostPatch;
  /** The version that the change is based on (If-Match, `expectedVersion`, D26). */
  readonly expectedVersion?: number;
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/** An updated post. */
export interface UpdatedPost {
  readonly kind: 'updated';
  readonly post: Post;
  readonly job: Job | null;
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

/** Reads the post and applies the rules (Update post; D21). */
async function plan(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  { id, expectedVersion, dryRun, patchOf }: PatchRequest,
): Promise<Plan<UpdatedPost>> {
  const post = await findEditable(dependencies, viewer, id);
  if ('code' in post) return { outcome: refusedBy(post) };
  if (expectedVersion !== undefined && expectedVersion !== post.version)
    return { outcome: refusedBy(conflict(expectedVersion, post.version)) };
  const patch = await patchOf(post);
  if (isRefusals(patch)) return { outcome: refusedBy(...patch) };
  const now = dependencies.clock.now();
  const update = await planUpdate(dependencies, viewer, post, { patch, now });
  if (update.kind === 'refused') return { outcome: refusedBy(...update.refusals) };
  const { after } = update;
  if (update.kind === 'unchanged') return { outcome: { kind: 'updated', post: after, job: null } };
  const { change, job } = update;
  const preview = dryRun
    ? createUpdatePreview({ store: dependencies.store, viewer }, post, update)
    : null;
  return {
    change,
    outcome: preview
      ? { kind: 'updated', post: preview.post, job: null, preview }
      : { kind: 'updated', post: after, job },
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
    patchOf: () => patch,
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
  const { id, operation, input, expectedVersion, idempotencyKey, dryRun } = request;
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
    input: { ...input, expectedVersion },
    idempotencyKey,
    dryRun,
    turn: postTurn(viewer, id),
    plan: () => plan(dependencies, viewer, request),
    isRecorded: (outcome) =>
      outcome.kind === 'updated' || outcome.refusals.every(({ code }) => RECORDED.has(code)),
    restore: ({ post, job }) => ({
      kind: 'updated',
      post: restorePost(post),
      job: job && restoreJob(job),
    }),
  });
}
