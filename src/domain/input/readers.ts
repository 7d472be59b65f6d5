import type { Problem } from '../errors.js';
import type { FieldLimit } from './field-limits.js';

type Path = Problem['path'];

/**
 * Reads one untrusted value, never null: gives it in canonical form, or adds what is wrong with it to `problems` and
 * gives undefined. Never throws.
 */
export type Reader<T> = (value: unknown, path: Path, problems: Problem[]) => T | undefined;

/** Reads what satisfies a test; another value is a problem with this message. */
export const matching =
  <T>(isFine: (value: unknown) => value is T, message: string): Reader<T> =>
  (value, path, problems) => {
    if (isFine(value)) return value;
    problems.push({ path, message });
    return undefined;
  };

export const flag = matching(
  (value): value is boolean => typeof value === 'boolean',
  'must be true or false',
);
export const finiteNumber = matching(
  (value): value is number => Number.isFinite(value),
  'must be a number',
);

/** A whole number within bounds. */
export const integer = ({
  minimum,
  maximum,
}: {
  minimum: number;
  maximum: number;
}): Reader<number> =>
  matching(
    (value): value is number =>
      Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
    `must be a whole number from ${minimum} to ${maximum}`,
  );

/** A list of what one reader reads. A list with a problem is left out whole: a shorter one would mean something else (D20). */
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
      const items = value.map((one: unknown, at) => {
        if (one !== null && one !== undefined) return item(one, [...path, at], problems);
        problems.push({ path: [...path, at], message: CANNOT_BE_NULL });
        return undefined;
      });
      if (problems.length === before) return items as T[];
    }
    return undefined;
  };

const CANNOT_BE_NULL = 'cannot be null';

type FieldReaders<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], null | undefined>> };
interface ShapeRules<T> {
  /** Keys that must be there and hold a value. */
  readonly needs?: readonly (keyof T & string)[];
  /** Keys that may be absent but not null. */
  readonly notNull?: readonly (keyof T & string)[];
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An object of known keys; others are not looked at. Absent keys stay absent and null stays null (D20); what has a
 * problem is left out, and so is the whole when it lacks a key that it needs.
 */
export function shape<T extends object>(
  readers: FieldReaders<T>,
  { needs = [], notNull = [] }: ShapeRules<T> = {},
): Reader<T> {
  const fields = Object.entries(readers) as [keyof T & string, Reader<unknown>][];
  return (value, path, problems) => {
    if (!isJsonObject(value)) {
      problems.push({ path, message: 'must be an object' });
      return undefined;
    }
    const missing = needs.filter((key) => value[key] === undefined);
    if (missing.length > 0) problems.push({ path, message: `needs ${missing.join(' and ')}` });
    const read: Partial<Record<keyof T, unknown>> = {};
    for (const [key, reader] of fields) {
      const given = value[key];
      if (given === undefined) continue;
      if (given !== null) {
        const result = reader(given, [...path, key], problems);
        if (result !== undefined) read[key] = result;
      } else if (needs.includes(key) || notNull.includes(key)) {
        problems.push({ path: [...path, key], message: CANNOT_BE_NULL });
      } else {
        read[key] = null;
      }
    }
    return needs.every((key) => read[key] !== undefined) ? (read as T) : undefined;
  };
}
