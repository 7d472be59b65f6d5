import type { ContentBlock } from '../../../domain/posts/post.js';
import { isWebAddress, mediaTypeOf } from '../../web-file.js';
import type { BlockData, BodyMedia, ListData, ListItem } from './block-data.js';
import {
  escapeText,
  isBlankInline,
  isBlankText,
  nodeText,
  toInline,
  trimBreaks,
  type InlinePicture,
} from './html-inline.js';
import { readTable } from './html-table.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';
import { plainText } from './plain-text.js';

const block = <T extends keyof BlockData>(type: T, data: BlockData[T]): ContentBlock => ({
  type,
  data,
});
const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string';

/** Turns one block element of a body into content blocks, and gathers the media it meets. */
export class ElementReader {
  readonly media: BodyMedia[] = [];

  constructor(
    private readonly source: string,
    private readonly classic: boolean,
  ) {}

  read(element: HtmlElement): ContentBlock[] {
    return (
      READERS[element.name]?.(this, element) ?? this.asPictures(element) ?? this.asHtml(element)
    );
  }

  /** Kept as it stands. */
  raw(start: number, end: number): ContentBlock[] {
    const html = this.source.slice(start, end).trim();
    return html === '' ? [] : [block('html', { html })];
  }

  /** Inline nodes with a block in them: the elements as they stand, the text between them escaped again. */
  mixed(nodes: readonly HtmlNode[]): ContentBlock[] {
    for (const node of nodes) if (isElement(node)) this.gather(node);
    const html = nodes
      .map((node) => (isElement(node) ? this.source.slice(node.start, node.end) : escapeText(node)))
      .join('')
      .trim();
    return html === '' ? [] : [block('html', { html })];
  }

  pictures(pictures: readonly InlinePicture[], caption = ''): ContentBlock[] {
    return pictures.flatMap(({ image, link }) => {
      const media = bodyMedia(image, caption);
      if (media === null) return this.raw(image.start, image.end);
      this.media.push(media);
      return [
        block('media', {
          url: media.url,
          type: media.type,
          alt: media.alt,
          caption,
          link: isWebAddress(link) ? link : '',
        }),
      ];
    });
  }

  libraryFile(file: BodyMedia): ContentBlock {
    this.media.push(file);
    const { url, type, alt, caption } = file;
    return block('media', { url, type, alt, caption: escapeText(caption), link: '' });
  }

  /** A picture, alone or as all there is in a link. */
  isPicture(element: HtmlElement): boolean {
    if (element.name === 'img') return toInline([element], false).pictures.length > 0;
    return (
      element.name === 'a' &&
      element.children.some(isElement) &&
      element.children.every((child) =>
        isElement(child) ? this.isPicture(child) : isBlankText(child),
      )
    );
  }

  /** An element that holds pictures, their captions, and no other text: a figure, a gallery. */
  asPictures(element: HtmlElement): ContentBlock[] | null {
    const blocks = HOLDERS.has(element.name) ? this.holderBlocks(element) : null;
    return blocks !== null && blocks.some(({ type }) => type === 'media') ? blocks : null;
  }

  asHtml(element: HtmlElement): ContentBlock[] {
    this.gather(element);
    return this.raw(element.start, element.end);
  }

  inline(nodes: readonly HtmlNode[]): string | null {
    const { text, pictures, fits } = toInline(nodes, this.classic);
    return fits && pictures.length === 0 ? text : null;
  }

  /** Text that may stand in paragraphs and boxes, as one text with breaks; null when more than that is in it. */
  flow(nodes: readonly HtmlNode[]): string | null {
    const parts: string[] = [];
    let line: HtmlNode[] = [];
    const endLine = (): boolean => {
      const text = this.inline(line);
      line = [];
      if (text !== null && text !== '') parts.push(text);
      return text !== null;
    };
    for (const node of nodes) {
      if (!isElement(node) || (node.name !== 'p' && node.name !== 'div')) line.push(node);
      else {
        const inner = endLine() ? this.flow(node.children) : null;
        if (inner === null) return null;
        if (inner !== '') parts.push(inner);
      }
    }
    return endLine() ? parts.join('<br><br>') : null;
  }

