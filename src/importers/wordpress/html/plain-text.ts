import { Parser } from 'htmlparser2';
import type { ContentBlock } from '../../../domain/posts/post-content.js';
import { inlineText } from './html-inline.js';
import { LINE_BREAKING_ELEMENTS, HIDDEN_ELEMENTS } from './html-element-names.js';
import type { BlockData, ListItem } from './block-data.js';

/**
 * The visible text of HTML: entities decoded, white space collapsed as in a browser, one line per
 * paragraph, item or row.
 */
export function toPlainText(html: string): string {
  if (!/[<&\n]/.test(html)) return collapseWhitespace(html);
  const lines: string[] = [];
  let line = '';
  let hiddenDepth = 0;
  const endLine = (): void => {
    const text = collapseWhitespace(line);
    if (text !== '') lines.push(text);
    line = '';
  };
  const parser = new Parser({
    onopentag: (name) => {
      if (LINE_BREAKING_ELEMENTS.has(name)) endLine();
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth += 1;
    },
    ontext: (text) => {
      if (hiddenDepth === 0) line += text;
    },
    onclosetag: (name) => {
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth -= 1;
      if (LINE_BREAKING_ELEMENTS.has(name)) endLine();
    },
  });
  parser.end(html);
  endLine();
  return lines.join('\n');
}

/** Like toPlainText, in one line, for titles and names. */
export const toPlainLine = (html: string): string => toPlainText(html).replaceAll('\n', ' ');

/** Collapses white space like a browser; U+00A0 is kept. */
const collapseWhitespace = (text: string): string =>
  text.replace(/[ \t\r\n\f\v]{2,}|[\t\r\n\f\v]/g, ' ').replace(/^ | $/g, '');

/** Content blocks as plain text, separated by an empty line. */
export const blocksToText = (blocks: readonly ContentBlock[]): string =>
  blocks
    .map(blockToText)
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
  html: ({ html }) => toPlainText(html),
  quote: ({ text, caption }) => [inlineText(text), inlineText(caption)].join('\n').trim(),
};

/**
 * Accepts only blocks created by this importer: the data of blocks from clients is not validated.
 */
function blockToText({ type, data }: ContentBlock): string {
  return (BLOCK_TEXTS[type] as (data: unknown) => string)(data);
}

const itemText = ({ text, items }: ListItem): string =>
  [inlineText(text), ...items.map(itemText)].filter((line) => line !== '').join('\n');
