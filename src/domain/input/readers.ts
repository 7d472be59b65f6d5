import type { Problem } from '../errors.js';

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
