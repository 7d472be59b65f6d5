import type { RecurringRule } from '../posts/post-settings.js';
import type { Post } from '../posts/post.js';
import { weekdayOf, zoneOffset } from './zone-time.js';

const DAY_MS = 86_400_000;

/** What tells to which date of its series' rule an occurrence belongs. */
export type OccurrenceTimes = Pick<Post, 'occurrenceDate' | 'scheduledAt' | 'ownFields'>;

/**
 * The date of the rule that an occurrence belongs to, whenever it is published: only occurrences
 * that were moved have another time. Null for a draft without a date that an earlier release made.
 */
export const dateOf = ({ occurrenceDate, scheduledAt }: OccurrenceTimes): Date | null =>
  occurrenceDate ?? scheduledAt;

/** Whether a member gave the occurrence a time of its own (D23). */
export const isMoved = ({ ownFields }: OccurrenceTimes): boolean =>
  ownFields.includes('scheduledAt');

/**
 * The day of an instant on the zone's calendar, as days since 1970-01-01: two dates of a series are
 * the same date if they are on the same day.
 */
export const dayOf = (at: Date, zone: string): number =>
  Math.floor((at.getTime() + zoneOffset(at.getTime(), zone)) / DAY_MS);

type Repeat = NonNullable<RecurringRule['repeat']>;

const monthOf = (day: number): number => {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** What a rule repeats, by a number for each: days, weeks from Monday, months or years. */
const PERIOD_OF: Readonly<Record<Repeat, (day: number) => number>> = {
  daily: (day) => day,
  weekly: (day) => day - weekdayOf(day),
  monthly: monthOf,
  yearly: (day) => Math.floor(monthOf(day) / 12),
};

/** A changed rule, and what is known of the dates of its series. */
export interface ChangedRule {
  readonly repeat: Repeat;
  /** IANA time zone in which the dates are days. */
  readonly zone: string;
  /** The next dates of the rule, in order. */
  readonly dates: readonly Date[];
  /**
   * The exceptions: dates whose occurrences were deleted, taken back to drafts, published or handed
   * over. No occurrence is created for them.
   */
  readonly exceptions: readonly Date[];
}

/** What a change does to the future occurrences of a series, by their times. */
export interface OccurrenceChanges {
  readonly made: readonly Date[];
  readonly kept: readonly Date[];
  readonly moved: readonly { readonly from: Date; readonly to: Date }[];
  readonly removed: readonly Date[];
  /** How many occurrences become independent posts, because the series ends. */
  readonly independent: number;
}

/** A change of a series that only creates occurrences. */
export const madeOccurrences = (made: readonly Date[]): OccurrenceChanges => ({
  made,
  kept: [],
  moved: [],
  removed: [],
  independent: 0,
});

/** What a changed rule makes of the occurrences of its series. */
export interface AssignedDates<T> {
  /** Occurrences that remain, with their date of the rule and their time. */
  readonly dated: readonly {
    readonly occurrence: T;
    readonly date: Date | null;
    readonly scheduledAt: Date;
  }[];
  /** Dates that get a new occurrence. */
  readonly made: readonly Date[];
  /** Occurrences whose date is not one of the rule any more. */
  readonly removed: readonly T[];
}

/**
 * Assigns the dates of a changed rule to the future occurrences of its series. An occurrence keeps
 * its date if the rule still has it, at the rule's time of that day. If the rule does not have it,
 * the occurrence gets a date that is new in the same week, month or year of the rule, or is removed.
 * An occurrence that was moved keeps its own time and is never removed. Dates without an occurrence
 * get one, except for those that are exceptions (D23).
 */
export function assignDates<T extends OccurrenceTimes>(
  occurrences: readonly T[],
  { repeat, zone, dates, exceptions }: ChangedRule,
): AssignedDates<T> {
  const excepted = new Set(exceptions.map((date) => dayOf(date, zone)));
  const free = new Map(
    dates.map((date) => [dayOf(date, zone), date] as const).filter(([day]) => !excepted.has(day)),
  );
  const known = new Map(occurrences.map((occurrence) => [occurrence, dayIn(occurrence, zone)]));
  const assigned = new Map<T, Date>();
  const assign = (occurrence: T, day: number | undefined): void => {
    const date = day === undefined ? undefined : free.get(day);
    if (!date) return;
    assigned.set(occurrence, date);
    free.delete(day!);
  };
  for (const occurrence of occurrences) assign(occurrence, known.get(occurrence));
  const periodOf = PERIOD_OF[repeat];
  const others = occurrences.filter((occurrence) => !assigned.has(occurrence));
  for (const occurrence of others.toSorted((a, b) => known.get(a)! - known.get(b)!)) {
    const day = known.get(occurrence)!;
    assign(
      occurrence,
      [...free.keys()].find((other) => periodOf(other) === periodOf(day)),
    );
  }
  return {
    dated: occurrences
      .filter((occurrence) => assigned.has(occurrence) || isMoved(occurrence))
      .map((occurrence) => {
        const date = assigned.get(occurrence) ?? dateOf(occurrence);
        return {
          occurrence,
          date,
          scheduledAt: isMoved(occurrence) ? occurrence.scheduledAt! : date!,
        };
      }),
    made: [...free.values()],
    removed: occurrences.filter((occurrence) => !assigned.has(occurrence) && !isMoved(occurrence)),
  };
}

const dayIn = (occurrence: OccurrenceTimes, zone: string): number => {
  const date = dateOf(occurrence);
  return date ? dayOf(date, zone) : NaN;
};
