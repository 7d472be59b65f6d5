import { MAX_DATA_DEPTH } from './field-limits.js';
import { isJsonObject, type Reader } from './readers.js';
import { unstorable } from './text-readers.js';

/** What is wrong inside a JSON value. `room` is how many more levels there may be. */
function flaws(value: unknown, room: number): string[] {
  if (typeof value === 'string') return unstorable(value);
  // What JSON.parse makes of 1e999; it would be stored as null.
  if (typeof value === 'number')
    return Number.isFinite(value) ? [] : ['must not contain numbers too large for a double'];
  if (typeof value !== 'object' || value === null) return [];
  if (room === 0) return [`may be at most ${MAX_DATA_DEPTH} levels deep`];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...flaws(key, room),
    ...flaws(inner, room - 1),
  ]);
}

/**
 * A JSON object, kept as given (D25). Problems are told for the whole and not for the key they were found at: keys
 * in it are the caller's, so they are no names of ours and may themselves be what cannot be written.
 */
export const jsonObject: Reader<Record<string, unknown>> = (value, path, problems) => {
  if (!isJsonObject(value)) {
    problems.push({ path, message: 'must be a JSON object' });
    return undefined;
  }
  const found = new Set(flaws(value, MAX_DATA_DEPTH));
  problems.push(...[...found].map((message) => ({ path, message })));
  return found.size === 0 ? value : undefined;
};
