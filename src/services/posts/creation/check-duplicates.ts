import { isScheduled } from '../../../domain/posts/states.js';
import type { ContentCandidate, PostStore } from '../post-ports.js';
import type { PlannedTarget } from './plan-creation.js';

const DAY_MS = 86_400_000;

/** The content of a target that counts as a duplicate of equal content; null if none does (D49). */
function candidateOf({ plan, refusals }: PlannedTarget): ContentCandidate | null {
  if (!plan || refusals.length > 0) return null;
  const { storedState, accountId, scheduledAt, text, media } = plan.post;
  const hasContent = text.trim() !== '' || media.length > 0;
  return isScheduled(storedState) && accountId && scheduledAt && hasContent
    ? { accountId, at: scheduledAt, text, mediaIds: media.map(({ id }) => id) }
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
 * Refuses, or warns about, the posts that have the account, text and media of another one that is
 * planned or published within 24 hours (D49).
 */
export async function checkDuplicates(
  store: Pick<PostStore, 'findDuplicates'>,
  targets: readonly PlannedTarget[],
  reaction: 'refuse' | 'warn',
): Promise<readonly PlannedTarget[]> {
  const candidates = targets.map(candidateOf);
  const checked = candidates.filter((candidate) => candidate !== null);
  if (checked.length === 0) return targets;
  const found = await store.findDuplicates(checked);
  const postIds = new Map(checked.map((candidate, index) => [candidate, found[index]!]));
  const repeated = repeatedIn(checked);
  return targets.map((target, index) => {
    const candidate = candidates[index]!;
    const postId = candidate && (postIds.get(candidate) ?? null);
    if (!candidate || (postId === null && !repeated.has(candidate))) return target;
    const message = messageOf(postId);
    if (reaction === 'warn') return { ...target, warnings: [message] };
    const refusal = {
      code: 'DUPLICATE_CONTENT' as const,
      message: `${message} Set allowDuplicate to create it nevertheless.`,
      path: ['targets', String(target.index), 'post', 'text'],
      rule: 'D49',
    };
    return { ...target, refusals: [refusal] };
  });
}
