/** Reads the attributes of a shortcode: name="value", name='value' or name=value. */
export function readShortcodeAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(
    /([\w-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))/g,
  )) {
    attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
  }
  return attributes;
}

const OPEN = '[caption';
const CLOSE = '[/caption]';

/**
 * Converts WordPress's `[caption …]<img> text[/caption]` to a figure, in a single pass over the
 * body. An unterminated caption is left unchanged, and so is `[[caption]`, the escaped form that
 * displays the shortcode itself.
 */
export function captionsToFigures(body: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const open = body.indexOf(OPEN, from);
    const close = open < 0 ? -1 : body.indexOf(CLOSE, open);
    if (close < 0) return from === 0 ? body : result + body.slice(from);
    const tagEnd = findTagEnd(body, open + OPEN.length);
    const isLiteral = body[open - 1] === '[' || !/[\s\]]/.test(body[open + OPEN.length] ?? '');
    if (isLiteral || tagEnd < 0 || tagEnd > close) {
      result += body.slice(from, open + OPEN.length);
      from = open + OPEN.length;
    } else {
      result +=
        body.slice(from, open) +
        toFigure(body.slice(open + OPEN.length, tagEnd), body.slice(tagEnd + 1, close));
      from = close + CLOSE.length;
    }
  }
}

/**
 * Index of the `]` that ends the tag, ignoring quoted attribute values; -1 if there is none within
 * 10,000 characters, more than any real tag.
 */
function findTagEnd(body: string, from: number): number {
  let quote = '';
  for (let at = from; at < body.length && at < from + 10_000; at += 1) {
    const character = body[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ']') return at;
  }
  return -1;
}

function toFigure(tag: string, content: string): string {
  const caption = readShortcodeAttributes(tag).get('caption') ?? '';
  const split = /^(\s*(?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*)$/i.exec(content);
  const [picture, text] = split === null ? [content, ''] : [split[1] ?? '', split[2] ?? ''];
  return `<figure>${picture}<figcaption>${caption} ${text}</figcaption></figure>`;
}
