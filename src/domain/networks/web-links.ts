import { X_TOP_LEVEL_DOMAINS } from './top-level-domains.js';

/** A link in a text: UTF-16 index of its first character, and its length. */
export interface WebLink {
  readonly index: number;
  readonly length: number;
}

// The grammar of twitter-text, which X and Mastodon count with. Labels and domains are bounded, as
// in the domain name system, so that a long text is read in linear time.
const LATIN =
  '\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289\\u028B\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF';
const SPACES = '\\t-\\r \\x85\\xA0\\u1680\\u180E\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000';
const DIRECTION_MARKS = '\\u202A-\\u202E\\u061C\\u200E\\u200F\\u2066-\\u2069';
const INVALID = '\\uFFFE\\uFEFF\\uFFFF';
const DOMAIN_CHARACTER = `[^!'#%&()*+,\\\\\\-./:;<=>?@\\[\\]^_{|}~$${SPACES}${INVALID}${DIRECTION_MARKS}]`;
const label = (inner: string): string =>
  `(?:${DOMAIN_CHARACTER}(?:${inner}|${DOMAIN_CHARACTER}){0,61})?${DOMAIN_CHARACTER}\\.`;
const TOP_LEVEL = `(?:(?:${[...X_TOP_LEVEL_DOMAINS]
  .sort((a, b) => b.length - a.length)
  .join('|')})(?=[^0-9a-zA-Z@+-]|$)|xn--[-0-9a-z]+)`;
const DOMAIN = `(?:${label('[_-]')}){0,20}${label('-')}${TOP_LEVEL}`;
const PRECEDING = `(?:[^A-Za-z0-9@＠$#＃${INVALID}]|^)`;

const balancedParentheses = (character: string): string =>
  `\\((?:${character}+|${character}*\\(${character}+\\)${character}*)\\)`;

interface PathGrammar {
  readonly character: string;
  /** What a path may end with, besides a closing parenthesis. */
  readonly end: string;
  /** What a path may contain instead. */
  readonly other: string;
  readonly query: string;
}
const pathAndQuery = ({ character, end, other, query }: PathGrammar): string => {
  const parentheses = balancedParentheses(character);
  return `(\\/(?:${character}*(?:${parentheses}${character}*)*${end}|${parentheses}|${other})*)?(?:${query})?`;
};

const X_CHARACTER = `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&${LATIN}]`;
/** $1 preceding character, $2 scheme, $3 domain, $4 path */
const X_LINK = new RegExp(
  `(${PRECEDING})(https?:\\/\\/)?(${DOMAIN})(?::[0-9]+)?` +
    pathAndQuery({
      character: X_CHARACTER,
      end: `[+\\-a-z\\u0400-\\u04FF0-9=_#/${LATIN}]`,
      other: `@${X_CHARACTER}+\\/`,
      query: "\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z0-9\\-_&=#/]",
    }),
  'gi',
);
const ASCII_DOMAIN = new RegExp(`(?:[-a-z0-9${LATIN}]{1,63}\\.){1,20}${TOP_LEVEL}`, 'gi');
/** Links that X has shortened already: nothing belongs to them after their name. */
const SHORTENED =
  /^https?:\/\/t\.co\/([a-z0-9]+)(?:\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/])?/i;
const MAX_SHORTENED_NAME = 40;
const MAX_LINK_LENGTH = 4_096;
const MAX_LABEL_LENGTH = 63;

/** Domains in other scripts are links only after a scheme. */
function linksWithoutScheme(url: string, domain: string, hasPath: boolean): WebLink[] {
  const links = [...domain.matchAll(ASCII_DOMAIN)].map((match) => ({
    index: match.index,
    length: match[0].length,
  }));
  const last = links.pop();
  if (!last) return [];
  return [...links, hasPath ? { ...last, length: last.length + url.length - domain.length } : last];
}

/** The links of a text on X, with or without a scheme, as twitter-text finds them. */
export function findXLinks(text: string): WebLink[] {
  if (!text.includes('.')) return [];
  return [...text.matchAll(X_LINK)].flatMap((match): WebLink[] => {
    const [all, before = '', scheme = '', domain = '', path] = match;
    const url = all.slice(before.length);
    const index = match.index + before.length;
    if (domain.split('.').some((part) => part.length > MAX_LABEL_LENGTH)) return [];
    if ((scheme || 'https://').length + url.length > MAX_LINK_LENGTH) return [];
    if (scheme === '')
      return /[-_./]$/.test(before)
        ? []
        : linksWithoutScheme(url, domain, path !== undefined).map((link) => ({
            ...link,
            index: index + link.index,
          }));
    const shortened = SHORTENED.exec(url);
    if (!shortened) return [{ index, length: url.length }];
    return shortened[1]!.length > MAX_SHORTENED_NAME
      ? []
      : [{ index, length: shortened[0].length }];
  });
}

const MASTODON_CHARACTER = '[^\\s<>()?]';
const NOT_ASCII = '\\u00A0-\\uFFEF';
/** $1 preceding character */
const MASTODON_LINK = new RegExp(
  `(${PRECEDING})(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\\/\\/${DOMAIN}(?::[0-9]+)?` +
    pathAndQuery({
      character: MASTODON_CHARACTER,
      end: `[^\\s()?!*"'「」<>;:=,.$%\\[\\]~&|@]`,
      other: `${MASTODON_CHARACTER}+\\/`,
      query: `\\?[a-z0-9!?*'();:&=+$/%#\\[\\]\\-_.,~|@^${NOT_ASCII}]*[a-z0-9_&=#/\\-${NOT_ASCII}]`,
    }),
  'gi',
);

/** The text with each link that has a scheme replaced, as Mastodon counts it. */
export const replaceMastodonLinks = (text: string, replacement: string): string =>
  text.includes('://')
    ? text.replace(MASTODON_LINK, (_link, before: string) => before + replacement)
    : text;
