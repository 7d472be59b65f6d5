import { codePoints, type FieldLimit, isJsonObject, matching, type Reader } from './readers.js';
import { isUrl, SPACES_AND_CONTROLS, WEB_URL_START } from './urls.js';

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

/**
 * A character that readers can see: no space, no control character, none that only affects how
 * others are displayed (such as zero-width spaces, variation selectors and the fillers of Hangul),
 * and neither the blank Braille pattern nor the marks of annotations.
 */
const VISIBLE_CHARACTER =
  /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Whether readers can see any of the text. If not, it counts as empty where a text is required. */
export const hasVisibleText = (text: string | null | undefined): boolean =>
  text != null && VISIBLE_CHARACTER.test(text);

/**
 * Maximum nesting depth of a content block's data, itself included: bounds the stack of recursive
 * readers.
 */
export const MAX_DATA_DEPTH = 16;

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
