/** What a date or datetime covers, both ends inclusive, in milliseconds. */
export interface Span { readonly first: Date; readonly last: Date }

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+\- ])(\d\d):(\d\d)))?$/;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Reads a time of a query (D15): `YYYY-MM-DD`, which is that whole UTC day, or `YYYY-MM-DDThh:mm:ss`, with an
 * optional fraction and `Z` or an offset; a space may stand where an unencoded plus was. Null for anything else, and
 * for dates and times that do not exist. A fraction finer than a millisecond lies between two: first > last then.
 */
export function readSpan(text: string): Span | null {
  const parts = SHAPE.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second, zoneHour, zoneMinute] =
    [parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], parts[9], parts[10]].map((digits) => Number(digits ?? 0)) as Eight;
  const midnight = utcMidnight(year, month, day);
  if (midnight === null) return null;
  if (parts[4] === undefined) return { first: new Date(midnight), last: new Date(midnight + DAY_MS - 1) };
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const fraction = (parts[7] ?? '').padEnd(9, '0');
  const offset = (zoneHour * 60 + zoneMinute) * MINUTE_MS * (parts[8] === '-' ? -1 : 1);
  const last = midnight + ((hour * 60 + minute) * 60 + second) * 1000 + Number(fraction.slice(0, 3)) - offset;
  const first = Number(fraction.slice(3)) > 0 ? last + 1 : last;
  return { first: new Date(first), last: new Date(last) };
}
type Eight = [number, number, number, number, number, number, number, number];

/** Milliseconds of a day's beginning in UTC; null where the calendar has no such day. */
function utcMidnight(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}
