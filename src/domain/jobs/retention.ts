import type { VocabularyEntry } from '../enums.js';

interface RetentionEntry extends VocabularyEntry {
  readonly hours: number;
}

/** How long expired records are kept before the purge job deletes them. */
export const RETENTION = {
  idempotencyRecords: {
    description: 'Outcomes recorded for idempotency keys.',
    source: 'D27',
    hours: 24,
  },
  deletedPosts: {
    description:
      'Deleted posts. The import keys of imported posts are kept, so that importing the same export again does not restore the posts.',
    source: 'D32',
    hours: 30 * 24,
  },
  unusedMedia: {
    description:
      'Media whose files the gateway stores, if no post uses them and they are not in the media library.',
    source: 'D63',
    hours: 30 * 24,
  },
  expiredUploads: {
    description: 'Media whose file was not sent before the upload URL expired.',
    source: 'D63',
    hours: 24,
  },
  webhookDeliveries: {
    description: 'The log of the deliveries of webhooks.',
    source: 'D75',
    hours: 30 * 24,
  },
  analyticsReadings: {
    description: 'Earlier readings of the metrics of published posts.',
    source: 'D91',
    hours: 730 * 24,
  },
  finishedJobs: { description: 'Finished jobs.', source: 'D42', hours: 30 * 24 },
} as const satisfies Record<string, RetentionEntry>;
/** A kind of records that the purge job deletes. */
export type RetentionKey = keyof typeof RETENTION;
