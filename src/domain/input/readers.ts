import type { Problem } from '../errors.js';
import { isUrl, SPACES_AND_CONTROLS, WEB_URL_START } from './urls.js';

/** Length of a text in Unicode code points, the unit of all limits (D22). */
export const codePoints = (text: string): number => [...text].length;

/** Bounds of one field, with the keywords of JSON Schema. Lengths are in code points. */
export interface FieldLimit {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  /** Bounds of each item of a list. */
  readonly items?: FieldLimit;
}

type Path = Problem['path'];

/**
 * Reads one untrusted value other than null: returns it in canonical form, or adds to `problems`
 * and returns undefined. Never throws.
 */
export type Reader<T> = (value: unknown, path: Path, problems: Problem[]) => T | undefined;

/** Accepts values that pass a test; others are a problem with this message. */
export const matching =
  <T>(isValid: (value: unknown) => value is T, message: string): Reader<T> =>
  (value, path, problems) => {
    if (isValid(value)) return value;
    problems.push({ path, message });
    return undefined;
  };

/** true or false. */
export const flag = matching(
  (value): value is boolean => typeof value === 'boolean',
  'must be true or false',
);
/** Bounds of a number. */
export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** A number within bounds. */
export const number = ({ minimum, maximum }: Bounds): Reader<number> =>
  matching(
    (value): value is number => typeof value === 'number' && value >= minimum && value <= maximum,
    `must be a number from ${minimum} to ${maximum}`,
  );

/** A whole number within bounds. */
export const integer = ({ minimum, maximum }: Bounds): Reader<number> =>
  matching(
    (value): value is number =>
      Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
    `must be a whole number from ${minimum} to ${maximum}`,
  );

/** Reads an enum value in any case, or an alias of one, as the canonical value (D6). */
export function oneOf<V extends string>(
  values: readonly V[],
  aliases: Readonly<Record<string, V>> = {},
): Reader<V> {
  const valueByName = new Map<unknown, V>([
    ...values.map((value) => [value.toLowerCase(), value] as const),
    ...Object.entries(aliases),
  ]);
  return (input, path, problems) => {
    const value = typeof input === 'string' ? valueByName.get(input.toLowerCase()) : undefined;
    if (value === undefined)
      problems.push({ path, message: `must be one of: ${values.join(', ')}` });
    return value;
  };
}

/**
 * A list whose items are read by one reader. A list with a problem is omitted as a whole, because a
 * shorter list is a different change (D20).
 */
export const list =
  <T>(item: Reader<T>, { maxItems }: FieldLimit): Reader<T[]> =>
  (value, path, problems) => {
    const before = problems.length;
    if (!Array.isArray(value)) {
      problems.push({ path, message: 'must be a list' });
    } else if (maxItems !== undefined && value.length > maxItems) {
      problems.push({
        path,
        message: `may have at most ${maxItems} items; it has ${value.length}`,
      });
    } else {
      const items = value.map((element: unknown, index) => {
        if (element !== null && element !== undefined)
          return item(element, [...path, index], problems);
        problems.push({ path: [...path, index], message: CANNOT_BE_NULL });
        return undefined;
      });
      if (problems.length === before) return items as T[];
    }
    return undefined;
  };

const CANNOT_BE_NULL = 'cannot be null';

type FieldReaders<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], null | undefined>> };
interface ShapeRules<T> {
  /** Keys that must be present and not null. */
  readonly required?: readonly (keyof T & string)[];
  /** Keys that may be absent but not null. */
  readonly notNull?: readonly (keyof T & string)[];
}

/** Whether the value is an object other than null and arrays. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An object with defined keys; unknown keys are ignored. Absent keys stay absent and null stays
 * null (D20). A key with a problem is omitted; an object without a required key is omitted as a
 * whole.
 */
export function shape<T extends object>(
  readers: FieldReaders<T>,
  { required = [], notNull = [] }: ShapeRules<T> = {},
): Reader<T> {
  const fields = Object.entries(readers) as [keyof T & string, Reader<unknown>][];
  return (value, path, problems) => {
    if (!isJsonObject(value)) {
      problems.push({ path, message: 'must be an object' });
      return undefined;
    }
    const missing = required.filter((key) => value[key] === undefined);
    if (missing.length > 0) problems.push({ path, message: `requires ${missing.join(' and ')}` });
    const result: Partial<Record<keyof T, unknown>> = {};
    for (const [key, reader] of fields) {
      const fieldInput = value[key];
      if (fieldInput === undefined) continue;
      if (fieldInput !== null) {
        const fieldValue = reader(fieldInput, [...path, key], problems);
        if (fieldValue !== undefined) result[key] = fieldValue;
      } else if (required.includes(key) || notNull.includes(key)) {
        problems.push({ path: [...path, key], message: CANNOT_BE_NULL });
      } else {
        result[key] = null;
      }
    }
    return required.every((key) => result[key] !== undefined) ? (result as T) : undefined;
  };
}

