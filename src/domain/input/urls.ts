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

/**
 * The URL, or null if the text is not an absolute URL. To be used instead of `URL.canParse`, which
 * in Node.js 20 returns false for hosts with letters outside ASCII, such as bücher.example, once V8
 * has optimized the call, after some thousand calls.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Everything before the hosts, the hosts, and everything after them. */
const PARTS = /^([a-z+]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** Splits a URL with one or more hosts into what is before the hosts, the hosts, and the rest. */
const urlParts = (url: string): readonly [start: string, hosts: string, end: string] => {
  const [, start = '', hosts = '', end = ''] = PARTS.exec(url) ?? [];
  return [start, hosts, end];
};

/**
 * One URL per host of a URL. With several hosts, as in `postgresql://user@a:5432,b:5432/posts`,
 * `new URL` does not accept the whole.
 */
export function singleHostUrls(url: string): string[] {
  const [start, hosts, end] = urlParts(url);
  return hosts.includes(',') ? hosts.split(',').map((host) => start + host + end) : [url];
}

/** A changed copy of a PostgreSQL URL with the same hosts. Null if the URL is not valid. */
export function changeDatabaseUrl(url: string, change: (url: URL) => void): string | null {
  const urls = singleHostUrls(url);
  const first = parseUrl(urls[0]!);
  if (!first) return null;
  change(first);
  if (urls.length === 1) return first.href;
  const [start, , end] = urlParts(first.href);
  return start + urlParts(url)[1] + end;
}

/** Values of `target_session_attrs` that a server that accepts changes has. */
const WRITABLE: readonly (string | null)[] = [null, 'any', 'read-write', 'primary'];

/** Whether the text is a PostgreSQL URL, with hosts that the service can use for changes. */
export function isDatabaseUrl(text: string): boolean {
  const urls = singleHostUrls(text).map(parseUrl);
  return urls.every(
    (url) =>
      url !== null &&
      /^postgres(ql)?:$/.test(url.protocol) &&
      (urls.length === 1 || url.host !== '') &&
      WRITABLE.includes(url.searchParams.get('target_session_attrs')),
  );
}
