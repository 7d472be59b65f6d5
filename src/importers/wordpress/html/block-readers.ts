import { isTag, type Element, type ChildNode } from 'domhandler';
import type { ContentBlock } from '../../../domain/posts/post-content.js';
import { toBlock, toBodyMedia, type ElementContext } from './element-context.js';
import {
  toInline,
  isBlankInline,
  isBlankText,
  trimBreaks,
  nodeText,
  type BlockData,
  type ListData,
  type ListItem,
} from './html-text.js';

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

const isList = (node: ChildNode): node is Element =>
  isTag(node) && (node.name === 'ul' || node.name === 'ol');
const toListStyle = ({ name }: Element): ListData['style'] =>
  name === 'ol' ? 'ordered' : 'unordered';

/** A list with its nested lists; null if an item contains more than text and lists. */
function readList(context: ElementContext, element: Element): ListData | null {
  const items: ListItem[] = [];
  for (const child of element.children) {
    if (isBlankText(child)) continue;
    if (isTag(child) && child.name === 'li') {
      const item = readItem(context, child.children, toListStyle(element));
      if (item === null) return null;
      items.push(item);
    } else if (isList(child)) {
      // A list directly inside a list belongs to the preceding item.
      const nestedList = readList(context, child);
      const last = items.at(-1);
      if (nestedList === null || last === undefined) return null;
      last.style = nestedList.style;
      last.items.push(...nestedList.items);
    } else return null;
  }
  return { style: toListStyle(element), items };
}

function readItem(
  context: ElementContext,
  children: readonly ChildNode[],
  style: ListData['style'],
): ListItem | null {
  const lists = children.filter(isList).map((list) => readList(context, list));
  const firstList = children.findIndex(isList);
  const nodesAfterList =
    firstList < 0
      ? []
      : children.slice(firstList).filter((child) => !isList(child) && !isBlankText(child));
  // An item cannot represent text after a nested list.
  const text =
    nodesAfterList.length > 0 ? null : context.readFlow(children.filter((child) => !isList(child)));
  if (text === null || lists.includes(null)) return null;
  return {
    text,
    style: lists[0]?.style ?? style,
    items: lists.flatMap((list) => list?.items ?? []),
  };
}

/** Reads the content of a cell as one text; null if it contains more than text. */
type CellText = (nodes: readonly ChildNode[]) => string | null;

const SECTIONS = new Set(['thead', 'tbody']);
const IGNORED_ELEMENTS = new Set(['colgroup', 'col']);

/**
 * A table of plain rows; null if cells span or contain more than text, if there is text outside of
 * cells, or if the footer has several rows.
 */
function readTable(table: Element, cellText: CellText): BlockData['table'] | null {
  const rows: Element[] = [];
  const footerRows: Element[] = [];
  let caption: string | null = '';
  const collect = (nodes: readonly ChildNode[], target: Element[]): boolean =>
    nodes.every((node) => {
      if (isBlankText(node)) return true;
      if (!isTag(node)) return false;
      if (node.name === 'tr') target.push(node);
      else if (node.name === 'caption' && caption === '') caption = cellText(node.children);
      else if (node.name === 'tfoot') return collect(node.children, footerRows);
      else
        return SECTIONS.has(node.name)
          ? collect(node.children, target)
          : IGNORED_ELEMENTS.has(node.name);
      return true;
    });
  if (!collect(table.children, rows) || caption === null || footerRows.length > 1) return null;
  rows.push(...footerRows);
  if (rows.length === 0) return null;
  const texts = rows.map((row) => rowTexts(row, cellText));
  if (texts.some((row) => row === null)) return null;
  const first = rows[0]?.children.filter((cell) => !isBlankText(cell)) ?? [];
  const header = first.length > 0 && first.every((cell) => isTag(cell) && cell.name === 'th');
  return {
    caption,
    header,
    ...(footerRows.length > 0 && { footer: true }),
    rows: texts.flatMap((row) => (row === null ? [] : [row])),
  };
}

function rowTexts(row: Element, cellText: CellText): string[] | null {
  const texts: string[] = [];
  for (const cell of row.children) {
    if (isBlankText(cell)) continue;
    if (!isTag(cell) || (cell.name !== 'td' && cell.name !== 'th')) return null;
    const isSpanning =
      Number(cell.attribs['colspan'] ?? 1) > 1 || Number(cell.attribs['rowspan'] ?? 1) > 1;
    const text = isSpanning ? null : cellText(cell.children);
    if (text === null) return null;
    texts.push(text);
  }
  return texts;
}
