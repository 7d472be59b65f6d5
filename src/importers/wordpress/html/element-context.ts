import { Element, isTag, isText, type ChildNode } from 'domhandler';
import { Parser } from 'htmlparser2';
import { readBlockDelimiters } from '../../../domain/posts/content-html.js';
import type { ContentBlock } from '../../../domain/posts/post-content.js';
import { isWebUrl, mediaTypeOfUrl } from '../../export-file.js';
import type { SourceRange } from './html-segments.js';
import {
  escapeText,
  toInline,
  isBlankText,
  isBlankInline,
  toPlainText,
  type BlockData,
  type BodyMedia,
  type InlinePicture,
} from './html-text.js';

/** Creates a content block. */
export const toBlock = <T extends keyof BlockData>(type: T, data: BlockData[T]): ContentBlock => ({
  type,
  data,
});

const toHtmlBlocks = (html: string): ContentBlock[] =>
  html.trim() === '' ? [] : [toBlock('html', { html: html.trim() })];

/** The delimiters inside an element are incomplete without those around it. */
function withoutDelimiters(html: string): string {
  let [result, from] = ['', 0];
  for (const { start, end } of readBlockDelimiters(html)) {
    result += html.slice(from, start);
    from = end;
  }
  return result + html.slice(from);
}

/** Elements that may contain pictures and a caption. */
const PICTURE_CONTAINERS = new Set(['figure', 'ul', 'li', 'div', 'p', 'picture', 'center']);

/** Shared state of the block readers of a body: its source, and the media found in it. */
export class ElementContext {
  /** Media in the order in which they were read. */
  readonly media: BodyMedia[] = [];

  constructor(
    private readonly source: string,
    private readonly isClassic: boolean,
  ) {}

  /** A part that has not been parsed as an `html` block, with its block delimiters. */
  keepUnparsed({ start, end }: SourceRange): ContentBlock[] {
    const html = this.source.slice(start, end);
    this.media.push(...findMedia(html));
    return toHtmlBlocks(html);
  }

  /** An element as an `html` block. */
  keepElement(element: Element): ContentBlock[] {
    this.collectMedia(element);
    return toHtmlBlocks(this.sourceOf(element));
  }

  /** Nodes as an `html` block: the source of elements, and the escaped text between them. */
  keepNodes(nodes: readonly ChildNode[]): ContentBlock[] {
    for (const node of nodes) if (isTag(node)) this.collectMedia(node);
    return toHtmlBlocks(
      nodes.map((node) => (isText(node) ? escapeText(node.data) : this.sourceOf(node))).join(''),
    );
  }

  /** Pictures as `media` blocks, or as `html` blocks if their URL is not http(s). */
  toMediaBlocks(pictures: readonly InlinePicture[], caption = ''): ContentBlock[] {
    return pictures.flatMap(({ image, link }) => {
      const media = toBodyMedia(image, caption);
      if (media === null) return toHtmlBlocks(this.sourceOf(image));
      this.media.push(media);
      return [
        toBlock('media', {
          url: media.url,
          type: media.type,
          alt: media.alt,
          caption,
          link: isWebUrl(link) ? link : '',
        }),
      ];
    });
  }

  /** Records a media item, and returns its block. */
  addMedia(file: BodyMedia): ContentBlock {
    this.media.push(file);
    const { url, type, alt, caption } = file;
    return toBlock('media', { url, type, alt, caption: escapeText(caption), link: '' });
  }

  /** Whether the element is a picture, or a link that contains only pictures. */
  isPicture(element: Element): boolean {
    if (element.name === 'img') return toInline([element], false).pictures.length > 0;
    return (
      element.name === 'a' &&
      element.children.some(isTag) &&
      element.children.every((child) => (isTag(child) ? this.isPicture(child) : isBlankText(child)))
    );
  }

  /**
   * The blocks of an element that contains only pictures and captions (a figure, a gallery); null
   * for any other.
   */
  readPictures(element: Element): ContentBlock[] | null {
    const blocks = PICTURE_CONTAINERS.has(element.name) ? this.readContainer(element) : null;
    return blocks !== null && blocks.some(({ type }) => type === 'media') ? blocks : null;
  }

