/** What a value must be; `null` where it is that, else what it is not. */
export type Check = (value: unknown) => string | null;
/** The fields of an object and no others; a name that ends in `?` may be absent. */
export interface Shape {
  readonly [field: string]: Check | Shape;
}

const is =
  (test: (value: unknown) => boolean, what: string): Check =>
  (value) =>
    test(value) ? null : `is not ${what}`;

export const text = is((value) => typeof value === 'string', 'text');
export const flag = is((value) => typeof value === 'boolean', 'true or false');
export const wholeFrom = (least: number): Check =>
  is(
    (value) => Number.isInteger(value) && (value as number) >= least,
    `a whole number from ${least}`,
  );
export const exactly = (wanted: unknown): Check =>
  is((value) => value === wanted, JSON.stringify(wanted));
export const like = (pattern: RegExp): Check =>
  is((value) => typeof value === 'string' && pattern.test(value), String(pattern));
export const listOf =
  (item: Check | Shape): Check =>
  (value) =>
    Array.isArray(value)
      ? (value.flatMap((one: unknown, at) =>
          flawsOf(one, item).map((flaw) => `${at}: ${flaw}`),
        )[0] ?? null)
      : 'is not a list';

/** Everything in which a value is not of a shape. */
export function flawsOf(value: unknown, shape: Check | Shape): string[] {
  if (typeof shape === 'function') return [shape(value) ?? []].flat();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ['is not an object'];
  const given = value as Record<string, unknown>;
  const known = Object.keys(shape).map((key) => key.replace(/\?$/, ''));
  return [
    ...Object.keys(given)
      .filter((key) => !known.includes(key))
      .map((key) => `${key} is not known`),
    ...Object.entries(shape).flatMap(([key, inner]) => {
      const name = key.replace(/\?$/, '');
      if (!(name in given)) return key.endsWith('?') ? [] : [`${name} is missing`];
      return flawsOf(given[name], inner).map((flaw) => `${name} ${flaw}`);
    }),
  ];
}
