import type { VocabularyEntry } from '../enums.js';
import { isPrivateDraft, type StoredState } from '../posts/states.js';

/** What becomes of the posts of a creation (D48). */
export const SHARE_MODES = {
  draft: { description: 'Drafts, with or without a date.', source: 'D48' },
  schedule: { description: 'Posts that are published at their scheduled time.', source: 'D48' },
  add_to_queue: {
    description:
      'Posts that are published at the next free time in the posting schedule of their account.',
    source: 'D61',
  },
  share_now: { description: 'Posts that are published immediately.', source: 'D48' },
} as const satisfies Record<string, VocabularyEntry>;
export type ShareMode = keyof typeof SHARE_MODES;

/** Who can see a draft (D9, D48). */
export const DRAFT_VISIBILITIES = {
  account: { description: 'Members of the workspace, as with any other post.', source: 'D48' },
  public: { description: 'A public draft of the workspace.', source: 'D48' },
  private: { description: 'Only its creator.', source: 'D48' },
} as const satisfies Record<string, VocabularyEntry>;
export type DraftVisibility = keyof typeof DRAFT_VISIBILITIES;

/** How a call treats the posts that a rule refuses (D31, D47). */
export const BATCH_POLICIES = {
  skip_refused: {
    description:
      'Processes the posts that are allowed and returns the reason for each of the others.',
    source: 'D47',
  },
  all_or_nothing: { description: 'Does nothing if any of the posts is rejected.', source: 'D47' },
} as const satisfies Record<string, VocabularyEntry>;
export type BatchPolicy = keyof typeof BATCH_POLICIES;

/** What becomes of a post with the content of another one within 24 hours (D49). */
export type DuplicateReaction = 'refuse' | 'warn' | 'allow';

const DRAFT_STATES: Readonly<
  Record<DraftVisibility, { readonly dated: StoredState; readonly undated: StoredState }>
> = {
  account: { dated: 'draft_dated', undated: 'draft_undated' },
  public: { dated: 'draft_public_dated', undated: 'draft_public_undated' },
  private: { dated: 'draft_private_dated', undated: 'draft_private_undated' },
};

/** The stored state of a new draft (D9). */
export const draftState = (visibility: DraftVisibility, scheduledAt: Date | null): StoredState =>
  DRAFT_STATES[visibility][scheduledAt ? 'dated' : 'undated'];

/** Who can see a draft made of a post in this state, by default (D48). */
export function visibilityOf(state: StoredState): DraftVisibility {
  if (isPrivateDraft(state)) return 'private';
  return state.startsWith('draft_public') ? 'public' : 'account';
}

interface PlannedPost {
  readonly isSeries: boolean;
  readonly isRecycling: boolean;
  /** Whether the member who makes it cannot approve it (D24). */
  readonly needsApproval: boolean;
}

/** The stored state of a new post that is to be published (D48). */
export function plannedState({ isSeries, isRecycling, needsApproval }: PlannedPost): StoredState {
  if (isSeries) return 'recurring';
  if (isRecycling) return needsApproval ? 'recycling_pending' : 'recycling_active';
  return needsApproval ? 'scheduled_pending' : 'scheduled';
}
