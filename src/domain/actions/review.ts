import type { VocabularyEntry } from '../enums.js';
import type { PostAction } from './post-actions.js';

/** What members decide about posts that need approval (D64). */
export const REVIEW_DECISIONS = {
  request: {
    description: 'Request approval: the posts are not published until they are approved.',
    source: 'D64',
  },
  approve: {
    description: 'Approve the posts: they are published at their scheduled time.',
    source: 'D64',
  },
  decline: {
    description: 'Decline the posts: they are not published. Their creators are notified.',
    source: 'D64',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type ReviewDecision = keyof typeof REVIEW_DECISIONS;

/** The action of each decision. */
export const REVIEW_ACTIONS = {
  request: 'request_approval',
  approve: 'approve',
  decline: 'decline',
} as const satisfies Record<ReviewDecision, PostAction>;
