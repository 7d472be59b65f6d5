/** The value at a path in untrusted JSON; undefined if the path does not exist. */
export const valueAt = (json: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    json,
  );

/** The non-empty string at a path; null if there is none. */
export function textAt(json: unknown, ...path: readonly (string | number)[]): string | null {
  const value = valueAt(json, ...path);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The finite number at a path; null if there is none. */
export function numberAt(json: unknown, ...path: readonly (string | number)[]): number | null {
  const value = valueAt(json, ...path);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The array at a path; empty if there is none. */
export function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value : [];
}
