import { isWebUrl } from '../web-url.js';

/** A link in the HTML of a post. */
export interface NoteLink {
  readonly href: string;
  /** The values of its `class` and `rel` attributes. */
  readonly classes: ReadonlySet<string>;
  /** Its text, including parts hidden by CSS. */
  text: string;
}

/** A link as plain text: its full URL; for a mention or a hashtag, the name as a user types it. */
export function toLinkText({ href, classes, text }: NoteLink, mentions: readonly string[]): string {
  const shown = text.trim();
  if (classes.has('hashtag') || classes.has('tag')) return shown;
  if (classes.has('mention')) return toFullMention(shown, mentions);
  if (!isWebUrl(href)) return shown;
  return shown === '' || isSameUrl(shown, href) ? href : `${shown} (${href})`;
}

/**
 * A mention is displayed without its server. If the text is sent again, the short name refers to a different account or
 * to none, so it is completed from the post's list of mentions.
 */
function toFullMention(shown: string, mentions: readonly string[]): string {
  const name = shown.toLowerCase();
  if (mentions.some((mention) => mention.toLowerCase() === name)) return shown;
  const [full, ...others] = mentions.filter((mention) =>
    mention.toLowerCase().startsWith(`${name}@`),
  );
  return full !== undefined && others.length === 0 ? full : shown;
}

/** Whether a text is the link's URL, possibly shortened with an ellipsis, without its scheme, or encoded differently. */
function isSameUrl(shown: string, href: string): boolean {
  const prefix = shown.replace(/(?:…|\.{3})$/, '');
  if (prefix !== shown) return withoutScheme(href).startsWith(withoutScheme(prefix));
  const url = isWebUrl(shown) ? shown : `https://${shown}`;
  return withoutScheme(normalizeUrl(url)) === withoutScheme(normalizeUrl(href));
}

const withoutScheme = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

/** With host and percent-encoding in normal form. */
const normalizeUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);
