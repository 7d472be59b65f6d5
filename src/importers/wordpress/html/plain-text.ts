import { Parser } from 'htmlparser2';
import type { ContentBlock } from '../../../domain/posts/post.js';
import { inlineText } from './html-inline.js';
import { LINES, UNSEEN } from './html-words.js';
import type { BlockData, ListItem } from './block-data.js';

/**
 * The text a reader sees of a piece of HTML: entities read, white space as a browser shows it, one line a paragraph,
 * item or row.
 */
export function plainText(html: string): string {
  if (!/[<&\n]/.test(html)) return collapse(html);
  const lines: string[] = [];
  let line = '';
  let unseen = 0;
  const endLine = (): void => {
    const text = collapse(line);
    if (text !== '') lines.push(text);
    line = '';
  };
  const parser = new Parser({
    onopentag: (name) => {
      if (LINES.has(name)) endLine();
      if (UNSEEN.has(name)) unseen += 1;
    },
    ontext: (text) => {
      if (unseen === 0) line += text;
    },
    onclosetag: (name) => {
      if (UNSEEN.has(name)) unseen -= 1;
      if (LINES.has(name)) endLine();
    },
  });
  parser.end(html);
  endLine();
  return lines.join('\n');
}

/** As plainText, in one line: titles and names. */
export const lineText = (html: string): string => plainText(html).replaceAll('\n', ' ');

/** White space as a browser shows it; U+00A0 stays, as it does there. */
const collapse = (text: string): string =>
  text.replace(/[ \t\r\n\f\v]{2,}|[\t\r\n\f\v]/g, ' ').replace(/^ | $/g, '');

/** The text of content blocks as plain text: blocks parted by an empty line. */
export const blocksText = (blocks: readonly ContentBlock[]): string =>
  blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n\n');

const BLOCK_TEXTS: { readonly [T in keyof BlockData]: (data: BlockData[T]) => string } = {
  paragraph: ({ text }) => inlineText(text),
  header: ({ text }) => inlineText(text),
  list: ({ items }) => items.map(itemText).join('\n'),
  media: ({ caption }) => inlineText(caption),
  table: ({ caption, rows }) =>
    [
      inlineText(caption),
      ...rows.map((row) => row.map((cell) => inlineText(cell).replaceAll('\n', ' ')).join('\t')),
    ]
      .join('\n')
      .trim(),
  delimiter: () => '',
  code: ({ code }) => code,
  html: ({ html }) => plainText(html),
  quote: ({ text, caption }) => [inlineText(text), inlineText(caption)].join('\n').trim(),
};

/** Only for blocks that the readers in this room made: what callers send has no shape to rely on. */
function blockText({ type, data }: ContentBlock): string {
  return (BLOCK_TEXTS[type] as (data: unknown) => string)(data);
}

const itemText = ({ text, items }: ListItem): string =>
  [inlineText(text), ...items.map(itemText)].filter((line) => line !== '').join('\n');
