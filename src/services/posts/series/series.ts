import { isDate } from '../../../domain/input/date-readers.js';
import { isSame } from '../../../domain/changes/merge-patch.js';
import type { Post } from '../../../domain/posts/post.js';
import type { RecurringRule } from '../../../domain/posts/post-settings.js';
import { findOccurrences, type RecurrenceRule } from './recurrence.js';
import { zoneDayEnd, zoneMidnight } from '../../../domain/calendar/zone-time.js';

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
