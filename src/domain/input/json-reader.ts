import { MAX_DATA_DEPTH } from './field-limits.js';
import { isJsonObject, type Reader } from './readers.js';
import { unstorableProblems } from './text-readers.js';

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