const UNSTORABLE = [
  { pattern: /\0/, message: 'must not contain NUL characters' },
  { pattern: /\p{Surrogate}/u, message: 'must not contain lone surrogates' },
] as const;

/**
 * Problems of characters that cannot be stored: PostgreSQL does not store NUL, and UTF-8 cannot
 * encode a lone surrogate.
 */
export const unstorableProblems = (text: string): string[] =>
  UNSTORABLE.filter(({ pattern }) => pattern.test(text)).map(({ message }) => message);

function lengthProblem(
  text: string,
  { minLength = 0, maxLength = Infinity }: FieldLimit,
): string | null {
  const length = minLength > 0 && !hasVisibleText(text) ? 0 : codePoints(text);
  if (length >= minLength && length <= maxLength) return null;
  const allowed =
    minLength > 0 ? `must have ${minLength} to ${maxLength}` : `may have at most ${maxLength}`;
  return `${allowed} characters; it has ${length}`;
}

type TextCheck = (text: string) => string | readonly string[] | null;

/** A string that passes every check; each failed check is a problem. */
const string =
  (...checks: readonly TextCheck[]): Reader<string> =>
  (value, path, problems) => {
    if (typeof value !== 'string') {
      problems.push({ path, message: 'must be a string' });
      return undefined;
    }
    const messages = checks.flatMap((check) => check(value) ?? []);
    problems.push(...messages.map((message) => ({ path, message })));
    return messages.length === 0 ? value : undefined;
  };

const within =
  (limit: FieldLimit): TextCheck =>
  (text) =>
    lengthProblem(text, limit);

/** Without NUL, which has its own message. */
const controlProblem: TextCheck = (text) =>
  /[\u0001-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
    ? 'must not contain control characters or line breaks'
    : null;

/** Multi-line text, not normalized: line breaks, tabs and other control characters are allowed. */
export const text = (limit: FieldLimit): Reader<string> =>
  string(unstorableProblems, within(limit));

/** A single line, not normalized, without control characters. */
export const line = (limit: FieldLimit): Reader<string> =>
  string(unstorableProblems, controlProblem, within(limit));

/** A name: a single line, trimmed. */
export const name = (limit: FieldLimit): Reader<string> => {
  const readLine = line(limit);
  return (value, path, problems) =>
    readLine(typeof value === 'string' ? value.trim() : value, path, problems);
};

/**
 * A post's `url`: a URL or a blog's slug. Its format depends on the network and is checked later
 * (D21).
 */
export const urlOrSlug = (limit: FieldLimit): Reader<string> =>
  string(
    unstorableProblems,
    (value) =>
      SPACES_AND_CONTROLS.test(value) ? 'must not contain spaces or control characters' : null,
    within(limit),
  );

/** An absolute URL (see isUrl). The scheme is lowercased, the rest is not normalized. */
const url =
  (start: RegExp, message: string) =>
  (limit: FieldLimit): Reader<string> => {
    const readUrl = string(
      unstorableProblems,
      (value) => (isUrl(value, start) ? null : message),
      within(limit),
    );
    return (value, path, problems) =>
      readUrl(value, path, problems)?.replace(/^[a-z]+/i, (name) => name.toLowerCase());
  };

/** An absolute http or https URL. */
export const webUrl = url(
  WEB_URL_START,
  'must be an http or https URL, without spaces, backslashes or credentials',
);
/** An absolute https URL. */
export const httpsUrl = url(
  /^https:\/\/[^/?#]/i,
  'must be an https URL, without spaces, backslashes or credentials',
);
/**
 * An absolute https URL, or the URL of a file that a gateway itself serves over http, as those on
 * localhost do. Whether the latter is a media item of the workspace is checked later.
 */
export const mediaUrl = url(
  /^https:\/\/[^/?#]|^http:\/\/[^/?#]+(?:\/[\w.~/-]*)?\/media\/med_\w+\/[\w-]+$/i,
  'must be an https URL, without spaces, backslashes or credentials',
);

const hexColor = matching(
  (value): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value),
  'must be # and six hex digits, such as #1e90ff',
);

/** A color, lowercased. */
export const color: Reader<string> = (value, path, problems) =>
  hexColor(value, path, problems)?.toLowerCase();

/**
 * A character that readers can see: no space, no control character, none that only affects how
 * others are displayed (such as zero-width spaces, variation selectors and the fillers of Hangul),
 * and neither the blank Braille pattern nor the marks of annotations.
 */
const VISIBLE_CHARACTER =
  /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Whether readers can see any of the text. If not, it counts as empty where a text is required. */
export const hasVisibleText = (text: string | null | undefined): boolean =>
  text != null && VISIBLE_CHARACTER.test(text);

/**
 * Maximum nesting depth of a content block's data, itself included: bounds the stack of recursive
 * readers.
 */
export const MAX_DATA_DEPTH = 16;

/** The problems inside a JSON value. `levels` is the remaining nesting depth. */
function findProblems(value: unknown, levels: number): string[] {
  if (typeof value === 'string') return unstorableProblems(value);
  // JSON.parse reads 1e999 as Infinity, which would be stored as null.
  if (typeof value === 'number')
    return Number.isFinite(value) ? [] : ['must not contain numbers too large for a double'];
  if (typeof value !== 'object' || value === null) return [];
  if (levels === 0) return [`may be at most ${MAX_DATA_DEPTH} levels deep`];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...findProblems(key, levels),
    ...findProblems(inner, levels - 1),
  ]);
}

