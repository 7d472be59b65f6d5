import { type Viewer, toActor } from '../../../domain/access/viewer.js';
import { capReservations, newSlots, queueSlotsOf } from '../../../domain/caps/daily-caps.js';
import { EMPTY_CHANGE, type Change, type InsertWrite } from '../../../domain/changes/change.js';
import type { Refusal } from '../../../domain/errors.js';
import { REQUEST_LIMITS } from '../../../domain/input/request-limits.js';
import type { Job, JobResult } from '../../../domain/jobs/job.js';
import type { Post } from '../../../domain/posts/post.js';
import { toPostState } from '../../../domain/posts/states.js';
import { approvalNotifications, isRefused, planTargets } from '../../changes/plan-change.js';
import {
  restoreJob,
  restorePost,
  withDates,
  queueTurn,
  refusedBy,
  runChange,
  type Plan,
  type ChangeCall,
  type ChangeDependencies,
} from '../../changes/run-change.js';
import type { Ids } from '../../ids.js';
import { createPostsJob, entryFailures, entryName } from '../../jobs/posts-job.js';
import { newChildren } from '../series/plan-series.js';
import type {
  CreatedPosts,
  CreateOutcome,
  CreateRequest,
  CreateResult,
  CreationReport,
} from './creation-request.js';
import { planCreation, type CreationPlan, type UnusedVariant } from './plan-creation.js';
import type { PlannedTarget } from './planning-rules.js';

const { newPosts: MAX_NEW_POSTS } = REQUEST_LIMITS;

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

/** The inserts of the posts of each target: its own, and the occurrences of a series. */
type Inserts = ReadonlyMap<PlannedTarget, readonly [InsertWrite, ...InsertWrite[]]>;

/** The inserts of the targets that are not refused. Posts get their database IDs in this order. */
function insertsOf(
  ids: Ids,
  viewer: Viewer,
  { targets, databaseIds }: Pick<CreationPlan, 'targets' | 'databaseIds'>,
): Inserts {
  let next = 0;
  const toInsert = (post: Post): InsertWrite => ({
    kind: 'insert',
    after: post,
    slots: newSlots(null, post, viewer.workspace)!,
  });
  return new Map(
    targets
      .filter((target) => !isRefused(target))
      .map((target) => {
        const { post: planned, dates } = target.plan!;
        const post = { ...planned, databaseId: databaseIds[next++]! };
        const children = newChildren(viewer, ids, {
          series: post,
          dates,
          childState: 'scheduled',
          now: post.createdAt,
        }).map((child) => ({ ...child, databaseId: databaseIds[next++]! }));
        return [target, [toInsert(post), ...children.map(toInsert)]] as const;
      }),
  );
}

/** What becomes of each target. */
const resultsOf = (
  targets: readonly PlannedTarget[],
  inserts: Inserts,
  dryRun: boolean,
): CreateResult[] =>
  targets.map((target) => {
    const { item, index, accountId, network, refusals, warnings } = target;
    const [insert, ...occurrences] = inserts.get(target) ?? [];
    const post = insert?.after ?? null;
    return {
      item,
      index,
      accountId,
      network,
      post: dryRun ? null : post,
      state: post && toPostState(post.storedState),
      scheduledAt: post?.scheduledAt ?? null,
      occurrenceDates: occurrences.map(({ after }) => after.scheduledAt!),
      refusals,
      warnings: post ? warnings : [],
    };
  });

type CreationList = Exclude<JobResult['list'], 'ids'>;

/** The index of a result in the list of the request that clients know. */
const INDEX_OF: Readonly<Record<CreationList, (result: CreateResult) => number>> = {
  posts: ({ item }) => item,
  targets: ({ index }) => index,
};

/** The list of the request that clients know. */
const listOf = ({ job }: Pick<CreateRequest, 'job'>): CreationList =>
  job === 'when_shared' ? 'targets' : 'posts';

/** What a creation, or a dry run of one, cannot do, or does with reservations (D50, D51). */
function reportOf(
  request: CreateRequest,
  results: readonly CreateResult[],
  unusedVariants: readonly UnusedVariant[],
): CreationReport {
  const list = listOf(request);
  const indexOf = INDEX_OF[list];
  return {
    list,
    failures: entryFailures(
      list,
      results.map((result) => ({
        index: indexOf(result),
        id: result.accountId,
        refusals: result.refusals,
      })),
    ),
    warnings: [
      ...unusedVariants.map(
        ({ item, network }) =>
          `${entryName(list, item)}: The content for ${network} is not used: no account is one of ${network}.`,
      ),
      ...results.flatMap((result) =>
        result.warnings.map((message) => `${entryName(list, indexOf(result))}: ${message}`),
      ),
    ],
  };
}

