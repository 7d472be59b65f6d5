import type { VocabularyEntry } from '../enums.js';

/** Days of the week, in the order in which they are numbered: 0 is Monday. */
export const WEEKDAYS = {
  monday: { description: 'Monday.', source: 'D61' },
  tuesday: { description: 'Tuesday.', source: 'D61' },
  wednesday: { description: 'Wednesday.', source: 'D61' },
  thursday: { description: 'Thursday.', source: 'D61' },
  friday: { description: 'Friday.', source: 'D61' },
  saturday: { description: 'Saturday.', source: 'D61' },
  sunday: { description: 'Sunday.', source: 'D61' },
} as const satisfies Record<string, VocabularyEntry>;
export type Weekday = keyof typeof WEEKDAYS;

const WEEKDAY_NAMES = Object.keys(WEEKDAYS) as Weekday[];
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** The largest number of slots of one account: every quarter of an hour of a week. */
export const MAX_POSTING_SLOTS = 672;

/** A time of the week at which an account publishes a post of its queue (D61). */
export interface PostingSlot {
  readonly weekday: Weekday;
  /** Local time, HH:MM. */
  readonly time: string;
}

/** When an account publishes the posts of its queue (D61). */
export interface PostingSchedule {
  /** IANA name of the zone in which the slots keep their local time. */
  readonly timeZone: string;
  /** Whether the zone is that of the workspace, also when that changes. */
  readonly usesWorkspaceTimeZone: boolean;
  /** While it is true, posts that were given a slot are not published. */
  readonly paused: boolean;
  /** Ordered by weekday and time, without duplicates. */
  readonly slots: readonly PostingSlot[];
}

/** Whether the text is a local time, HH:MM. */
export const isSlotTime = (text: string): boolean => TIME.test(text);

/** A slot as minutes since the start of Monday, 0 to 10,079. */
export function minuteOfWeek({ weekday, time }: PostingSlot): number {
  const [hours, minutes] = time.split(':').map(Number);
  return WEEKDAY_NAMES.indexOf(weekday) * DAY_MINUTES + hours! * HOUR_MINUTES + minutes!;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The slot of a minute of the week. */
export function slotOfMinute(minute: number): PostingSlot {
  const ofDay = minute % DAY_MINUTES;
  return {
    weekday: WEEKDAY_NAMES[Math.floor(minute / DAY_MINUTES)]!,
    time: `${twoDigits(Math.floor(ofDay / HOUR_MINUTES))}:${twoDigits(ofDay % HOUR_MINUTES)}`,
  };
}

/** Minutes of the week as slots, ordered and without duplicates. */
export const slotsOfMinutes = (minutes: readonly number[]): PostingSlot[] =>
  [...new Set(minutes)].sort((a, b) => a - b).map(slotOfMinute);
