import { parseUrl } from '../../domain/input/urls.js';
import { isWebUrl } from '../web-url.js';

/** A link in the HTML of a post. */
export interface NoteLink {
  readonly href: string;
  /** The values of its `class` and `rel` attributes. */
  readonly classes: ReadonlySet<string>;
  /** Its text, including parts hidden by CSS. */
  text: string;
}

/**
 * Converts a link to plain text: its full URL; for a mention or a hashtag, the name as a user types
 * it.
 */
export function toLinkText({ href, classes, text }: NoteLink, mentions: readonly string[]): string {
  const label = text.trim();
  if (classes.has('hashtag') || classes.has('tag')) return label;
  if (classes.has('mention')) return toFullMention(label, mentions);
  if (!isWebUrl(href)) return label;
  return label === '' || isSameUrl(label, href) ? href : `${label} (${href})`;
}

/**
 * Adds the server to a mention, from the post's list of mentions. Posts display mentions without
 * it; if the text is sent again, the short name would refer to a different account or to none.
 */
function toFullMention(label: string, mentions: readonly string[]): string {
  const name = label.toLowerCase();
  if (mentions.some((mention) => mention.toLowerCase() === name)) return label;
  const [full, ...others] = mentions.filter((mention) =>
    mention.toLowerCase().startsWith(`${name}@`),
  );
  return full !== undefined && others.length === 0 ? full : label;
}

/**
 * Whether a text is the link's URL, possibly shortened with an ellipsis, without its scheme, or
 * encoded differently.
 */
function isSameUrl(label: string, href: string): boolean {
  const prefix = label.replace(/(?:…|\.{3})$/, '');
  if (prefix !== label) return withoutScheme(href).startsWith(withoutScheme(prefix));
  const url = isWebUrl(label) ? label : `https://${label}`;
  return withoutScheme(normalizeUrl(url)) === withoutScheme(normalizeUrl(href));
}

const withoutScheme = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

/** With host and percent-encoding in normal form. */
const normalizeUrl = (url: string): string => parseUrl(url)?.href ?? url;