/** The job of a creation (D51); null if it has none. Its posts are saved with it. */
function jobOf(
  ids: Ids,
  request: CreateRequest,
  { results, report, now }: { results: readonly CreateResult[]; report: CreationReport; now: Date },
): Job | null {
  const isShared = results.some(
    ({ post, item }) => post !== null && request.items[item]!.mode === 'share_now',
  );
  if (request.dryRun || (request.job === 'when_shared' && !isShared)) return null;
  const indexOf = INDEX_OF[listOf(request)];
  const posts = results.flatMap((result) =>
    result.post ? [{ index: indexOf(result), databaseId: result.post.databaseId }] : [],
  );
  return createPostsJob(ids, { kind: 'create', isShared, report, posts, now });
}

/** The change that saves the posts of a creation, with the labels and media that they use. */
async function toChange(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  {
    creation,
    writes,
    job,
    now,
  }: { creation: CreationPlan; writes: readonly InsertWrite[]; job: Job | null; now: Date },
): Promise<Change> {
  const posts = writes.map(({ after }) => after);
  const labelIds = new Set(posts.flatMap(({ labels }) => labels.map(({ id }) => id)));
  const mediaIds = new Set(
    posts.flatMap(({ media, featuredMedia }) => [
      ...media.map(({ id }) => id),
      ...(featuredMedia ? [featuredMedia.id] : []),
    ]),
  );
  return {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at: now,
    posts: writes,
    newLabels: creation.newLabels.filter(({ id }) => labelIds.has(id)),
    newMedia: creation.newMedia.filter(({ id }) => mediaIds.has(id)),
    addToLibrary: creation.addToLibrary.filter((id) => mediaIds.has(id)),
    jobs: job ? [{ ...job, postVersion: null }] : [],
    notifications: await approvalNotifications(dependencies, viewer, writes),
    capReservations: capReservations(writes, viewer.workspace.plan),
    queueSlots: queueSlotsOf(writes),
  };
}

/** Plans the posts of all targets. */
export async function planCreated(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: CreateRequest,
): Promise<Plan<CreatedPosts>> {
  const { ids, clock } = dependencies;
  const creation = await planCreation(dependencies, viewer, request);
  const { groupIds, unusedVariants, databaseIds } = creation;
  if (request.unusedVariants === 'refuse' && unusedVariants.length > 0)
    return { outcome: refusedBy(...unusedVariants.map(({ refusal }) => refusal)) };
  return planTargets(creation.targets, {
    policy: request.policy,
    otherRefused: ANOTHER_REFUSED,
    capPathOf: ({ accountId, index }) =>
      accountId === null ? ['scheduledAt'] : ['targets', String(index), 'scheduledAt'],
    async plan(targets) {
      const inserts = insertsOf(ids, viewer, { targets, databaseIds });
      const writes = [...inserts.values()].flat();
      if (writes.length > MAX_NEW_POSTS) return { outcome: refusedBy(tooMany(writes.length)) };
      const now = clock.now();
      const results = resultsOf(targets, inserts, request.dryRun);
      const report = reportOf(request, results, unusedVariants);
      const job = jobOf(ids, request, { results, report, now });
      const outcome = { kind: 'done', groupIds, results, report, job } as const;
      if (writes.length === 0 && job === null) return { outcome };
      const change = await toChange(dependencies, viewer, { creation, writes, job, now });
      return { change, outcome, writesOf: (target) => inserts.get(target) ?? [] };
    },
  });
}

type RecordedCreation = Omit<ChangeCall<CreatedPosts>, 'isRecorded' | 'restore'>;

/**
 * Runs a call that creates posts, once per idempotency key.
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export async function runRecordedCreation(
  { runner }: ChangeDependencies,
  viewer: Viewer,
  call: RecordedCreation,
): Promise<CreateOutcome> {
  if (viewer.role === 'viewer') return { ...refusedBy(NO_RIGHT), replayed: false };
  return runChange<CreatedPosts>(runner, viewer, {
    ...call,
    isRecorded: () => true,
    restore: (recorded) => ({
      ...recorded,
      results: recorded.results.map((result) => ({
        ...withDates(result, ['scheduledAt']),
        // Results of earlier releases have none.
        occurrenceDates: (result.occurrenceDates ?? []).map((date) => new Date(date)),
        post: result.post && restorePost(result.post),
      })),
      job: recorded.job && restoreJob(recorded.job),
    }),
  });
}

/**
 * Creates posts in one transaction, once per idempotency key (D47, D48).
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT, UNAVAILABLE
 */
export function runCreation(
  dependencies: ChangeDependencies,
  viewer: Viewer,
  request: CreateRequest,
): Promise<CreateOutcome> {
  const { items, policy, duplicates, idempotencyKey, isKeyDerived, dryRun } = request;
  const takesSlots = items.some(({ mode }) => mode === 'add_to_queue');
  return runRecordedCreation(dependencies, viewer, {
    operation: 'create',
    target: 'posts',
    input: {
      items: items.map(({ variants, ...item }) => ({ ...item, variants: [...variants] })),
      policy,
      duplicates,
    },
    idempotencyKey,
    isKeyDerived,
    dryRun,
    turn: takesSlots ? queueTurn(viewer) : undefined,
    plan: () => planCreated(dependencies, viewer, request),
  });
}
