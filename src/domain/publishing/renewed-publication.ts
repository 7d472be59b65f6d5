import type { PublicationWrite } from '../changes/change.js';
import type { Post } from '../posts/post.js';
import type { PublicationRecord } from './publication-record.js';

/** A changed post, and the end of the publication that it leaves, if it does. */
export interface RenewedPublication {
  readonly post: Post;
  readonly publications: readonly PublicationWrite[];
}

/**
 * Ends the publication that a post was handed over for, if the change takes it back (D55), or gives
 * it another time after its publication failed. Without a result: what follows is another one.
 */
export function renewPublication(before: Post, after: Post): RenewedPublication {
  const record = before.publicationRecord;
  const isTakenBack = before.queuedAt !== null && after.queuedAt === null;
  const isRevived = before.storedState === 'failed' && after.storedState !== 'failed';
  if (record === null || !(isTakenBack || isRevived)) return { post: after, publications: [] };
  return {
    post: {
      ...after,
      publicationRecord: { ...record, result: null, error: null, openAttempt: null },
    },
    publications: [
      {
        postId: before.databaseId,
        attempt: openAttemptOf(record),
        lease: null,
        result: null,
        error: null,
        publishedAt: null,
      },
    ],
  };
}

/** The number of the open attempt of a post; null if there is none. */
export const openAttemptOf = (record: PublicationRecord | null): number | null =>
  record?.openAttempt ? record.attempts : null;