  private holderBlocks(element: HtmlElement): ContentBlock[] | null {
    const caption = element.children.filter(isElement).find(({ name }) => name === 'figcaption');
    const rest = element.children.filter((child) => child !== caption && !isBlankText(child));
    const captionText = caption === undefined ? '' : this.flow(caption.children);
    if (captionText === null || rest.some((child) => !isElement(child))) return null;
    const images = rest.filter(isElement);
    const only = images.length === 1 ? images[0] : undefined;
    if (only !== undefined && this.isPicture(only))
      return this.pictures(toInline([only], false).pictures, captionText);
    const blocks: ContentBlock[] = [];
    for (const image of images) {
      const inner = this.isPicture(image)
        ? this.pictures(toInline([image], false).pictures)
        : HOLDERS.has(image.name)
          ? this.holderBlocks(image)
          : null;
      if (inner === null) return null;
      blocks.push(...inner);
    }
    return isBlankInline(captionText)
      ? blocks
      : [...blocks, block('paragraph', { text: captionText })];
  }

  /** Pictures inside what stays HTML are media of the post all the same. */
  private gather(element: HtmlElement): void {
    const media = MEDIA_ELEMENTS.has(element.name) ? bodyMedia(element, '') : null;
    if (media !== null) this.media.push(media);
    for (const child of element.children) if (isElement(child)) this.gather(child);
  }
}

const HOLDERS = new Set(['figure', 'ul', 'li', 'div', 'p', 'picture', 'center']);
const MEDIA_ELEMENTS = new Set(['img', 'video']);

/** Null where the address is not one of the web: it cannot be a post's media. */
function bodyMedia({ name, attributes, children }: HtmlElement, caption: string): BodyMedia | null {
  const source = children.filter(isElement).find((child) => child.name === 'source');
  const url = (attributes['src'] ?? source?.attributes['src'] ?? '').trim();
  if (!isWebAddress(url)) return null;
  return {
    url,
    type: mediaTypeOf(url, name === 'video' ? 'video' : 'photo'),
    alt: attributes['alt']?.trim() ?? '',
    title: attributes['title']?.trim() ?? '',
    caption: plainText(caption),
    libraryId: /\bwp-image-(\d+)\b/.exec(attributes['class'] ?? '')?.[1] ?? null,
  };
}

type BlockReader = (reader: ElementReader, element: HtmlElement) => ContentBlock[] | null;

const readHeader: BlockReader = (reader, { name, children }) => {
  const { text, pictures, fits } = toInline(children, false);
  if (!fits) return null;
  const header = isBlankInline(text)
    ? []
    : [block('header', { text, level: Number(name.slice(1)) })];
  return [...header, ...reader.pictures(pictures)];
};

const readListBlock: BlockReader = (reader, element) => {
  const pictures = reader.asPictures(element);
  if (pictures !== null) return pictures;
  const list = readList(reader, element);
  return list === null ? null : list.items.length === 0 ? [] : [block('list', list)];
};

const isList = (node: HtmlNode): node is HtmlElement =>
  isElement(node) && (node.name === 'ul' || node.name === 'ol');
const listStyle = ({ name }: HtmlElement): ListData['style'] =>
  name === 'ol' ? 'ordered' : 'unordered';

function readList(reader: ElementReader, element: HtmlElement): ListData | null {
  const items: ListItem[] = [];
  for (const child of element.children) {
    if (isBlankText(child)) continue;
    if (isElement(child) && child.name === 'li') {
      const item = readItem(reader, child.children, listStyle(element));
      if (item === null) return null;
      items.push(item);
    } else if (isList(child)) {
      // A list straight inside a list belongs to the item before it.
      const inner = readList(reader, child);
      const last = items.at(-1);
      if (inner === null || last === undefined) return null;
      last.style = inner.style;
      last.items.push(...inner.items);
    } else return null;
  }
  return { style: listStyle(element), items };
}

