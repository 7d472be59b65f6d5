import { hasVisibleText } from '../../../domain/input/text-readers.js';
import type { Post } from '../../../domain/posts/post.js';
import { isScheduled } from '../../../domain/posts/states.js';
import type { ContentCandidate, PostStore } from '../../../persistence/posts/post-store.js';

const DAY_MS = 86_400_000;

/** The content of a post that counts as a duplicate of equal content; null if none does (D49). */
export function toContentCandidate(post: Post): ContentCandidate | null {
  const { id, storedState, accountId, scheduledAt, text, media } = post;
  const hasContent = hasVisibleText(text) || media.length > 0;
  return isScheduled(storedState) && accountId && scheduledAt && hasContent
    ? { postId: id, accountId, at: scheduledAt, text, mediaIds: media.map((item) => item.id) }
    : null;
}

const contentKey = ({ accountId, text, mediaIds }: ContentCandidate): string =>
  JSON.stringify([accountId, text, mediaIds]);

/** The candidates that have the content of an earlier one of the same call within 24 hours. */
function repeatedIn(candidates: readonly ContentCandidate[]): ReadonlySet<ContentCandidate> {
  const timesOf = new Map<string, number[]>();
  return new Set(
    candidates.filter((candidate) => {
      const key = contentKey(candidate);
      const at = candidate.at.getTime();
      const times = timesOf.get(key) ?? [];
      const isRepeated = times.some((time) => Math.abs(time - at) <= DAY_MS);
      timesOf.set(key, [...times, at]);
      return isRepeated;
    }),
  );
}

const messageOf = (postId: string | null): string =>
  `${postId === null ? 'Another post of this call' : `The post ${postId}`} for this account has the same text and media within 24 hours.`;

/**
 * For each candidate, why it is a duplicate of a post or of an earlier candidate; or null (D49).
 */
export async function duplicateMessages(
  store: Pick<PostStore, 'findDuplicates'>,
  candidates: readonly (ContentCandidate | null)[],
): Promise<readonly (string | null)[]> {
  const checked = candidates.filter((candidate) => candidate !== null);
  if (checked.length === 0) return candidates.map(() => null);
  const found = await store.findDuplicates(checked);
  const postIds = new Map(checked.map((candidate, index) => [candidate, found[index]!]));
  const repeated = repeatedIn(checked);
  return candidates.map((candidate) => {
    const postId = candidate && (postIds.get(candidate) ?? null);
    return candidate && (postId !== null || repeated.has(candidate)) ? messageOf(postId) : null;
  });
}
