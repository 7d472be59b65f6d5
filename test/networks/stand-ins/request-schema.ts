/** Returns null if the value is valid, else the problem. */
export type Check = (value: unknown) => string | null;
/** All allowed fields of an object. A name that ends in `?` is optional. */
export interface Schema {
  readonly [field: string]: Check | Schema;
}

const check =
  (test: (value: unknown) => boolean, expected: string): Check =>
  (value) =>
    test(value) ? null : `is not ${expected}`;

export const text = check((value) => typeof value === 'string', 'text');
export const boolean = check((value) => typeof value === 'boolean', 'true or false');
export const integerFrom = (minimum: number): Check =>
  check(
    (value) => Number.isInteger(value) && (value as number) >= minimum,
    `a whole number from ${minimum}`,
  );
export const exactly = (expected: unknown): Check =>
  check((value) => value === expected, JSON.stringify(expected));
export const matching = (pattern: RegExp): Check =>
  check((value) => typeof value === 'string' && pattern.test(value), String(pattern));
export const listOf =
  (item: Check | Schema): Check =>
  (value) =>
    Array.isArray(value)
      ? (value.flatMap((element: unknown, index) =>
          findViolations(element, item).map((problem) => `${index}: ${problem}`),
        )[0] ?? null)
      : 'is not a list';

/** All problems of a value. */
export function findViolations(value: unknown, schema: Check | Schema): string[] {
  if (typeof schema === 'function') return [schema(value) ?? []].flat();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ['is not an object'];
  const fields = value as Record<string, unknown>;
  const allowed = Object.keys(schema).map((key) => key.replace(/\?$/, ''));
  return [
    ...Object.keys(fields)
      .filter((key) => !allowed.includes(key))
      .map((key) => `unknown field ${key}`),
    ...Object.entries(schema).flatMap(([key, inner]) => {
      const name = key.replace(/\?$/, '');
      if (!(name in fields)) return key.endsWith('?') ? [] : [`${name} is missing`];
      return findViolations(fields[name], inner).map((problem) => `${name} ${problem}`);
    }),
  ];
}
