const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

const ofCodePoint = (codePoint: number, entity: string): string =>
  codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint) : entity;

/** A text with its HTML entities decoded: numeric ones, and those that must be escaped. */
export const decodeEntities = (html: string): string =>
  html.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) =>
    name === undefined
      ? ofCodePoint(decimal === undefined ? parseInt(hex!, 16) : Number(decimal), entity)
      : (ENTITIES[name.toLowerCase()] ?? entity),
  );

/** The text of HTML: tags become white space only where they end a line. */
export const textOfHtml = (html: string): string =>
  decodeEntities(
    html.replace(/<(?:br|\/p|\/div|\/li)\b[^<>]*>/gi, '\n').replace(/<[^<>]*>/g, ''),
  ).trim();

/** A mention of an account on another server, which networks show without the server. */
const REMOTE_MENTION = /(@[\p{L}\p{N}_.-]+)@[\p{L}\p{N}.-]+/gu;
/** What networks add, drop or replace: white space, invisible characters and punctuation. */
const VARIABLE = /[\s\p{C}\p{P}\p{Sk}\u{fe0f}]/gu;

/**
 * A text without everything that networks change when they show it, so that a post can be
 * recognized by its text (D54). A text of nothing else keeps its punctuation.
 */
export function comparableText(text: string): string {
  const normal = text.normalize('NFKC').toLowerCase().replace(REMOTE_MENTION, '$1');
  const comparable = normal.replace(VARIABLE, '');
  return comparable === '' ? normal.replace(/\s/gu, '') : comparable;
}
