import { codePoints, type FieldLimit } from './field-limits.js';
import { matching, type Reader } from './readers.js';

const UNSTORABLE = [
  { pattern: /\0/, message: 'must not contain NUL characters' },
  { pattern: /\p{Surrogate}/u, message: 'must not contain lone surrogates' },
] as const;

/** What no string may hold anywhere: PostgreSQL stores no NUL, and UTF-8 has no form for half a surrogate pair. */
export const unstorable = (text: string): string[] =>
  UNSTORABLE.filter(({ pattern }) => pattern.test(text)).map(({ message }) => message);

function lengthProblem(
  text: string,
  { minLength = 0, maxLength = Infinity }: FieldLimit,
): string | null {
  const length = codePoints(text);
  if (length >= minLength && length <= maxLength) return null;
  const allowed =
    minLength > 0 ? `must have ${minLength} to ${maxLength}` : `may have at most ${maxLength}`;
  return `${allowed} characters; it has ${length}`;
}

type TextCheck = (text: string) => string | readonly string[] | null;

/** A string that passes every check; each that it fails is a problem. */
const string =
  (...checks: readonly TextCheck[]): Reader<string> =>
  (value, path, problems) => {
    if (typeof value !== 'string') {
      problems.push({ path, message: 'must be a string' });
      return undefined;
    }
    const found = checks.flatMap((check) => check(value) ?? []);
    problems.push(...found.map((message) => ({ path, message })));
    return found.length === 0 ? value : undefined;
  };

const within =
  (limit: FieldLimit): TextCheck =>
  (text) =>
    lengthProblem(text, limit);

/** NUL has a message of its own. */
const controlProblem: TextCheck = (text) =>
  /[\u0001-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
    ? 'must not contain control characters or line breaks'
    : null;

/** Text for people, kept as given: lines, tabs and other control characters are theirs to use. */
export const text = (limit: FieldLimit): Reader<string> => string(unstorable, within(limit));

/** One line, kept as given: no control characters. */
export const line = (limit: FieldLimit): Reader<string> =>
  string(unstorable, controlProblem, within(limit));

/** One line that names something: space around it is not part of it. */
export const name = (limit: FieldLimit): Reader<string> => {
  const read = line(limit);
  return (value, path, problems) =>
    read(typeof value === 'string' ? value.trim() : value, path, problems);
};

const SPACES_AND_CONTROLS = /[\s\p{Cc}]/u;

/** What a post's `url` is, an address or a blog's slug: which of them, and its format, depends on the network (D21). */
export const address = (limit: FieldLimit): Reader<string> =>
  string(
    unstorable,
    (value) =>
      SPACES_AND_CONTROLS.test(value) ? 'must not contain spaces or control characters' : null,
    within(limit),
  );

/**
 * An absolute URL of a scheme, which comes out in lower case; the rest is kept as given. It is never fetched (D20), so
 * any host will do. No credentials, since URLs are shown to others, and no backslash, which readers of URLs disagree on.
 */
const url =
  (scheme: RegExp, message: string) =>
  (limit: FieldLimit): Reader<string> => {
    const isUrl = (value: string): boolean =>
      scheme.test(value) &&
      !SPACES_AND_CONTROLS.test(value) &&
      !/\\|^[a-z]+:\/\/[^/?#]*@/i.test(value) &&
      URL.canParse(value);
    const read = string(unstorable, (value) => (isUrl(value) ? null : message), within(limit));
    return (value, path, problems) =>
      read(value, path, problems)?.replace(/^[a-z]+/i, (word) => word.toLowerCase());
  };

export const webUrl = url(
  /^https?:\/\/[^/?#]/i,
  'must be an http or https URL, without spaces, backslashes or credentials',
);
export const httpsUrl = url(
  /^https:\/\/[^/?#]/i,
  'must be an https URL, without spaces, backslashes or credentials',
);

const COLOR = matching(
  (value): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value),
  'must be # and six hex digits, such as #1e90ff',
);

/** A colour; comes out in lower case. */
export const color: Reader<string> = (value, path, problems) =>
  COLOR(value, path, problems)?.toLowerCase();
