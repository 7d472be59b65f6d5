import { dayOf } from '../../../domain/calendar/occurrence-dates.js';
import {
  weekdayOf,
  zoneDayEnd,
  zoneInstant,
  zoneMidnight,
  zoneOffset,
} from '../../../domain/calendar/zone-time.js';
import { isSame } from '../../../domain/changes/merge-patch.js';
import { isDate } from '../../../domain/input/readers.js';
import type { RecurringRule } from '../../../domain/posts/post-settings.js';
import type { Post } from '../../../domain/posts/post.js';

/** Children of a series are created this far ahead: at most MAX_CHILDREN, within HORIZON_MS. */
const MAX_CHILDREN = 52;
const HORIZON_MS = 366 * 86_400_000;
/** The latest allowed `scheduledAt`. */
export const LAST_DATE = new Date('2100-12-31T23:59:59Z');
/** Time of the next extension of a series that has ended. */
export const NEVER = new Date('9999-12-31T00:00:00Z');

/** An instant as stored rules contain it: RFC 3339, in whole seconds. */
export const toInstantString = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');

/**
 * A rule as it is stored: bare dates become instants in the workspace's zone (D8), the start of the
 * first day and the end of the last.
 */
export function resolveRule(
  rule: RecurringRule | null | undefined,
  zone: string,
): RecurringRule | null | undefined {
  if (!rule) return rule;
  const instant = (
    text: string | null | undefined,
    toInstant: (date: string, zone: string) => Date,
  ): string | null | undefined =>
    text ? toInstantString(isDate(text) ? toInstant(text, zone) : new Date(text)) : text;
  const resolved = { ...rule };
  if (rule.startDate !== undefined) resolved.startDate = instant(rule.startDate, zoneMidnight)!;
  if (rule.endDate !== undefined) resolved.endDate = instant(rule.endDate, zoneDayEnd)!;
  return resolved;
}

/**
 * A rule with defaults: it starts at the post's own date, with a repeat rate of 1. If it equals the
 * post's stored rule, the stored one is returned unchanged.
 */
export function completeRule(
  rule: RecurringRule,
  { scheduledAt, recurring }: Pick<Post, 'scheduledAt' | 'recurring'>,
): RecurringRule {
  const complete = (incomplete: RecurringRule): RecurringRule => ({
    repeatRate: 1,
    ...(scheduledAt ? { startDate: toInstantString(scheduledAt) } : {}),
    ...incomplete,
  });
  return recurring && isSame(complete(recurring), complete(rule)) ? recurring : complete(rule);
}

/** A stored rule as the calendar needs it; null if it is incomplete. */
function toRecurrenceRule(rule: RecurringRule): RecurrenceRule | null {
  const { repeat, repeatRate, daysOfWeek, startDate, endDate } = rule;
  if (!repeat || !startDate) return null;
  return {
    repeat,
    repeatRate: repeatRate ?? 1,
    daysOfWeek: daysOfWeek ?? [],
    startDate: new Date(startDate),
    endDate: endDate ? new Date(endDate) : null,
  };
}

/**
 * The future dates of a series within the horizon of children; at least the next one, however far
 * ahead (D17).
 */
export function upcomingDates(rule: RecurringRule, zone: string, now: Date): Date[] {
  const complete = toRecurrenceRule(rule);
  if (!complete) return [];
  const datesInHorizon = findOccurrences(complete, zone, {
    after: now,
    max: MAX_CHILDREN,
    until: new Date(now.getTime() + HORIZON_MS),
  });
  return datesInHorizon.length > 0
    ? datesInHorizon
    : findOccurrences(complete, zone, { after: now, max: 1, until: LAST_DATE });
}

/** Whether the rule has a date on a day of the zone's calendar, as days since 1970-01-01. */
export function hasDateOn(rule: RecurringRule, zone: string, day: number): boolean {
  const complete = toRecurrenceRule(rule);
  if (!complete) return false;
  const around = { after: new Date((day - 2) * DAY), until: new Date((day + 2) * DAY) };
  return findOccurrences(complete, zone, { ...around, max: MAX_CHILDREN }).some(
    (date) => dayOf(date, zone) === day,
  );
}

/**
 * When `upcomingDates` changes next: the first of its dates passes, or a later one comes within the
 * horizon. Until then, a series needs no other occurrences than those of `dates`.
 */
export function nextExtensionAt(rule: RecurringRule, zone: string, dates: readonly Date[]): Date {
  const [next, last] = [dates[0], dates.at(-1)];
  const complete = toRecurrenceRule(rule);
  if (!complete || !next || !last) return NEVER;
  if (dates.length === MAX_CHILDREN) return next;
  const [later] = findOccurrences(complete, zone, { after: last, max: 1, until: LAST_DATE });
  const laterAt = later ? later.getTime() - HORIZON_MS : Infinity;
  return new Date(Math.min(next.getTime(), laterAt));
}

/** What the passing of time changes about a series. */
interface Extension {
  /** Dates without an occurrence, in order. */
  readonly dates: readonly Date[];
  /** The next date of the series; null if it has none. */
  readonly next: Date | null;
  readonly extendAt: Date;
}

/**
 * The dates that a series needs occurrences for since it was planned last. Those of the last plan
 * are exactly the upcoming ones right before `extendAt`: an occurrence that was deleted or moved
 * since is not created again (D60).
 */
