import type { Change, UpsertWrite, PostWrite } from '../../domain/changes/change.js';
import { toActor } from '../../domain/events/actor.js';
import type { Job } from '../../domain/jobs/job.js';
import { changedFields, isMoreThanLabels } from '../../domain/changes/merge-patch.js';
import { needsNetworkEdit, liveTextOf } from '../../domain/networks/live-fields.js';
import type { NetworkSync, Post } from '../../domain/posts/post.js';
import { capReservations, newSlots } from '../../domain/caps/cap-slots.js';
import { enumKeys } from '../../domain/enums.js';
import { isPending } from '../../domain/posts/states.js';
import { needsApproval, type Viewer } from '../../domain/access/viewer.js';
import type { WorkspaceRecordStore } from '../workspaces/workspace-ports.js';
import type { Ids } from '../ids.js';
import { renewPublication } from '../../domain/publishing/renewed-publication.js';
import { type ResolvedReferences } from './patch-references.js';
import type { SeriesPlan } from './series/plan-series.js';

interface UpdateChangeDependencies {
  readonly workspaceRecords: Pick<WorkspaceRecordStore, 'approvers'>;
  readonly ids: Ids;
}

function networkJob(
  ids: Ids,
  before: Post,
  after: Post,
  now: Date,
): { job: Job; sync: NetworkSync } | null {
  if (!needsNetworkEdit(before, after)) return null;
  const job: Job = {
    id: ids.prefixed('job'),
    kind: 'network_edit',
    status: 'working',
    progress: 0,
    failures: [],
    result: null,
    postId: before.databaseId,
    createdAt: now,
    finishedAt: null,
  };
  const liveText = before.networkSync ? before.networkSync.liveText : liveTextOf(before);
  return {
    job,
    sync: { status: 'pending', jobId: job.id, liveText, error: null, attemptedAt: null },
  };
}

/**
 * One notification for each member who may approve, about the first pending post (Update post, rule
 * 5; D24).
 */
async function approvalNotifications(
  dependencies: UpdateChangeDependencies,
  viewer: Viewer,
  writes: readonly UpsertWrite[],
): Promise<Change['notifications']> {
  const pending = writes.find(
    (write) =>
      isPending(write.after.storedState) &&
      (write.kind === 'insert' || isMoreThanLabels(write.changed)),
  )?.after;
  if (!pending || !needsApproval(viewer)) return [];
  const approvers = await dependencies.workspaceRecords.approvers(viewer.workspace.id);
  return approvers.map((userId) => ({
    id: dependencies.ids.prefixed('ntf'),
    userId,
    kind: 'approval_needed',
    message: `${viewer.user.name} changed a post that needs your approval.`,
    postId: pending.databaseId,
  }));
}

interface UpdateStep {
  readonly before: Post;
  /** With the patch applied. */
  readonly merged: Post;
  readonly series: SeriesPlan;
  readonly references: ResolvedReferences;
  readonly now: Date;
}

interface PlannedChange {
  readonly after: Post;
  readonly job: Job | null;
  readonly change: Change;
}

/** A post with another time is handed over again when that comes, and not for the old one (D55). */
const NOT_HANDED_OVER = { queuedAt: null, retryAt: null } as const;
const isMoved = (before: Post, after: Post): boolean =>
  before.scheduledAt?.getTime() !== after.scheduledAt?.getTime();

const changedInUpdate = (before: Post, after: Post): (keyof Post)[] => [
  ...changedFields(before, after),
  ...enumKeys(NOT_HANDED_OVER).filter((field) => before[field] !== after[field]),
];

/**
 * The change of an update that no rule refuses: the post, its series' children, the network job and
 * notifications.
 */
export async function createUpdateChange(
  dependencies: UpdateChangeDependencies,
  viewer: Viewer,
  { before, merged, series, references, now }: UpdateStep,
): Promise<PlannedChange> {
  const networkEdit = networkJob(dependencies.ids, before, merged, now);
  const { post: after, publications } = renewPublication(before, {
    ...series.after,
    ...(isMoved(before, series.after) && NOT_HANDED_OVER),
    version: before.version + 1,
    updatedAt: now,
    networkSync: networkEdit?.sync ?? before.networkSync,
    review: series.after.storedState === before.storedState ? before.review : null,
  });
  const { plan } = viewer.workspace;
  const update = (posts: { before: Post; after: Post }): PostWrite & { kind: 'update' } => ({
    kind: 'update',
    ...posts,
    changed: changedInUpdate(posts.before, posts.after),
    slots: newSlots(posts.before, posts.after, viewer.workspace),
  });
  const writes: UpsertWrite[] = [
    update({ before, after }),
    ...series.children.updated.map(update),
    ...series.children.created.map((child) => ({
      kind: 'insert' as const,
      after: child,
      slots: newSlots(null, child, viewer.workspace)!,
    })),
  ];
  const change: Change = {
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at: now,
    posts: [
      ...writes,
      ...series.children.deleted.map((child) => ({ kind: 'delete' as const, before: child })),
    ],
    newLabels: references.newLabels,
    newMedia: references.newMedia,
    addToLibrary: references.addToLibrary,
    jobs: networkEdit ? [{ ...networkEdit.job, postVersion: after.version }] : [],
    notifications: await approvalNotifications(dependencies, viewer, writes),
    capReservations: capReservations(writes, plan),
    queueSlots: [],
    publications,
    removals: [],
    seriesWithoutQueuedChildren: [],
    endedSeries:
      before.storedState === 'recurring' && after.storedState !== 'recurring'
        ? [before.databaseId]
        : [],
  };
  return { after, job: networkEdit?.job ?? null, change };
}
