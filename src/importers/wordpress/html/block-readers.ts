import { isTag, type ChildNode, type Element } from 'domhandler';
import type { ContentBlock } from '../../../domain/posts/post-content.js';
import type { BlockData } from './block-data.js';
import { toBodyMedia } from './body-media.js';
import { toBlock, type ElementContext } from './element-context.js';
import { isBlankInline, isBlankText, nodeText, toInline, trimBreaks } from './html-inline.js';
import { readTable } from './html-table.js';
import { readList } from './list-reader.js';

/** Converts a block element to content blocks. */
export function readElement(context: ElementContext, element: Element): ContentBlock[] {
  return (
    READERS[element.name]?.(context, element) ??
    context.readPictures(element) ??
    context.keepElement(element)
  );
}

/**
 * Converts an element. Returns null if it does not fit the block type: it is then read as pictures,
 * or kept as HTML.
 */
type BlockReader = (context: ElementContext, element: Element) => ContentBlock[] | null;

const readHeader: BlockReader = (context, { name, children }) => {
  const { text, pictures, isInline } = toInline(children, false);
  if (!isInline) return null;
  const header = isBlankInline(text)
    ? []
    : [toBlock('header', { text, level: Number(name.slice(1)) })];
  return [...header, ...context.toMediaBlocks(pictures)];
};

const readListBlock: BlockReader = (context, element) => {
  const pictures = context.readPictures(element);
  if (pictures !== null) return pictures;
  const list = readList(context, element);
  return list === null ? null : list.items.length === 0 ? [] : [toBlock('list', list)];
};

const readQuote: BlockReader = (context, { children }) => {
  const last = children.findLast((child) => !isBlankText(child));
  const cite =
    last !== undefined && isTag(last) && (last.name === 'cite' || last.name === 'footer')
      ? last
      : null;
  const text = context.readFlow(children.filter((child) => child !== cite));
  const caption = cite === null ? '' : context.readFlow(cite.children);
  if (text === null || caption === null) return null;
  return isBlankInline(text + caption)
    ? []
    : [toBlock('quote', { text: trimBreaks(text), caption })];
};

/** Plain preformatted text becomes code; with markup, such as verse, it is kept as HTML. */
const readPre: BlockReader = (_, { children }) => {
  const isPlain = (node: ChildNode): boolean =>
    !isTag(node) || ((node.name === 'code' || node.name === 'br') && node.children.every(isPlain));
  if (!children.every(isPlain)) return null;
  const code = nodeText(children)
    .replace(/^\r?\n/, '')
    .trimEnd();
  return code === '' ? [] : [toBlock('code', { code })];
};

const readTableBlock: BlockReader = (context, element) => {
  const table = readTable(element, (nodes) => context.readFlow(nodes));
  return table === null ? null : [toBlock('table', table)];
};

const readVideo: BlockReader = (context, element) => {
  const media = element.children.some((child) => !isTag(child) && !isBlankText(child))
    ? null
    : toBodyMedia(element, '');
  return media === null ? null : [context.addMedia(media)];
};

/**
 * A figure with a table or video becomes that block with its caption; one with a quote or code
 * becomes that block, followed by the caption as a paragraph. Figures with pictures are read as
 * pictures.
 */
const readFigure: BlockReader = (context, element) => {
  const children = element.children.filter((child) => !isBlankText(child));
  const [content, caption, ...others] = children;
  if (
    others.length > 0 ||
    content === undefined ||
    !isTag(content) ||
    !FIGURE_CONTENT.has(content.name)
  )
    return null;
  const text =
    caption === undefined
      ? ''
      : isTag(caption) && caption.name === 'figcaption'
        ? context.readFlow(caption.children)
        : null;
  const blocks = text === null ? null : (READERS[content.name]?.(context, content) ?? null);
  if (blocks === null || text === null) return null;
  return isBlankInline(text) ? blocks : addCaption(blocks, text);
};
const FIGURE_CONTENT = new Set(['table', 'video', 'blockquote', 'pre']);

/** Blocks whose caption is that of their figure. */
const CAPTIONED_BLOCKS = new Set<string>(['table', 'media']);

function addCaption(blocks: readonly ContentBlock[], caption: string): ContentBlock[] {
  const paragraph = toBlock('paragraph', { text: caption });
  return blocks.flatMap((block) => {
    const data = block.data as BlockData['table' | 'media'];
    return CAPTIONED_BLOCKS.has(block.type) && data.caption === ''
      ? [{ ...block, data: { ...data, caption } }]
      : [block, paragraph];
  });
}

const READERS: Readonly<Record<string, BlockReader>> = {
  h1: readHeader,
  h2: readHeader,
  h3: readHeader,
  h4: readHeader,
  h5: readHeader,
  h6: readHeader,
  hr: () => [toBlock('delimiter', { mark: null })],
  ul: readListBlock,
  ol: readListBlock,
  blockquote: readQuote,
  pre: readPre,
  table: readTableBlock,
  video: readVideo,
  figure: readFigure,
};
