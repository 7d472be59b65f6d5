import { nextRecycleDate } from '../../domain/calendar/recycle-dates.js';
import type { Recycling } from '../../domain/posts/post-settings.js';
import type { Post } from '../../domain/posts/post.js';
import { isRecycling } from '../../domain/posts/states.js';
import type { StateEvent } from '../../domain/posts/transitions.js';
import { zoneInstant, zoneOffset } from '../../domain/calendar/zone-time.js';

const DAY_MS = 86_400_000;

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
