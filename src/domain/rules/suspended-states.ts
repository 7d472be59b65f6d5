import { isPending, type StoredState } from '../posts/states.js';
import { TRANSITIONS, type StateEvent } from '../posts/transitions.js';

/** The states of posts that wait for an operator, or for the connection of their account. */
export const SUSPENDED_STATES = [
  'scheduled_reauth',
  'scheduled_locked',
  'recycling_reauth',
  'recycling_locked',
] as const satisfies readonly StoredState[];

/** What the state of a post that was suspended depends on. */
export interface SuspendedPost {
  readonly storedState: StoredState;
  /** Its last state that was not a suspension; null if unknown. */
  readonly previous: StoredState | null;
  readonly requiresApproval: boolean;
  /** Whether the workspace is locked. */
  readonly isLocked: boolean;
  /** Whether the account needs reauthorization. */
  readonly needsReauth: boolean;
}

/**
 * The stored state of a suspended post after its account was connected again, or its workspace was
 * unlocked: the other suspension if that still applies, else its previous state. If that is
 * unknown, the one that does not publish anything unapproved.
 */
export function restoredStoredState(event: RestoringEvent, post: SuspendedPost): StoredState {
  const { storedState, previous, requiresApproval, isLocked, needsReauth } = post;
  const candidates = TRANSITIONS.filter(
    (row) => row.event === event && row.from === storedState,
  ).map(({ to }) => to);
  const isSuspended = (state: StoredState): boolean => SUSPENDED.has(state);
  const suspension = isLocked ? 'locked' : needsReauth ? 'reauth' : null;
  return (
    candidates.find((state) => suspension !== null && state.endsWith(`_${suspension}`)) ??
    candidates.find((state) => state === previous && !isSuspended(state)) ??
    candidates.find((state) => !isSuspended(state) && isPending(state) === requiresApproval) ??
    storedState
  );
}
type RestoringEvent = Extract<StateEvent, 'account_reconnected' | 'workspace_unlocked'>;
const SUSPENDED: ReadonlySet<StoredState> = new Set(SUSPENDED_STATES);
