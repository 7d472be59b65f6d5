import { isWebAddress } from '../web-file.js';

/** A link as it stands in a post's HTML. */
export interface NoteLink {
  readonly href: string;
  /** The words of its `class` and `rel`. */
  readonly words: ReadonlySet<string>;
  /** Its text, what is hidden from readers included. */
  text: string;
}

/** What a link is in a text without links: its whole address, or, of a mention or a hashtag, the name that a reader types. */
export function linkText({ href, words, text }: NoteLink, mentions: readonly string[]): string {
  const shown = text.trim();
  if (words.has('hashtag') || words.has('tag')) return shown;
  if (words.has('mention')) return fullMention(shown, mentions);
  if (!isWebAddress(href)) return shown;
  return shown === '' || isAddress(shown, href) ? href : `${shown} (${href})`;
}

/**
 * A mention shows the name without its server. Without it the name is someone else's, or nobody's, once the text is sent
 * again; the post lists whom it mentions in full.
 */
function fullMention(shown: string, mentions: readonly string[]): string {
  const name = shown.toLowerCase();
  if (mentions.some((mention) => mention.toLowerCase() === name)) return shown;
  const [full, ...others] = mentions.filter((mention) =>
    mention.toLowerCase().startsWith(`${name}@`),
  );
  return full !== undefined && others.length === 0 ? full : shown;
}

/** Whether a text is the link's address, which may be cut off with an ellipsis, without its scheme, or spelled otherwise. */
function isAddress(shown: string, href: string): boolean {
  const beginning = shown.replace(/(?:…|\.{3})$/, '');
  if (beginning !== shown) return withoutScheme(href).startsWith(withoutScheme(beginning));
  const address = isWebAddress(shown) ? shown : `https://${shown}`;
  return withoutScheme(spelledOut(address)) === withoutScheme(spelledOut(href));
}

const withoutScheme = (address: string): string =>
  address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

/** With the host and the escapes as browsers write them. */
const spelledOut = (address: string): string =>
  URL.canParse(address) ? new URL(address).href : address;