  /** Inline nodes as text with inline markup; null if they contain a block or a picture. */
  readInline(nodes: readonly ChildNode[]): string | null {
    const { text, pictures, isInline } = toInline(nodes, this.isClassic);
    return isInline && pictures.length === 0 ? text : null;
  }

  /**
   * Text in paragraphs and boxes as one text with line breaks; null if it contains anything else.
   */
  readFlow(nodes: readonly ChildNode[]): string | null {
    const parts: string[] = [];
    let line: ChildNode[] = [];
    const endLine = (): boolean => {
      const text = this.readInline(line);
      line = [];
      if (text !== null && text !== '') parts.push(text);
      return text !== null;
    };
    for (const node of nodes) {
      if (!isTag(node) || (node.name !== 'p' && node.name !== 'div')) line.push(node);
      else {
        const inner = endLine() ? this.readFlow(node.children) : null;
        if (inner === null) return null;
        if (inner !== '') parts.push(inner);
      }
    }
    return endLine() ? parts.join('<br><br>') : null;
  }

  private readContainer(element: Element): ContentBlock[] | null {
    const caption = element.children.filter(isTag).find(({ name }) => name === 'figcaption');
    const others = element.children.filter((child) => child !== caption && !isBlankText(child));
    const captionText = caption === undefined ? '' : this.readFlow(caption.children);
    if (captionText === null || others.some((child) => !isTag(child))) return null;
    const images = others.filter(isTag);
    const single = images.length === 1 ? images[0] : undefined;
    if (single !== undefined && this.isPicture(single))
      return this.toMediaBlocks(toInline([single], false).pictures, captionText);
    const blocks: ContentBlock[] = [];
    for (const image of images) {
      const inner = this.isPicture(image)
        ? this.toMediaBlocks(toInline([image], false).pictures)
        : PICTURE_CONTAINERS.has(image.name)
          ? this.readContainer(image)
          : null;
      if (inner === null) return null;
      blocks.push(...inner);
    }
    return isBlankInline(captionText)
      ? blocks
      : [...blocks, toBlock('paragraph', { text: captionText })];
  }

  private sourceOf({ startIndex, endIndex }: ChildNode): string {
    return withoutDelimiters(this.source.slice(startIndex ?? 0, (endIndex ?? -1) + 1));
  }

  /** Media in an `html` block are media of the post as well. */
  private collectMedia(element: Element): void {
    const media = MEDIA_ELEMENTS.has(element.name) ? toBodyMedia(element, '') : null;
    if (media !== null) this.media.push(media);
    for (const child of element.children) if (isTag(child)) this.collectMedia(child);
  }
}

/** Elements that are media of the post. */
const MEDIA_ELEMENTS: ReadonlySet<string> = new Set(['img', 'video']);

/** The media of an `img` or `video` element; null if its URL is not http(s). */
export function toBodyMedia(
  { name, attribs, children }: Element,
  caption: string,
): BodyMedia | null {
  const source = children.filter(isTag).find((child) => child.name === 'source');
  const url = (attribs['src'] ?? source?.attribs['src'] ?? '').trim();
  if (!isWebUrl(url)) return null;
  return {
    url,
    type: mediaTypeOfUrl(url, name === 'video' ? 'video' : 'photo'),
    alt: attribs['alt']?.trim() ?? '',
    title: attribs['title']?.trim() ?? '',
    caption: toPlainText(caption),
    libraryId: /\bwp-image-(\d+)\b/.exec(attribs['class'] ?? '')?.[1] ?? null,
  };
}

/** The media of an HTML text, without a tree of it. */
function findMedia(html: string): BodyMedia[] {
  const elements: Element[] = [];
  const parser = new Parser({
    onopentag: (name, attribs) => {
      const last = elements.at(-1);
      if (MEDIA_ELEMENTS.has(name)) elements.push(new Element(name, attribs));
      else if (name === 'source' && last?.name === 'video')
        last.children.push(new Element(name, attribs));
    },
  });
  parser.end(html);
  return elements.flatMap((element) => toBodyMedia(element, '') ?? []);
}
