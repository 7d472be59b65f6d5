import { weekdayOf, zoneInstant, zoneOffset } from '../../../domain/calendar/zone-time.js';

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
