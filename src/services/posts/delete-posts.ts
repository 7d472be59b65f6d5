import { type Viewer, toActor } from '../../domain/access/viewer.js';
import { EMPTY_CHANGE, type Change, type PostWrite } from '../../domain/changes/change.js';
import type { DeletePolicy } from '../../domain/enums.js';
import type { ErrorCode, Refusal } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import { readPostId } from '../../domain/posts/post.js';
import type { PostWith } from '../../domain/posts/post-query.js';
import { isPending } from '../../domain/posts/states.js';
import { deletability } from '../../domain/rules/delete-rules.js';
import {
  isOnNetwork,
  removalRefusal,
  type RemovalSubject,
} from '../../domain/rules/removal-rules.js';
import { isRefused, planTargets, type ChangeTarget } from '../changes/plan-change.js';
import {
  restoreJob,
  refusedBy,
  runChange,
  type ChangeOutcome,
  type Plan,
  type ChangeDependencies,
} from '../changes/run-change.js';
import { createRemovalJob, toJobFailure, toRemovalWrites } from '../removals/removal-job.js';
import { missingPostRefusal } from '../../domain/rules/edit-rules.js';
import type { PostLookup } from '../../domain/posts/post-query.js';

/** A deletion of one or more posts. */
export interface DeleteRequest {
  /** 1 to 100 IDs, as sent. */
  readonly ids: readonly string[];
  readonly policy: DeletePolicy;
  /**
   * Whether published posts are also removed from their networks: first there, by a job, and then
   * here (D62).
   */
  readonly onNetwork: boolean;
  /** Versions that the posts may have (If-Match, D26); any version if it is missing. */
  readonly expectedVersions?: readonly number[];
  readonly idempotencyKey?: string;
  readonly dryRun: boolean;
}

/** Result for one ID, which is returned as it was sent (D30). */
export interface DeleteResult {
  readonly id: string;
  /** False without a code: the job deletes the post once its network no longer has it. */
  readonly deleted: boolean;
  readonly code: ErrorCode | null;
  readonly message: string | null;
}

/** A deletion that was not refused as a whole. */
export interface DeletedPosts {
  readonly kind: 'done';
  /** One entry for each distinct post, in the order sent. */
  readonly results: readonly DeleteResult[];
  /** With `onNetwork`, unless every post was refused or this is a dry run. */
  readonly job: Job | null;
}

/** Outcome of a deletion. Refused as a whole: IDEMPOTENCY_MISMATCH, CONFLICT. */
export type DeleteOutcome = ChangeOutcome<DeletedPosts>;

/** The fields that the rules of a deletion read. */
const RULE_FIELDS = ['version', 'queuedAt', 'armedAt', 'reminder', 'hasQueuedChild'] as const;
const FIELDS = new Set(RULE_FIELDS);
/** Also those that the rules of a removal from a network read. */
const REMOVAL_FIELDS = new Set([...RULE_FIELDS, 'account', 'remoteId'] as const);

/** A post to delete, with what the rules read: the account only of a removal. */
type DeletablePost = PostWith<(typeof RULE_FIELDS)[number]> & Partial<RemovalSubject>;

/** One ID as sent, with its post or refusal. */
interface DeletionTarget extends ChangeTarget {
  readonly id: string;
  readonly post: DeletablePost | null;
  /** Whether the post has to be removed from its network first. */
  readonly isRemoved: boolean;
}

