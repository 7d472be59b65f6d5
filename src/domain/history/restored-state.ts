import { needsApproval, type Viewer } from '../access/viewer.js';
import { STATES_AHEAD } from '../caps/cap-slots.js';
import type { Post } from '../posts/post.js';
import { isPending, type StoredState } from '../posts/states.js';
import { storedStateAfter } from '../posts/transitions.js';
import { restoredStoredState } from '../rules/state-rules.js';

const DECLINED: readonly StoredState[] = ['scheduled_declined', 'recycling_declined'];

/**
 * The state that the account and the workspace allow now: both may have changed since the deletion.
 */
function forCircumstances(
  storedState: StoredState,
  needsReauth: boolean,
  { locked: isLocked, requiresApproval }: Viewer['workspace'],
): StoredState {
  const suspended = { storedState, previous: null, requiresApproval, isLocked, needsReauth };
  if (isLocked) return storedStateAfter(storedState, 'workspace_locked');
  if (storedState.endsWith('_locked')) return restoredStoredState('workspace_unlocked', suspended);
  if (needsReauth) return storedStateAfter(storedState, 'account_needs_reauth');
  return storedState.endsWith('_reauth')
    ? restoredStoredState('account_reconnected', suspended)
    : storedState;
}

/**
 * The state of a deleted post that is restored (D71). A post that was to be published at a time
 * that has passed is an undated draft. Pending and declined posts stay so, and a member who needs
 * approval makes other planned posts pending (D24): restoring publishes nothing without the
 * approval that it needs.
 */
export function restoredState(
  { storedState, account }: Pick<Post, 'storedState' | 'account'>,
  viewer: Viewer,
  { isLate }: { isLate: boolean },
): StoredState {
  if (isLate) return storedStateAfter(storedState, 'restored_late');
  const isDecided = isPending(storedState) || DECLINED.includes(storedState);
  if (!STATES_AHEAD.includes(storedState) || isDecided) return storedState;
  return needsApproval(viewer)
    ? storedStateAfter(storedState, 'changed_without_approval')
    : forCircumstances(storedState, account?.needsReauth ?? false, viewer.workspace);
}
