import type { ImportedStoredState } from '../../domain/imports/imported-post.js';
import type { SkipReason } from './skip-reasons.js';

interface Times {
  /** The post's publication date; null if WordPress has not set one. */
  readonly date: Date | null;
  /** The time of the import. */
  readonly now: Date;
}

type SkippedStatus = Extract<SkipReason, 'trashed' | 'unknown_status'>;

/** Stored states by WordPress status. A draft has a date only if WordPress has set it in UTC. */
const STATES: Readonly<Record<string, (times: Times) => ImportedStoredState | SkippedStatus>> = {
  publish: () => 'published_posted',
  future: ({ date }) => (date === null ? 'draft_undated' : 'scheduled'),
  draft: ({ date }) => (date === null ? 'draft_undated' : 'draft_dated'),
  'auto-draft': ({ date }) => (date === null ? 'draft_undated' : 'draft_dated'),
  // Awaits review by an editor: scheduled if its date is in the future, else a draft that the
  // workspace can see.
  pending: ({ date, now }) => {
    if (date === null) return 'draft_public_undated';
    return date > now ? 'scheduled_pending' : 'draft_public_dated';
  },
  // Published, but visible only to the blog's editors.
  private: () => 'published_hidden',
  trash: () => 'trashed',
};

/** The stored state of a WordPress status, or the reason to skip the post. */
export const toStoredState = (status: string, times: Times): ImportedStoredState | SkippedStatus =>
  (Object.hasOwn(STATES, status) ? STATES[status] : undefined)?.(times) ?? 'unknown_status';

/** Whether a post with this WordPress status is not published or scheduled. */
export const isDraftStatus = (status: string): boolean =>
  status === 'draft' || status === 'auto-draft' || status === 'pending';

/** Whether `toStoredState` returned a reason to skip the post. */
export const isSkippedStatus = (
  state: ImportedStoredState | SkippedStatus,
): state is SkippedStatus => state === 'trashed' || state === 'unknown_status';
