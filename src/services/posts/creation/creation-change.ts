import { needsApproval, type Viewer } from '../../../domain/access/viewer.js';
import { capReservations, newSlots } from '../../../domain/caps/cap-slots.js';
import { EMPTY_CHANGE, type Change, type InsertWrite } from '../../../domain/changes/change.js';
import { queueSlotsOf } from '../../../domain/changes/queue-slots.js';
import { toActor } from '../../../domain/events/actor.js';
import type { Job } from '../../../domain/jobs/job.js';
import type { Post } from '../../../domain/posts/post.js';
import { isPending } from '../../../domain/posts/states.js';
import type { Ids } from '../../ids.js';
import type { WorkspaceRecordStore } from '../../workspaces/workspace-ports.js';
import { newChildren } from '../series/occurrence-changes.js';
import type { CreationPlan } from './plan-creation.js';
import type { TargetPlan } from './planning-rules.js';

/** Dependencies of building the change of a creation. */
export interface CreationChangeDependencies {
  readonly workspaceRecords: Pick<WorkspaceRecordStore, 'approvers'>;
  readonly ids: Ids;
}

/** The posts of a target: its own, and the occurrences of a series. */
export interface CreatedTarget {
  readonly post: Post;
  readonly children: readonly Post[];
}

/** The posts of targets, with database IDs; each series is followed by its occurrences. */
export function createPostsOf(
  { ids }: Pick<CreationChangeDependencies, 'ids'>,
  viewer: Viewer,
  { plans, databaseIds }: { plans: readonly TargetPlan[]; databaseIds: readonly number[] },
): CreatedTarget[] {
  let next = 0;
  return plans.map(({ post: { ...post }, dates }) => {
    post.databaseId = databaseIds[next++]!;
    const children = newChildren(viewer, ids, {
      series: post,
      dates,
      childState: 'scheduled',
      now: post.createdAt,
    }).map((child) => ({ ...child, databaseId: databaseIds[next++]! }));
    return { post, children };
  });
}

/** One notification for each member who may approve, about the first pending post (D24). */
async function approvalNotifications(
  { workspaceRecords, ids }: CreationChangeDependencies,
  viewer: Viewer,
  posts: readonly Post[],
): Promise<Change['notifications']> {
  const pending = posts.filter(({ storedState }) => isPending(storedState));
  if (pending.length === 0 || !needsApproval(viewer)) return [];
  const message =
    pending.length === 1
      ? `${viewer.user.name} created a post that needs your approval.`
      : `${viewer.user.name} created ${pending.length} posts that need your approval.`;
  const approvers = await workspaceRecords.approvers(viewer.workspace.id);
  return approvers.map((userId) => ({
    id: ids.prefixed('ntf'),
    userId,
    kind: 'approval_needed',
    message,
    postId: pending[0]!.databaseId,
  }));
}

/** The inserts of posts. */
export const insertsOf = (viewer: Viewer, created: readonly CreatedTarget[]): InsertWrite[] =>
  created.flatMap(({ post, children }) =>
    [post, ...children].map((after) => ({
      kind: 'insert' as const,
      after,
      slots: newSlots(null, after, viewer.workspace)!,
    })),
  );

/** The change that saves the posts of a creation, with the labels and media that they use. */
export async function createCreationChange(
  dependencies: CreationChangeDependencies,
  viewer: Viewer,
  {
    plan,
    writes,
    job,
    now,
  }: { plan: CreationPlan; writes: readonly InsertWrite[]; job: Job | null; now: Date },
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
    newLabels: plan.newLabels.filter(({ id }) => labelIds.has(id)),
    newMedia: plan.newMedia.filter(({ id }) => mediaIds.has(id)),
    addToLibrary: plan.addToLibrary.filter((id) => mediaIds.has(id)),
    jobs: job ? [{ ...job, postVersion: null }] : [],
    notifications: await approvalNotifications(dependencies, viewer, posts),
    capReservations: capReservations(writes, viewer.workspace.plan),
    queueSlots: queueSlotsOf(writes),
  };
}
