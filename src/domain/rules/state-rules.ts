import { isPending, type StoredState } from '../posts/states.js';
import { TRANSITIONS, type StateEvent } from '../posts/transitions.js';
import type { Post } from '../posts/post.js';

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

/** What the state of a new occurrence depends on, besides the approval of its series. */
interface OccurrenceCircumstances {
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

/** The states of recycling posts that go on after an approval. */
const WITHOUT_APPROVAL: ReadonlySet<StoredState> = new Set([
  'recycling_pending',
  'recycling_declined',
]);

/**
 * Whether a recycling post is paused again once it is approved: only `resumePosts` ends a pause
 * (D59, D64). `after`: its new state.
 */
export function isPausedAfterApproval(
  { storedState, pausedAfterApproval }: Pick<Post, 'storedState' | 'pausedAfterApproval'>,
  after: StoredState,
): boolean {
  if (after === storedState) return pausedAfterApproval;
  return WITHOUT_APPROVAL.has(after) && (storedState === 'recycling_paused' || pausedAfterApproval);
}
