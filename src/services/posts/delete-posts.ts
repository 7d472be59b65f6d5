import { EMPTY_CHANGE, type Change, type PostWrite } from '../../domain/changes/change.js';
import { toActor } from '../../domain/events/actor.js';
import { deletability } from '../../domain/rules/delete-rules.js';
import { isOnNetwork, removalRefusal } from '../../domain/rules/removal-rules.js';
import type { Refusal } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import type { Post } from '../../domain/posts/post.js';
import { readPostId } from '../../domain/posts/post-id.js';
import type { PostWith } from '../../domain/posts/post-query.js';
import { isPending } from '../../domain/posts/states.js';
import type { Viewer } from '../../domain/access/viewer.js';
import { runDry, runOnce, type CompleteRecord, type WorkResult } from './idempotency.js';
import { missingPostRefusal } from './missing-post.js';
import { createRemovalJob, toJobFailure, toRemovalWrites } from '../removals/removal-job.js';
import { restoreJob } from './recorded-dates.js';
import type { DeleteOutcome, DeleteRequest, DeleteResult } from './post-outcomes.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import type { ChangeDependencies } from './update-post.js';

/** The fields that a deletion reads: for the rules, and for the notification of the creator. */
const FIELDS = [
  'version',
  'queuedAt',
  'armedAt',
  'reminder',
  'hasQueuedChild',
  'text',
  'account',
  'remoteId',
] as const satisfies readonly (keyof Post)[];
type DeletablePost = PostWith<(typeof FIELDS)[number]>;

/** One ID as sent, with its post or refusal. */
interface Target {
  readonly id: string;
  readonly post: DeletablePost | null;
  readonly refusal: Refusal | null;
  /** Whether the post has to be removed from its network first. */
  readonly isRemoved: boolean;
}

/** The distinct posts, each with the ID that came first (D30). */
async function targetsOf(
  { store }: ChangeDependencies,
  viewer: Viewer,
  { ids, onNetwork }: DeleteRequest,
): Promise<Target[]> {
  const lookups = await store.findEach(viewer, ids.map(readPostId), FIELDS);
  const targets = ids.map((id, index): Target => {
    const lookup = lookups[index]!;
    if (lookup.kind !== 'found')
      return { id, post: null, refusal: missingPostRefusal(lookup.kind), isRemoved: false };
    const { post } = lookup;
    const isRemoved = onNetwork && isOnNetwork(post.storedState);
    const refusal = deletability(post, viewer) ?? (isRemoved ? removalRefusal(post) : null);
    return { id, post, refusal, isRemoved };
  });
  const keys = targets.map(({ id, post }) => post?.id ?? id.toLowerCase());
  return targets.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

const ANOTHER_REFUSED =
  'Not deleted, because another post cannot be deleted and the policy is all_or_nothing.';

const DELETED_BY_JOB = 'The job deletes the post as soon as its network no longer has it.';

function resultsOf(targets: readonly Target[], policy: DeleteRequest['policy']): DeleteResult[] {
  const isStopped = policy === 'all_or_nothing' && targets.some((target) => target.refusal);
  return targets.map(({ id, refusal, isRemoved }) => {
    if (refusal) return { id, deleted: false, code: refusal.code, message: refusal.message };
    if (isStopped) return { id, deleted: false, code: 'RULE_VIOLATION', message: ANOTHER_REFUSED };
    return isRemoved
      ? { id, deleted: false, code: null, message: DELETED_BY_JOB }
      : { id, deleted: true, code: null, message: null };
  });
}

/**
 * The deletion as a change: a series is deleted with its future children (D23); creators of pending
 * posts are notified.
 */
async function planDeletion(
  { store, ids, clock }: ChangeDependencies,
  viewer: Viewer,
  posts: readonly DeletablePost[],
): Promise<Change> {
  const series = posts.filter((post) => post.storedState === 'recurring');
  const children = (
    await Promise.all(series.map(({ databaseId }) => store.futureChildren(databaseId, new Date(0))))
  ).flat();
  const allPosts = [
    ...new Map<number, DeletablePost>(
      [...posts, ...children].map((post) => [post.databaseId, post]),
    ).values(),
  ];
  const writes = allPosts.map((before): PostWrite => ({ kind: 'delete', before }));
  const notifications = allPosts
    .filter((post) => isPending(post.storedState))
    .map((post) => ({
      id: ids.prefixed('ntf'),
      userId: post.creatorId,
      kind: 'pending_post_deleted',
      message: `${viewer.user.name} deleted your post that was awaiting approval: ${[...post.text].slice(0, 80).join('')}`,
      postId: post.databaseId,
    }));
  return {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at: clock.now(),
    posts: writes,
    notifications,
    seriesWithoutQueuedChildren: series.map(({ databaseId }) => databaseId),
  };
}

type Decision = DeleteOutcome & { readonly recording?: 'recorded' };

const refusedBy = (refusal: Refusal): DeleteOutcome => ({
  kind: 'refused',
  refusals: [refusal],
  replayed: false,
});

/** The refusal if a post that could be deleted has none of the expected versions (D26). */
function conflictOf(
  targets: readonly Target[],
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
  accepted: readonly Target[],
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
  const targets = await targetsOf(dependencies, viewer, request);
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
