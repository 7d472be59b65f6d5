import { parseUrl } from './parse-url.js';

/** The length of WordPress's column for slugs; the blog truncates longer ones. */
export const MAX_SLUG_LENGTH = 200;

const SLUG = /^[\p{L}\p{M}\p{N}_]+(?:-[\p{L}\p{M}\p{N}_]+)*$/u;

/** Empty if the encoding is invalid, which is no slug either. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/**
 * Whether WordPress keeps the text as a slug (`sanitize_title`): lower-case letters of any script,
 * digits, underscores and single hyphens between them, themselves or percent-encoded. The length is
 * that of the encoded form, which is what WordPress stores.
 */
export function isSlug(text: string): boolean {
  const decoded = decode(text);
  return (
    SLUG.test(decoded) &&
    decoded === decoded.toLowerCase() &&
    encodeURIComponent(decoded).length <= MAX_SLUG_LENGTH
  );
}

export const SPACES_AND_CONTROLS = /[\s\p{Cc}]/u;

/**
 * Whether the text is an absolute URL that matches `start`. It is never fetched (D20), so any host
 * is allowed. Credentials are rejected because other users see the URL, backslashes because URL
 * parsers disagree on them.
 */
export const isUrl = (text: string, start: RegExp): boolean =>
  start.test(text) &&
  !SPACES_AND_CONTROLS.test(text) &&
  !/\\|^[a-z]+:\/\/[^/?#]*@/i.test(text) &&
  parseUrl(text) !== null;

/** The start of an http or https URL. */
export const WEB_URL_START = /^https?:\/\/[^/?#]/i;
export const isWebUrl = (text: string): boolean => isUrl(text, WEB_URL_START);
