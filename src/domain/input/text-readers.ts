import { codePoints, type FieldLimit } from './field-limits.js';
import { matching, type Reader } from './readers.js';
import { hasVisibleText } from './visible-text.js';
import { isUrl, SPACES_AND_CONTROLS, WEB_URL_START } from './url-formats.js';

const UNSTORABLE = [
  { pattern: /\0/, message: 'must not contain NUL characters' },
  { pattern: /\p{Surrogate}/u, message: 'must not contain lone surrogates' },
] as const;

/**
 * Problems of characters that cannot be stored: PostgreSQL does not store NUL, and UTF-8 cannot
 * encode a lone surrogate.
 */
export const unstorableProblems = (text: string): string[] =>
  UNSTORABLE.filter(({ pattern }) => pattern.test(text)).map(({ message }) => message);

function lengthProblem(
  text: string,
  { minLength = 0, maxLength = Infinity }: FieldLimit,
): string | null {
  const length = minLength > 0 && !hasVisibleText(text) ? 0 : codePoints(text);
  if (length >= minLength && length <= maxLength) return null;
  const allowed =
    minLength > 0 ? `must have ${minLength} to ${maxLength}` : `may have at most ${maxLength}`;
  return `${allowed} characters; it has ${length}`;
}

type TextCheck = (text: string) => string | readonly string[] | null;

/** A string that passes every check; each failed check is a problem. */
const string =
  (...checks: readonly TextCheck[]): Reader<string> =>
  (value, path, problems) => {
    if (typeof value !== 'string') {
      problems.push({ path, message: 'must be a string' });
      return undefined;
    }
    const messages = checks.flatMap((check) => check(value) ?? []);
    problems.push(...messages.map((message) => ({ path, message })));
    return messages.length === 0 ? value : undefined;
  };

const within =
  (limit: FieldLimit): TextCheck =>
  (text) =>
    lengthProblem(text, limit);

/** Without NUL, which has its own message. */
const controlProblem: TextCheck = (text) =>
  /[\u0001-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
    ? 'must not contain control characters or line breaks'
    : null;

/** Multi-line text, not normalized: line breaks, tabs and other control characters are allowed. */
export const text = (limit: FieldLimit): Reader<string> =>
  string(unstorableProblems, within(limit));

/** A single line, not normalized, without control characters. */
export const line = (limit: FieldLimit): Reader<string> =>
  string(unstorableProblems, controlProblem, within(limit));

/** A name: a single line, trimmed. */
export const name = (limit: FieldLimit): Reader<string> => {
  const readLine = line(limit);
  return (value, path, problems) =>
    readLine(typeof value === 'string' ? value.trim() : value, path, problems);
};

/**
 * A post's `url`: a URL or a blog's slug. Its format depends on the network and is checked later
 * (D21).
 */
export const urlOrSlug = (limit: FieldLimit): Reader<string> =>
  string(
    unstorableProblems,
    (value) =>
      SPACES_AND_CONTROLS.test(value) ? 'must not contain spaces or control characters' : null,
    within(limit),
  );

/** An absolute URL (see isUrl). The scheme is lowercased, the rest is not normalized. */
const url =
  (start: RegExp, message: string) =>
  (limit: FieldLimit): Reader<string> => {
    const readUrl = string(
      unstorableProblems,
      (value) => (isUrl(value, start) ? null : message),
      within(limit),
    );
    return (value, path, problems) =>
      readUrl(value, path, problems)?.replace(/^[a-z]+/i, (name) => name.toLowerCase());
  };

/** An absolute http or https URL. */
export const webUrl = url(
  WEB_URL_START,
  'must be an http or https URL, without spaces, backslashes or credentials',
);
/** An absolute https URL. */
export const httpsUrl = url(
  /^https:\/\/[^/?#]/i,
  'must be an https URL, without spaces, backslashes or credentials',
);

const hexColor = matching(
  (value): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value),
  'must be # and six hex digits, such as #1e90ff',
);

/** A color, lowercased. */
export const color: Reader<string> = (value, path, problems) =>
  hexColor(value, path, problems)?.toLowerCase();
