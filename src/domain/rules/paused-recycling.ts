import type { Post } from '../posts/post.js';
import type { StoredState } from '../posts/states.js';

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
