/** What PostgreSQL cannot store: NUL, and halves of surrogate pairs, which UTF-8 has no form for. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;
const REPLACEMENT = '\ufffd';

/** What may be unstorable: found far faster, and hardly anything has it. */
const SUSPECT = /[\0\ud800-\udfff]/;

function isSuspect(value: unknown): boolean {
  if (typeof value === 'string') return SUSPECT.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => SUSPECT.test(key) || isSuspect(inner));
}

/** The value with U+FFFD in place of what no string may hold, in every string of it, keys included; dates stay. For JSON without cycles. */
export const storable = <T>(value: T): T => (isSuspect(value) ? replaced(value) : value);

function replaced<T>(value: T): T {
  if (typeof value === 'string') return value.replace(UNSTORABLE, REPLACEMENT) as T;
  if (Array.isArray(value)) return value.map(replaced) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [replaced(key), replaced(inner)]),
  ) as T;
}

/** A word that is longer than this is cut within: going back to its beginning would lose too much. */
const LONGEST_WORD = 200;

/** At most so many code points of a text, cut between words where there are any, without the space at the cut. */
export function fitted(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count += 1)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  if (end === text.length) return text;
  const cut = text.slice(0, end);
  if (/\s/.test(text.charAt(end))) return cut.trimEnd();
  const space = cut.slice(-LONGEST_WORD).search(/\s\S*$/);
  return space < 0
    ? cut
    : cut.slice(0, cut.length - Math.min(LONGEST_WORD, cut.length) + space).trimEnd();
}
