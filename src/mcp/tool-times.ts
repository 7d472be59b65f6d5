import { zoneInstants, zoneOffset, toTimeZoneName } from '../domain/calendar/zone-time.js';
import type { Problem } from '../domain/errors.js';
import { instant, isDate, toTime, TIME_FORM } from '../domain/input/readers.js';
import { ToolError, toolFailure } from './tool-errors.js';

/** A time as tools return it: in UTC, and as clocks in the time zone show it. */
export interface PresentedTime {
  readonly utc: string;
  readonly local: string;
  readonly time_zone: string;
}

const inUtc = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
const local = (at: number, zone: string): string =>
  new Date(at + zoneOffset(at, zone)).toISOString().slice(0, 16);

/** Presents a time; null stays null. */
export const presentTime = (at: Date | null | undefined, zone: string): PresentedTime | null =>
  at ? { utc: inUtc(at.getTime()), local: local(at.getTime(), zone), time_zone: zone } : null;

/** A local time with its offset: `2026-10-25T02:30+02:00`. */
function withOffset(at: number, zone: string): string {
  const minutes = Math.round(zoneOffset(at, zone) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${local(at, zone)}${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
}

const LOCAL_TIME =
  /^(?<day>\d{4}-\d\d-\d\d)T(?<clock>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d))?$/;
const HOUR_MS = 3_600_000;

/**
 * Reads the name of a time zone.
 * @throws ToolError BAD_USER_INPUT
 */
export function readZone(name: string | null | undefined, otherwise: string): string {
  if (name === null || name === undefined) return otherwise;
  const zone = toTimeZoneName(name);
  if (zone !== null) return zone;
  throw new ToolError(
    toolFailure(
      'BAD_USER_INPUT',
      `time_zone must be an IANA time zone, such as Europe/Berlin or UTC, not ${JSON.stringify(name.slice(0, 60))}.`,
      { field: 'time_zone' },
    ),
  );
}

/** @throws ToolError BAD_USER_INPUT unless posts can have the time */
function inRange(at: Date, field: string): Date {
  const problems: Problem[] = [];
  const read = instant(at, [], problems);
  if (read) return read;
  const { message } = problems[0]!;
  throw new ToolError(toolFailure('BAD_USER_INPUT', `${field} ${message}.`, { field }));
}

/**
 * Reads a time with an offset, or a local one in the zone (D80). `field` is the path of the argument.
 * @throws ToolError BAD_USER_INPUT, AMBIGUOUS_TIME
 */
export function readToolTime(text: string, zone: string, field: string): Date {
  const exact = toTime(text);
  if (exact !== null) return inRange(new Date(exact), field);
  const { day = '', clock = '', seconds = '00' } = LOCAL_TIME.exec(text)?.groups ?? {};
  if (!isDate(day))
    throw new ToolError(
      toolFailure(
        'BAD_USER_INPUT',
        `${field} must be ${TIME_FORM}, or a local time such as 2026-05-01T09:00, which is read in time_zone.`,
        { field },
      ),
    );
  const wall = Date.parse(`${day}T${clock}:${seconds}Z`);
  const instants = zoneInstants(wall, zone);
  if (instants.length === 1) return inRange(new Date(instants[0]!), field);
  const readings = (
    instants.length > 1
      ? instants
      : [wall - zoneOffset(wall + HOUR_MS * 24, zone), wall - zoneOffset(wall - HOUR_MS * 24, zone)]
  ).map((at) => withOffset(at, zone));
  throw new ToolError(
    toolFailure(
      'AMBIGUOUS_TIME',
      `${field}: the local time ${day}T${clock} ${instants.length > 1 ? 'exists twice' : 'does not exist'} in ${zone}, because clocks change. Send ${readings.join(' or ')}.`,
      { field },
    ),
  );
}
