import { dateOrTime } from '../../domain/input/date-readers.js';

/** What a date or datetime covers, both ends inclusive, in milliseconds. */
export interface Span {
  readonly first: Date;
  readonly last: Date;
}

const DAY_MS = 86_400_000;

/**
 * Reads a time of a query (D15): `YYYY-MM-DD`, which is that whole UTC day, or `YYYY-MM-DDThh:mm:ss`, with an
 * optional fraction and `Z` or an offset; a space may stand where an unencoded plus was. Null for anything else, and
 * for dates and times that do not exist. A fraction finer than a millisecond lies between two: first > last then.
 */
export function readSpan(text: string): Span | null {
  const time = dateOrTime(text.replace(/ (?=\d\d:\d\d$)/, '+'), [], []);
  if (time === undefined) return null;
  const begin = Date.parse(time);
  if (!time.includes('T')) return { first: new Date(begin), last: new Date(begin + DAY_MS - 1) };
  const isBetween = /\.\d{3}\d*[1-9]/.test(time);
  return { first: new Date(isBetween ? begin + 1 : begin), last: new Date(begin) };
}
