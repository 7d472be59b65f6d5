/** The attributes of a shortcode's tag: name="value", name='value' or name=value. */
export function shortcodeAttributes(text: string): ReadonlyMap<string, string> {
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
 * Writes WordPress's `[caption …]<img> text[/caption]` as the figure that it is on the page. One walk over the body:
 * what has no end stays as it is, as does `[[caption]`, which is how a post shows the shortcode itself.
 */
export function captionsToFigures(body: string): string {
  let out = '';
  let from = 0;
  for (;;) {
    const open = body.indexOf(OPEN, from);
    const close = open < 0 ? -1 : body.indexOf(CLOSE, open);
    if (close < 0) return from === 0 ? body : out + body.slice(from);
    const end = close + CLOSE.length;
    const tagEnd = tagEndOf(body, open + OPEN.length);
    const isLiteral = body[open - 1] === '[' || !/[\s\]]/.test(body[open + OPEN.length] ?? '');
    if (isLiteral || tagEnd < 0 || tagEnd > close) {
      out += body.slice(from, open + OPEN.length);
      from = open + OPEN.length;
    } else {
      out +=
        body.slice(from, open) +
        figure(body.slice(open + OPEN.length, tagEnd), body.slice(tagEnd + 1, close));
      from = end;
    }
  }
}

/** Where the tag ends: a `]` in an attribute's quotes is none. Tags longer than 10,000 characters are not written. */
function tagEndOf(body: string, from: number): number {
  let quote = '';
  for (let at = from; at < body.length && at < from + 10_000; at += 1) {
    const character = body[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ']') return at;
  }
  return -1;
}

function figure(tag: string, content: string): string {
  const caption = shortcodeAttributes(tag).get('caption') ?? '';
  const split = /^(\s*(?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*)$/i.exec(content);
  const [picture, text] = split === null ? [content, ''] : [split[1] ?? '', split[2] ?? ''];
  return `<figure>${picture}<figcaption>${caption} ${text}</figcaption></figure>`;
}
