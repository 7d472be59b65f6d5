/** Characters that PostgreSQL cannot store: NUL, and lone surrogates, which UTF-8 cannot encode. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;
const REPLACEMENT = '\ufffd';

/** A faster check, with false positives: such characters are rare. */
const SUSPECT = /[\0\ud800-\udfff]/;

function isSuspect(value: unknown): boolean {
  if (typeof value === 'string') return SUSPECT.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => SUSPECT.test(key) || isSuspect(inner));
}

/**
 * Replaces unstorable characters by U+FFFD in all strings of a value, including keys. Dates are
 * kept. For JSON without cycles.
 */
export const toStorable = <T>(value: T): T => (isSuspect(value) ? replaceUnstorable(value) : value);

function replaceUnstorable<T>(value: T): T {
  if (typeof value === 'string') return value.replace(UNSTORABLE, REPLACEMENT) as T;
  if (Array.isArray(value)) return value.map(replaceUnstorable) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [replaceUnstorable(key), replaceUnstorable(inner)]),
  ) as T;
}

/** Longer words are split: truncating before them would lose too much text. */
const MAX_WORD_LENGTH = 200;

/**
 * A text truncated to `maxLength` code points, between words if possible, without whitespace at the
 * end.
 */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = 0;
  for (let count = 0; count < maxLength && end < text.length; count += 1)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  if (end === text.length) return text;
  const prefix = text.slice(0, end);
  if (/\s/.test(text.charAt(end))) return prefix.trimEnd();
  const space = prefix.slice(-MAX_WORD_LENGTH).search(/\s\S*$/);
  return space < 0
    ? prefix
    : prefix.slice(0, prefix.length - Math.min(MAX_WORD_LENGTH, prefix.length) + space).trimEnd();
}
