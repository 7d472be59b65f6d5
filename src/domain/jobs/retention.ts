import type { Word } from '../vocabulary.js';

interface RetentionEntry extends Word {
  readonly hours: number;
}

/** How long what has ended is kept, before the purge removes it. */
export const RETENTION = {
  idempotencyRecords: {
    meaning: 'Outcomes recorded for an idempotency key.',
    source: 'D27',
    hours: 24,
  },
  deletedPosts: {
    meaning:
      'Deleted posts, out of sight. Of imported ones the import key stays: the same export does not bring them back.',
    source: 'D32',
    hours: 30 * 24,
  },
  endedJobs: { meaning: 'Jobs that have ended.', source: 'D42', hours: 30 * 24 },
} as const satisfies Record<string, RetentionEntry>;
export type Retained = keyof typeof RETENTION;
