import { dateOrTime } from '../../domain/input/date-readers.js';

/** The range that a date or datetime covers, in milliseconds. Both ends are inclusive. */
export interface TimeRange {
  readonly start: Date;
  readonly end: Date;
}

const DAY_MS = 86_400_000;

/**
 * Reads a time from a query (D15): `YYYY-MM-DD`, which is the whole UTC day, or
 * `YYYY-MM-DDThh:mm:ss` with an optional fraction and `Z` or an offset. A space is accepted instead
 * of the plus sign of an offset: an unencoded plus sign is decoded to a space. Null for other
 * texts, and for dates and times that do not exist. A fraction finer than a millisecond lies
 * between two milliseconds, so `start` is later than `end`.
 */
export function readTimeRange(text: string): TimeRange | null {
  const time = dateOrTime(text.replace(/ (?=\d\d:\d\d$)/, '+'), [], []);
  if (time === undefined) return null;
  const begin = Date.parse(time);
  if (!time.includes('T')) return { start: new Date(begin), end: new Date(begin + DAY_MS - 1) };
  const isBetweenMilliseconds = /\.\d{3}\d*[1-9]/.test(time);
  return { start: new Date(isBetweenMilliseconds ? begin + 1 : begin), end: new Date(begin) };
}
