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
