import type { StoredState } from '../posts/states.js';

/** What the state of a new occurrence depends on, besides the approval of its series. */
export interface OccurrenceCircumstances {
  readonly requiresApproval: boolean;
  /** Whether an operator locked the workspace. */
  readonly isLocked?: boolean;
  /** Whether the account of the series needs reauthorization. */
  readonly needsReauth?: boolean;
}

/**
 * The stored state of a new occurrence (D60). It is approved only if its series is: `approval` is
 * the `occurrenceState` of the series, or null if that is unknown, which counts as approved only
 * where no approval is needed.
 */
export function occurrenceStateOf(
  approval: StoredState | null,
  { requiresApproval, isLocked = false, needsReauth = false }: OccurrenceCircumstances,
): StoredState {
  if (isLocked) return 'scheduled_locked';
  if (needsReauth) return 'scheduled_reauth';
  if (approval === 'scheduled' || approval === 'scheduled_approved') return approval;
  const isUnknown = approval === null || !APPROVALS.includes(approval);
  return isUnknown && !requiresApproval ? 'scheduled' : 'scheduled_pending';
}

/** The states that say whether a post is approved; the others hide it. */
const APPROVALS: readonly StoredState[] = ['scheduled_pending', 'scheduled_declined'];
