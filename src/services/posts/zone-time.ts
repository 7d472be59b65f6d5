import { IANAZone } from 'luxon';
import { isDate } from '../../domain/input/date-readers.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Whether the text names an IANA time zone that this runtime knows, such as `Europe/Berlin` or `UTC`; offsets such as `+01:00` do not. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name);
}

/** How far the zone's clocks are ahead of UTC at an instant, both in milliseconds. Throws RangeError for an unknown zone. */
export function zoneOffset(at: number, zone: string): number {
  const iana = IANAZone.create(zone);
  if (!iana.isValid) throw new RangeError(`unknown time zone: ${zone}`);
  return iana.offset(at) * MINUTE;
}

/**
 * The instant at which the zone's clocks show `wall`, which is the wall-clock time written as if it were UTC;
 * both in epoch milliseconds. A time that a change of clocks skips moves forward by what was skipped; of a time
 * that comes twice it is the first. Written here because luxon leaves open which of the two it takes.
 * NaN outside the range of Date.
 */
export function zoneInstant(wall: number, zone: string): number {
  const before = wall - zoneOffset(wall - DAY, zone);
  const after = wall - zoneOffset(wall + DAY, zone);
  const shown = [Math.min(before, after), Math.max(before, after)].find(
    (at) => at + zoneOffset(at, zone) === wall,
  );
  return shown ?? before;
}

/**
 * The first moment of a day in a zone (D8: what a bare date means). `date` is YYYY-MM-DD; RangeError for
 * another form, a day that does not exist, or an unknown zone.
 */
export function zoneMidnight(date: string, zone: string): Date {
  return new Date(zoneInstant(utcMidnight(date), zone));
}

/** The last millisecond of a day in a zone: what a bare date means where it is the end of something. Takes and throws what zoneMidnight does. */
export function zoneDayEnd(date: string, zone: string): Date {
  return new Date(zoneInstant(utcMidnight(date) + DAY, zone) - 1);
}

function utcMidnight(date: string): number {
  if (!isDate(date)) throw new RangeError(`not a date: ${date}`);
  return Date.parse(`${date}T00:00:00Z`);
}