export function planExtension(
  { recurring, extendAt, scheduledAt }: Pick<Post, 'recurring' | 'extendAt' | 'scheduledAt'>,
  zone: string,
  now: Date,
): Extension {
  const rule = recurring ?? {};
  const plannedUntil = (extendAt ?? scheduledAt ?? now).getTime();
  const lastPlanned = upcomingDates(rule, zone, new Date(plannedUntil - 1)).at(-1);
  const upcoming = upcomingDates(rule, zone, now);
  return {
    dates: upcoming.filter((date) => !lastPlanned || date > lastPlanned),
    next: upcoming[0] ?? null,
    extendAt: nextExtensionAt(rule, zone, upcoming),
  };
}

/** Recurrence rule of a series (Recurring object). */
export interface RecurrenceRule {
  repeat: 'daily' | 'weekly' | 'monthly' | 'yearly';
  /** Interval in days, weeks, months or years; an integer from 1. */
  repeatRate: number;
  /**
   * 0 to 6 with 0 = Monday (D6). Weekly: the days of the week; empty means the start's weekday.
   * Daily: only on these days; empty means every day. Ignored for monthly and yearly rules, which
   * use the start's day of the month.
   */
  daysOfWeek: readonly number[];
  /** The first date is on or after it; all dates have its wall-clock time in the zone. */
  startDate: Date;
  /** The latest possible date; absent or null for a series without end. */
  endDate?: Date | null;
}

const DAY = 86_400_000;
/**
 * Ends the search: if this many consecutive steps do not match, none will, because weekdays repeat
 * every seven steps.
 */
const WEEKDAY_CYCLE = 7;

/**
 * The first `max` dates of a series after `after` (exclusive) up to `until` (inclusive), sorted and
 * distinct. Weekdays and wall-clock time are kept in the IANA zone across DST (D8): a skipped time
 * moves forward by the skipped interval, an ambiguous time is the first of the two. Weeks start on
 * Monday. A month or year without the start's day (31st, 29 February) is skipped, as in iCalendar.
 * The computation starts at `after`, so an old start date costs nothing.
 * @throws RangeError for an unknown zone
 */
export function findOccurrences(
  rule: RecurrenceRule,
  zone: string,
  window: { after: Date; max: number; until: Date },
): Date[] {
  const start = rule.startDate.getTime();
  const wallStart = start + zoneOffset(start, zone);
  const startDay = Math.floor(wallStart / DAY);
  const timeOfDay = wallStart - startDay * DAY;
  const after = Math.max(window.after.getTime(), start - 1);
  const last = Math.min(window.until.getTime(), rule.endDate?.getTime() ?? Infinity);
  // Two days back: zone offsets are below one day, and a skipped time moves by at most one day.
  const fromDay = Math.max(startDay, Math.floor(after / DAY) - 2);

  const dates: Date[] = [];
  for (const day of seriesDays(rule, startDay, fromDay)) {
    const at = day === startDay ? start : zoneInstant(day * DAY + timeOfDay, zone);
    if (dates.length >= window.max || !(at <= last)) break;
    if (at > (dates.at(-1)?.getTime() ?? after)) dates.push(new Date(at));
  }
  return dates;
}

/**
 * The days of a series from `fromDay` on, as days since 1970-01-01 on the zone's calendar.
 * Infinite, except for a daily rule that never matches again.
 */
function* seriesDays(rule: RecurrenceRule, startDay: number, fromDay: number): Generator<number> {
  for (const day of DAYS[rule.repeat](rule, startDay, fromDay)) {
    const isBefore = day < fromDay; // false for NaN, which must reach the caller to end the series
    if (!isBefore) yield day;
  }
}

type Days = (rule: RecurrenceRule, startDay: number, fromDay: number) => Generator<number>;

const DAYS: Record<RecurrenceRule['repeat'], Days> = {
  *daily({ repeatRate, daysOfWeek }, startDay, fromDay) {
    const isMatching = (day: number): boolean =>
      daysOfWeek.length === 0 || daysOfWeek.includes(weekdayOf(day));
    const first = startDay + Math.floor((fromDay - startDay) / repeatRate) * repeatRate;
    let missed = 0;
    for (let day = first; missed < WEEKDAY_CYCLE; day += repeatRate) {
      missed = isMatching(day) ? 0 : missed + 1;
      if (missed === 0) yield day;
    }
  },

  *weekly({ repeatRate, daysOfWeek }, startDay, fromDay) {
    const weekdays =
      daysOfWeek.length > 0
        ? [...new Set(daysOfWeek)].sort((a, b) => a - b)
        : [weekdayOf(startDay)];
    const monday = startDay - weekdayOf(startDay);
    const step = 7 * repeatRate;
    for (let week = monday + Math.floor((fromDay - monday) / step) * step; ; week += step) {
      for (const offset of weekdays) yield week + offset;
    }
  },

  monthly: ({ repeatRate }, startDay, fromDay) => monthSteps(repeatRate, startDay, fromDay),
  yearly: ({ repeatRate }, startDay, fromDay) => monthSteps(12 * repeatRate, startDay, fromDay),
};

/**
 * The start's day of the month every `step` months, in months that have it; NaN beyond the range of
 * Date.
 */
function* monthSteps(step: number, startDay: number, fromDay: number): Generator<number> {
  const start = new Date(startDay * DAY);
  const from = new Date(fromDay * DAY);
  const monthsBetween =
    (from.getUTCFullYear() - start.getUTCFullYear()) * 12 +
    from.getUTCMonth() -
    start.getUTCMonth();
  for (let months = Math.floor(monthsBetween / step) * step; ; months += step) {
    const date = new Date(startDay * DAY);
    date.setUTCMonth(start.getUTCMonth() + months);
    const hasDay = Number.isNaN(date.getTime()) || date.getUTCDate() === start.getUTCDate();
    if (hasDay) yield date.getTime() / DAY;
  }
}
