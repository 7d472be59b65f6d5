import type { Post } from '../posts/post.js';
import { zoneDayEnd, zoneInstant, zoneOffset } from './zone-time.js';
import type { GapFrequency } from '../posts/post-settings.js';

/** The fields of a post that its recycle dates follow from. */
type RecycledPost = Pick<Post, 'recycling' | 'scheduledAt' | 'publishedCount'>;

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

const DAY_MS = 86_400_000;
const DAYS_OF: Readonly<Record<Exclude<GapFrequency, 'months'>, number>> = { days: 1, weeks: 7 };

/** The same day of a later month; the last day of a month that has no such day. */
function addMonths(wall: number, months: number): number {
  const date = new Date(wall);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

/** A date moved by a gap, at the same wall-clock time in an IANA zone (D59). */
export function addGap(
  from: Date,
  {
    gap,
    gapFreq,
    zone,
  }: { readonly gap: number; readonly gapFreq: GapFrequency; readonly zone: string },
): Date {
  const wall = from.getTime() + zoneOffset(from.getTime(), zone);
  const moved =
    gapFreq === 'months' ? addMonths(wall, gap) : wall + gap * DAYS_OF[gapFreq] * DAY_MS;
  return new Date(zoneInstant(moved, zone));
}
