import { matching, type Reader } from './readers.js';

/** Whether the text is YYYY-MM-DD and the day exists. */
export const isDate = (text: string): boolean => {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse reads 30 February as 1 March.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
};

/**
 * A time requires seconds and a zone, without which it is ambiguous (D8). Zones are at most 14
 * hours from UTC.
 */
const TIME =
  /^T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)$/;
/** Whether the text is an existing day with a time in seconds and a zone. */
export const isTime = (text: string): boolean =>
  isDate(text.slice(0, 10)) && TIME.test(text.slice(10));

/** YYYY-MM-DD, a day that exists (D8). */
export const calendarDate = matching(
  (value): value is string => typeof value === 'string' && isDate(value),
  'must be a date that exists, as YYYY-MM-DD',
);

/**
 * A date, or a time with seconds and zone. Not normalized: a bare date depends on the workspace's
 * zone (D8).
 */
export const dateOrTime = matching(
  (value): value is string => typeof value === 'string' && (isDate(value) || isTime(value)),
  'must be a date that exists, as YYYY-MM-DD, or a time with seconds and zone, such as 2026-05-01T09:00:00Z or 2026-05-01T09:00:00+02:00',
);

/**
 * Whether the end is before the start. False for a date and a time, which cannot be compared
 * without a zone.
 */
export const isReversed = (start: string, end: string): boolean => {
  if (isDate(start) !== isDate(end)) return false;
  return Date.parse(end) < Date.parse(start);
};

/** Rejects an end before the start if a shape has both; the end is then omitted from the result. */
export const ordered =
  <K extends string, E extends string, T extends { [key in K | E]?: string | null }>(
    reader: Reader<T>,
    startKey: K,
    endKey: E,
  ): Reader<T> =>
  (value, path, problems) => {
    const result = reader(value, path, problems);
    const start = result?.[startKey];
    const end = result?.[endKey];
    if (!result || !start || !end || !isReversed(start, end)) return result;
    problems.push({ path: [...path, endKey], message: 'must not be before the start' });
    delete result[endKey];
    return result;
  };

const FIRST_YEAR = 2000;
const LAST_YEAR = 2100;
const timeInRange = matching(
  (value): value is Date =>
    value instanceof Date &&
    value.getUTCFullYear() >= FIRST_YEAR &&
    value.getUTCFullYear() <= LAST_YEAR,
  `must be a time in the years ${FIRST_YEAR} to ${LAST_YEAR}`,
);

/** An instant, truncated to whole seconds (D8). */
export const instant: Reader<Date> = (value, path, problems) => {
  const time = timeInRange(value, path, problems);
  return time && new Date(Math.floor(time.getTime() / 1000) * 1000);
};
