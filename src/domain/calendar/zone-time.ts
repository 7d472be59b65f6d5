import { isDate } from '../input/readers.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * Whether the text is an IANA time zone supported by this runtime, such as `Europe/Berlin` or
 * `UTC`. Offsets such as `+01:00` are not.
 */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && formatterOf(name) !== null;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** A formatter that writes the offset of a zone; null for an unknown zone. */
function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone);
  if (known) return known;
  try {
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
    });
    formatters.set(zone, formatter);
    return formatter;
  } catch {
    return null; // Not remembered, since clients can send any name.
  }
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * Offset of the zone from UTC at an instant, both in milliseconds.
 * @throws RangeError for an unknown zone
 */
export function zoneOffset(at: number, zone: string): number {
  const formatter = formatterOf(zone);
  if (!formatter) throw new RangeError(`Unknown time zone: ${zone}`);
  if (Number.isNaN(new Date(at).getTime())) return NaN;
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(formatter.format(at))!;
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * 1_000;
  return sign === '-' ? -size : size;
}

/**
 * The instant of a wall-clock time in a zone. `wall` is the wall-clock time as if it were UTC; both
 * are epoch milliseconds. A skipped time moves forward by the skipped interval, an ambiguous time
 * is the first of the two. NaN outside the range of Date.
 */
export function zoneInstant(wall: number, zone: string): number {
  const before = wall - zoneOffset(wall - DAY, zone);
  const after = wall - zoneOffset(wall + DAY, zone);
  const exact = [Math.min(before, after), Math.max(before, after)].find(
    (at) => at + zoneOffset(at, zone) === wall,
  );
  return exact ?? before;
}

/**
 * The instants at which clocks of a zone show a wall-clock time, both in epoch milliseconds: none
 * for a skipped time, two for one that is shown twice. Parameters are those of zoneInstant.
 */
export const zoneInstants = (wall: number, zone: string): readonly number[] =>
  [...new Set([wall - zoneOffset(wall - DAY, zone), wall - zoneOffset(wall + DAY, zone)])]
    .filter((at) => at + zoneOffset(at, zone) === wall)
    .sort((a, b) => a - b);

/**
 * The first moment of a day in a zone: how a bare date is read as a start (D8).
 * @param date YYYY-MM-DD
 * @throws RangeError for another format, a day that does not exist, or an unknown zone
 */
export function zoneMidnight(date: string, zone: string): Date {
  return new Date(zoneInstant(utcMidnight(date), zone));
}

/**
 * The last millisecond of a day in a zone: how a bare date is read as an end. Parameters and errors
 * are those of zoneMidnight.
 */
export function zoneDayEnd(date: string, zone: string): Date {
  return new Date(zoneInstant(utcMidnight(date) + DAY, zone) - 1);
}

function utcMidnight(date: string): number {
  if (!isDate(date)) throw new RangeError(`Not a date: ${date}`);
  return Date.parse(`${date}T00:00:00Z`);
}

/** The weekday of a day, counted in days since 1970-01-01, which was a Thursday: 0 = Monday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** Words of names of time zones that are not capitalized like others. */
const IRREGULAR_WORDS: ReadonlyMap<string, string> = new Map(
  (
    'ACT BajaNorte BajaSur CET CHAT ComodRivadavia DeNoronha DumontDUrville EasterIsland EET EST ' +
    'GB HST IN LHI McMurdo MET MST NSW NZ PRC ROC ROK SU UCT US UTC W WET au es of'
  )
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);
/** GMT0, and names of two abbreviations such as EST5EDT. */
const ABBREVIATIONS = /^(gmt\d*|[a-z]{3}\d[a-z]{3})$/;

const toWord = (lower: string): string => {
  if (ABBREVIATIONS.test(lower)) return lower.toUpperCase();
  return IRREGULAR_WORDS.get(lower) ?? lower.charAt(0).toUpperCase() + lower.slice(1);
};

/**
 * The name of an IANA time zone, sent in any case, as the IANA database writes it; null if the
 * runtime does not know the zone. Unlike `Intl`, it does not replace a name by another name of the
 * same zone, such as Europe/Kyiv by Europe/Kiev.
 */
export const toTimeZoneName = (name: string): string | null =>
  isTimeZone(name)
    ? name
        .toLowerCase()
        .split(/([/_+-])/)
        .map(toWord)
        .join('')
    : null;
