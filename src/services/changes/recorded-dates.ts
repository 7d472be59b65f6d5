import type { Job } from '../../domain/jobs/job.js';
import type { Post } from '../../domain/posts/post.js';

const POST_DATES = [
  'scheduledAt',
  'createdAt',
  'updatedAt',
  'queuedAt',
  'armedAt',
  'retryAt',
  'extendAt',
] as const satisfies readonly (keyof Post)[];
const JOB_DATES = ['createdAt', 'finishedAt'] as const satisfies readonly (keyof Job)[];

/** Restores dates that were recorded as JSON strings. */
export function withDates<T extends object>(record: T, keys: readonly (keyof T)[]): T {
  const dates = keys
    .filter((key) => typeof record[key] === 'string')
    .map((key) => [key, new Date(record[key] as string)]);
  return { ...record, ...Object.fromEntries(dates) };
}

/** A post that was recorded as JSON. */
export const restorePost = (post: Post): Post => ({
  ...withDates(post, POST_DATES),
  analytics: post.analytics && withDates(post.analytics, ['updatedAt']),
  networkSync: post.networkSync && withDates(post.networkSync, ['attemptedAt']),
  review: post.review && withDates(post.review, ['at']),
  publicationRecord: post.publicationRecord && withDates(post.publicationRecord, ['publishedAt']),
});

/** A job that was recorded as JSON. */
export const restoreJob = (job: Job): Job => withDates(job, JOB_DATES);