/** The distinct posts, each with the ID that came first (D30). */
async function readTargets(
  { store }: ChangeDependencies,
  viewer: Viewer,
  { ids, onNetwork }: DeleteRequest,
): Promise<DeletionTarget[]> {
  const postIds = ids.map(readPostId);
  const lookups: readonly PostLookup<DeletablePost>[] = onNetwork
    ? await store.findEach(viewer, postIds, REMOVAL_FIELDS)
    : await store.findEach(viewer, postIds, FIELDS);
  const targets = ids.map((id, index): DeletionTarget => {
    const lookup = lookups[index]!;
    if (lookup.kind !== 'found')
      return { id, post: null, refusals: [missingPostRefusal(lookup.kind)], isRemoved: false };
    const { post } = lookup;
    const isRemoved = onNetwork && isOnNetwork(post.storedState);
    const refusal =
      deletability(post, viewer) ?? (isRemoved ? removalRefusal(post as RemovalSubject) : null);
    return { id, post, refusals: refusal ? [refusal] : [], isRemoved };
  });
  const keys = targets.map(({ id, post }) => post?.id ?? id.toLowerCase());
  return targets.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

const ANOTHER_REFUSED: Refusal = {
  code: 'RULE_VIOLATION',
  message: 'Not deleted, because another post cannot be deleted and the policy is all_or_nothing.',
  path: [],
  rule: 'D31',
};

const DELETED_BY_JOB = 'The job deletes the post as soon as its network no longer has it.';

function resultOf({ id, refusals: [refusal], isRemoved }: DeletionTarget): DeleteResult {
  if (refusal) return { id, deleted: false, code: refusal.code, message: refusal.message };
  return isRemoved
    ? { id, deleted: false, code: null, message: DELETED_BY_JOB }
    : { id, deleted: true, code: null, message: null };
}

/** The refusal if a post that could be deleted has none of the expected versions (D26). */
function conflictOf(
  targets: readonly DeletionTarget[],
  expected: DeleteRequest['expectedVersions'],
): Refusal | null {
  const changed = targets.find(
    (target) =>
      target.post && !isRefused(target) && expected && !expected.includes(target.post.version),
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

const TEXT = new Set(['text'] as const);

/**
 * Notifications of the creators of pending posts. The texts are read here, because most deletions
 * need none.
 */
async function deletionNotifications(
  { store, ids }: ChangeDependencies,
  viewer: Viewer,
  posts: readonly DeletablePost[],
): Promise<Change['notifications']> {
  const pending = posts.filter(({ storedState }) => isPending(storedState));
  if (pending.length === 0) return [];
  const postIds = pending.map(({ databaseId }) => ({ kind: 'database', id: databaseId }) as const);
  const lookups = await store.findEach(viewer, postIds, TEXT);
  return pending.map((post, index) => {
    const lookup = lookups[index]!;
    // If the post is gone, or its text is a later one, the deletion is decided again.
    const text = lookup.kind === 'found' ? lookup.post.text : '';
    return {
      id: ids.prefixed('ntf'),
      userId: post.creatorId,
      kind: 'pending_post_deleted',
      message: `${viewer.user.name} deleted your post that was awaiting approval: ${[...text].slice(0, 80).join('')}`,
      postId: post.databaseId,
    };
  });
}

/**
 * The deletion as a change: a series is deleted with its future children (D23); creators of pending
 * posts are notified.
 */
async function planDeletion(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  posts: readonly DeletablePost[],
): Promise<Change> {
  const { store, clock } = dependencies;
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
  return {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at: clock.now(),
    posts: writes,
    notifications: await deletionNotifications(dependencies, viewer, allPosts),
    seriesWithoutQueuedChildren: series.map(({ databaseId }) => databaseId),
  };
}

/** Reads the posts and applies the rules (Delete posts). */
async function plan(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: DeleteRequest,
): Promise<Plan<DeletedPosts>> {
  const { policy, expectedVersions, dryRun, onNetwork } = request;
  const targets = await readTargets(dependencies, viewer, request);
  const conflict = conflictOf(targets, expectedVersions);
  if (conflict) return { outcome: refusedBy(conflict) };
  return planTargets(targets, {
    policy,
    otherRefused: ANOTHER_REFUSED,
    async plan(decided) {
      const results = decided.map(resultOf);
      const accepted = decided.filter((target) => !isRefused(target));
      if (accepted.length === 0) return { outcome: { kind: 'done', results, job: null } };
      const deleted = accepted.filter(({ isRemoved }) => !isRemoved).map(({ post }) => post!);
      const { job = null, ...removals } = onNetwork
        ? planRemovals(dependencies, accepted, results)
        : {};
      return {
        change: { ...(await planDeletion(dependencies, viewer, deleted)), ...removals },
        outcome: { kind: 'done', results, job: dryRun ? null : job },
      };
    },
  });
}

/**
 * Deletes posts, once per idempotency key (Delete posts; D27, D30, D31).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export function deletePosts(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: DeleteRequest,
): Promise<DeleteOutcome> {
  const { ids, policy, expectedVersions, onNetwork, idempotencyKey, dryRun } = request;
  return runChange<DeletedPosts>(dependencies.runner, viewer, {
    operation: 'delete',
    target: 'posts',
    input: { ids, policy, expectedVersions, ...(onNetwork && { onNetwork }) },
    idempotencyKey,
    dryRun,
    plan: () => plan(dependencies, viewer, request),
    // If nothing is deleted, v1 responds with 403 or 412, which are never recorded, or with 422,
    // which is (D27, D31).
    isRecorded: (outcome) =>
      outcome.kind === 'done' && outcome.results.every(({ code }) => code === 'POST_NOT_FOUND'),
    restore: (recorded) => ({ ...recorded, job: recorded.job ? restoreJob(recorded.job) : null }),
  });
}
