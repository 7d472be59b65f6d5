import type { Post } from '../posts/post.js';
import { addGap } from './add-gap.js';
import { zoneDayEnd } from './zone-time.js';

/** The fields of a post that its recycle dates follow from. */
export type RecycledPost = Pick<Post, 'recycling' | 'scheduledAt' | 'publishedCount'>;

/**
 * The dates at which a post is published again after its scheduled time, in order (D59): by its
 * gap, as wall-clock time in the zone, until its number of recycles is reached or its expiry date
 * has passed. Infinite if it never expires; none for a post without recycling or date.
 */
export function* recycleDates(
  { recycling, scheduledAt, publishedCount }: RecycledPost,
  zone: string,
): Generator<Date> {
  if (!recycling || !scheduledAt) return;
  const { gap, gapFreq, expireCount, expireDate } = recycling;
  const left = expireCount == null ? Infinity : expireCount - publishedCount;
  const last = expireDate ? zoneDayEnd(expireDate, zone) : null;
  const step = { gap: gap ?? 1, gapFreq: gapFreq ?? ('days' as const), zone };
  let date = scheduledAt;
  for (let index = 0; index < left; index++) {
    date = addGap(date, step);
    if (Number.isNaN(date.getTime()) || (last && date > last)) return;
    yield date;
  }
}

/** The next date after `now` at which the post is published again; null if it expires before. */
export function nextRecycleDate(post: RecycledPost, zone: string, now: Date): Date | null {
  for (const date of recycleDates(post, zone)) if (date > now) return date;
  return null;
}
