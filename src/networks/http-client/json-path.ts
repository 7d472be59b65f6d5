/** Looks into JSON of which nothing is known. */
export const valueAt = (json: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    json,
  );

/** Null where there is no text. */
export function textAt(json: unknown, ...path: readonly (string | number)[]): string | null {
  const value = valueAt(json, ...path);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Null where there is no finite number. */
export function numberAt(json: unknown, ...path: readonly (string | number)[]): number | null {
  const value = valueAt(json, ...path);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Empty where there is no list. */
export function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value : [];
}
