import { capReservations } from '../../../domain/caps/cap-slots.js';
import { EMPTY_CHANGE, type Change, type UpsertWrite } from '../../../domain/changes/change.js';
import { queueSlotsOf } from '../../../domain/changes/queue-slots.js';
import { toActor } from '../../../domain/events/actor.js';
import type { Job } from '../../../domain/jobs/job.js';
import { isPending } from '../../../domain/posts/states.js';
import type { PlanContext, PostChange } from './post-plan.js';

/**
 * The writes of all posts, one for each row: a series and its occurrence may write the same one.
 */
export function writesOf(changes: readonly PostChange[]): UpsertWrite[] {
  const written = new Set<string>();
  return changes
    .flatMap(({ writes }) => writes)
    .filter(({ after: { id } }) => !written.has(id) && written.add(id));
}

/** One notification for each other member who may approve, about the first pending post (D24). */
async function approvalNotifications(
  { viewer, ids, workspaceRecords }: PlanContext,
  writes: readonly UpsertWrite[],
): Promise<Change['notifications']> {
  const pending = writes.filter(
    (write) =>
      isPending(write.after.storedState) &&
      (write.kind === 'insert' || !isPending(write.before.storedState)),
  );
  if (pending.length === 0) return [];
  const message =
    pending.length === 1
      ? `${viewer.user.name} asks for your approval of a post.`
      : `${viewer.user.name} asks for your approval of ${pending.length} posts.`;
  const approvers = await workspaceRecords.approvers(viewer.workspace.id);
  const others = approvers.filter((userId) => userId !== viewer.user.id);
  return others.map((userId) => ({
    id: ids.prefixed('ntf'),
    userId,
    kind: 'approval_needed',
    message,
    postId: pending[0]!.after.databaseId,
  }));
}

/** What an action makes of all posts of a call. */
interface PlannedAction {
  readonly changes: readonly PostChange[];
  readonly writes: readonly UpsertWrite[];
  readonly job: Job | null;
  /** The removals from networks that the job does. */
  readonly removals: Change['removals'];
}

/** The change that saves what an action makes of all posts. */
export async function toActionChange(
  context: PlanContext,
  { changes, writes, job, removals }: PlannedAction,
): Promise<Change> {
  const { viewer, now } = context;
  return {
    ...EMPTY_CHANGE,
    workspaceId: viewer.workspace.id,
    actor: toActor(viewer),
    at: now,
    posts: writes,
    jobs: job ? [{ ...job, postVersion: null }] : [],
    removals,
    publications: changes.flatMap(({ publications = [] }) => publications),
    notifications: [
      ...(await approvalNotifications(context, writes)),
      ...changes.flatMap(({ notifications = [] }) => notifications),
    ],
    capReservations: capReservations(writes, viewer.workspace.plan),
    queueSlots: queueSlotsOf(writes),
  };
}
