import type { Post } from '../posts/post.js';
import { zoneDayEnd, zoneInstant, zoneOffset } from './zone-time.js';
import type { GapFrequency, Recycling } from '../posts/post-settings.js';
import { isRecycling } from '../posts/states.js';
import type { StateEvent } from '../posts/transitions.js';

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

/** What changed recycling settings mean for a recycling post. */
interface RecyclingEffect {
  readonly event: StateEvent | null;
  readonly scheduledAt: Date | null;
}

interface RecyclingChange {
  readonly before: Post;
  /** With the patch applied. */
  readonly after: Post;
  readonly now: Date;
  /** IANA time zone of the workspace. */
  readonly zone: string;
}

/**
 * The new state and next date of a recycling post whose settings change: it expires on the day
 * after `expireDate`, an expired one continues once its limit is raised, and a start date in the
 * future becomes its next date. Other posts, and a setting that did not change, have no effect.
 */
export function recyclingEffect(change: RecyclingChange): RecyclingEffect {
  const { before, after } = change;
  const event = isRecycling(before.storedState) ? eventOf(change) : null;
  const scheduledAt = isRecycling(before.storedState) ? nextDate(change, event) : after.scheduledAt;
  return { event, scheduledAt };
}

const NO_SETTINGS: Recycling = {};

function eventOf({ before, after, now, zone }: RecyclingChange): StateEvent | null {
  const [old, current] = [before.recycling ?? NO_SETTINGS, after.recycling ?? NO_SETTINGS];
  const isOver = ({ expireDate }: Recycling): boolean =>
    !!expireDate && expireDate < dateIn(zone, now);
  if (isOver(current)) return isOver(old) ? null : 'recycling_expired';
  const isRaised = old.expireCount != null && (current.expireCount ?? Infinity) > old.expireCount;
  return isOver(old) || isRaised ? 'recycling_renewed' : null;
}

function nextDate(
  { before, after, now, zone }: RecyclingChange,
  event: StateEvent | null,
): Date | null {
  const { scheduledAt, recycling } = after;
  if (!scheduledAt || !recycling) return scheduledAt;
  const { startDate } = recycling;
  if (startDate && startDate !== before.recycling?.startDate) {
    const start = atTimeOf(scheduledAt, startDate, zone);
    if (start > now) return start;
  }
  return event === 'recycling_renewed'
    ? (resumedDate(after, zone, now) ?? scheduledAt)
    : scheduledAt;
}

/**
 * The date at which a recycling post goes on: its own, or its first one in the future; null if it
 * has none.
 */
export const resumedDate = (post: Post, zone: string, now: Date): Date | null =>
  post.scheduledAt && post.scheduledAt > now ? post.scheduledAt : nextRecycleDate(post, zone, now);

/** YYYY-MM-DD of an instant in a zone. */
const dateIn = (zone: string, at: Date): string =>
  new Date(at.getTime() + zoneOffset(at.getTime(), zone)).toISOString().slice(0, 10);

/** The instant on `date` at the wall-clock time that `at` has in the zone. */
function atTimeOf(at: Date, date: string, zone: string): Date {
  const wall = at.getTime() + zoneOffset(at.getTime(), zone);
  const timeOfDay = wall - Math.floor(wall / DAY_MS) * DAY_MS;
  return new Date(zoneInstant(Date.parse(`${date}T00:00:00Z`) + timeOfDay, zone));
}