function readItem(
  reader: ElementReader,
  children: readonly HtmlNode[],
  style: ListData['style'],
): ListItem | null {
  const lists = children.filter(isList).map((list) => readList(reader, list));
  const from = children.findIndex(isList);
  const after =
    from < 0 ? [] : children.slice(from).filter((child) => !isList(child) && !isBlankText(child));
  // Text after an inner list has no place in an item.
  const text = after.length > 0 ? null : reader.flow(children.filter((child) => !isList(child)));
  if (text === null || lists.includes(null)) return null;
  return {
    text,
    style: lists[0]?.style ?? style,
    items: lists.flatMap((list) => list?.items ?? []),
  };
}

const readQuote: BlockReader = (reader, { children }) => {
  const last = children.findLast((child) => !isBlankText(child));
  const cite =
    last !== undefined && isElement(last) && (last.name === 'cite' || last.name === 'footer')
      ? last
      : null;
  const text = reader.flow(children.filter((child) => child !== cite));
  const caption = cite === null ? '' : reader.flow(cite.children);
  if (text === null || caption === null) return null;
  return isBlankInline(text + caption) ? [] : [block('quote', { text: trimBreaks(text), caption })];
};

/** Preformatted text loses nothing as code when it is only text; marked-up verse stays HTML. */
const readPre: BlockReader = (_, { children }) => {
  const isPlain = (node: HtmlNode): boolean =>
    !isElement(node) ||
    ((node.name === 'code' || node.name === 'br') && node.children.every(isPlain));
  if (!children.every(isPlain)) return null;
  const code = nodeText(children)
    .replace(/^\r?\n/, '')
    .trimEnd();
  return code === '' ? [] : [block('code', { code })];
};

const readTableBlock: BlockReader = (reader, element) => {
  const table = readTable(element, (nodes) => reader.flow(nodes));
  return table === null ? null : [block('table', table)];
};

const readVideo: BlockReader = (reader, element) => {
  const media = element.children.some((child) => !isElement(child) && !isBlankText(child))
    ? null
    : bodyMedia(element, '');
  return media === null ? null : [reader.libraryFile(media)];
};

/** A figure around a table, a film, a quote or code is that, with its caption; around pictures, the pictures. */
const readFigure: BlockReader = (reader, element) => {
  const parts = element.children.filter((child) => !isBlankText(child));
  const [inner, caption, more] = parts;
  if (
    more !== undefined ||
    inner === undefined ||
    !isElement(inner) ||
    !FIGURE_PARTS.has(inner.name)
  )
    return null;
  const text =
    caption === undefined
      ? ''
      : isElement(caption) && caption.name === 'figcaption'
        ? reader.flow(caption.children)
        : null;
  const blocks = text === null ? null : (READERS[inner.name]?.(reader, inner) ?? null);
  if (blocks === null || text === null) return null;
  return isBlankInline(text) ? blocks : [...blocks, block('paragraph', { text })];
};
const FIGURE_PARTS = new Set(['table', 'video', 'blockquote', 'pre']);

/** Null: it does not fit, and is tried as pictures, then kept as HTML. */
const READERS: Readonly<Record<string, BlockReader>> = {
  h1: readHeader,
  h2: readHeader,
  h3: readHeader,
  h4: readHeader,
  h5: readHeader,
  h6: readHeader,
  hr: () => [block('delimiter', { mark: null })],
  ul: readListBlock,
  ol: readListBlock,
  blockquote: readQuote,
  pre: readPre,
  table: readTableBlock,
  video: readVideo,
  figure: readFigure,
};