/**
 * A JSON object, not normalized (D25). Problems are reported for the whole object and not for a key
 * inside it, because its keys are arbitrary and may themselves contain unprintable characters.
 */
export const jsonObject: Reader<Record<string, unknown>> = (value, path, problems) => {
  if (!isJsonObject(value)) {
    problems.push({ path, message: 'must be a JSON object' });
    return undefined;
  }
  const messages = new Set(findProblems(value, MAX_DATA_DEPTH));
  problems.push(...[...messages].map((message) => ({ path, message })));
  return messages.size === 0 ? value : undefined;
};

/** Whether the text is YYYY-MM-DD and the day exists. */
export const isDate = (text: string): boolean => {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse reads 30 February as 1 March.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
};

/**
 * A time requires a zone, without which it is ambiguous (D8). Zones are at most 14 hours from UTC.
 * Besides the form of RFC 3339, those of ISO 8601 without seconds, and without the colon or the
 * minutes of the zone.
 */
const TIME =
  /^(?<day>\d{4}-\d\d-\d\d)T(?<minutes>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d(?:\.\d{1,9})?))?(?:Z|(?<offset>[+-](?:0\d|1[0-4]))(?::?(?<offsetMinutes>[0-5]\d))?)$/i;

/** The forms of a time, for messages. */
export const TIME_FORM =
  'a time with a zone, such as 2026-05-01T09:00:00Z or 2026-05-01T09:00+02:00';

/** A time in the form of RFC 3339; null for other texts, and for times that do not exist. */
export function toTime(text: string): string | null {
  const {
    day,
    minutes,
    seconds = '00',
    offset,
    offsetMinutes = '00',
  } = TIME.exec(text)?.groups ?? {};
  if (!day || !isDate(day)) return null;
  if (offset?.endsWith('14') && offsetMinutes !== '00') return null;
  return `${day}T${minutes}:${seconds}${offset ? `${offset}:${offsetMinutes}` : 'Z'}`;
}

/** YYYY-MM-DD, a day that exists (D8). */
export const calendarDate = matching(
  (value): value is string => typeof value === 'string' && isDate(value),
  'must be a date that exists, as YYYY-MM-DD',
);

/** A time with a zone, in the form of RFC 3339. */
export const time: Reader<string> = (value, path, problems) => {
  const read = typeof value === 'string' ? toTime(value) : null;
  if (read !== null) return read;
  problems.push({ path, message: `must be ${TIME_FORM}` });
  return undefined;
};

/**
 * A date, or a time in the form of RFC 3339. Its zone stays: a bare date depends on that of the
 * workspace (D8).
 */
export const dateOrTime: Reader<string> = (value, path, problems) => {
  if (typeof value === 'string') {
    const read = isDate(value) ? value : toTime(value);
    if (read !== null) return read;
  }
  problems.push({ path, message: `must be a date that exists, as YYYY-MM-DD, or ${TIME_FORM}` });
  return undefined;
};

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
