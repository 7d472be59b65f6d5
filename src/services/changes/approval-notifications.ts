import { needsApproval, type Viewer } from '../../domain/access/viewer.js';
import type { Change, UpsertWrite } from '../../domain/changes/change.js';
import { isMoreThanLabels } from '../../domain/changes/merge-patch.js';
import { isPending } from '../../domain/posts/states.js';
import type { ChangeDependencies } from './run-change.js';

/**
 * Whether a write asks for an approval: its post becomes pending, or is pending and was changed by
 * a member who needs approval. Changes of labels need none (D24).
 */
function asksForApproval(viewer: Viewer, write: UpsertWrite): boolean {
  if (!isPending(write.after.storedState)) return false;
  if (write.kind === 'update' && !isPending(write.before.storedState)) return true;
  return needsApproval(viewer) && (write.kind === 'insert' || isMoreThanLabels(write.changed));
}

/**
 * One notification for each other member who may approve, about the first of the posts of a change
 * that need approval (Update post, rule 5; D24, D64).
 */
export async function approvalNotifications(
  { workspaceRecords, ids }: Pick<ChangeDependencies, 'workspaceRecords' | 'ids'>,
  viewer: Viewer,
  writes: readonly UpsertWrite[],
): Promise<Change['notifications']> {
  const pending = writes.filter((write) => asksForApproval(viewer, write));
  if (pending.length === 0) return [];
  const approvers = await workspaceRecords.approvers(viewer.workspace.id);
  const posts = pending.length === 1 ? 'a post' : `${pending.length} posts`;
  return approvers
    .filter((userId) => userId !== viewer.user.id)
    .map((userId) => ({
      id: ids.prefixed('ntf'),
      userId,
      kind: 'approval_needed',
      message: `${viewer.user.name} asks for your approval of ${posts}.`,
      postId: pending[0]!.after.databaseId,
    }));
}
