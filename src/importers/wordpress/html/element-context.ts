import type { ContentBlock } from '../../../domain/posts/post-content.js';
import { isWebUrl } from '../../web-url.js';
import type { BlockData, BodyMedia } from './block-data.js';
import { toBodyMedia } from './body-media.js';
import {
  escapeText,
  isBlankInline,
  isBlankText,
  toInline,
  type InlinePicture,
} from './html-inline.js';
import { isElement, type HtmlElement, type HtmlNode } from './html-tree.js';

/** Creates a content block. */
export const toBlock = <T extends keyof BlockData>(type: T, data: BlockData[T]): ContentBlock => ({
  type,
  data,
});

/** Elements that may contain pictures and a caption. */
const PICTURE_CONTAINERS = new Set(['figure', 'ul', 'li', 'div', 'p', 'picture', 'center']);
const MEDIA_ELEMENTS = new Set(['img', 'video']);

/** Shared state of the block readers of a body: its source, and the media found in it. */
export class ElementContext {
  /** Media in the order in which they were read. */
  readonly media: BodyMedia[] = [];

  constructor(
    private readonly source: string,
    private readonly isClassic: boolean,
  ) {}

  /** Part of the source as an `html` block; no block if it is blank. */
  keepSource(start: number, end: number): ContentBlock[] {
    const html = this.source.slice(start, end).trim();
    return html === '' ? [] : [toBlock('html', { html })];
  }

  /** An element as an `html` block. */
  keepElement(element: HtmlElement): ContentBlock[] {
    this.collectMedia(element);
    return this.keepSource(element.start, element.end);
  }

  /** Nodes as an `html` block: the source of elements, and the escaped text between them. */
  keepNodes(nodes: readonly HtmlNode[]): ContentBlock[] {
    for (const node of nodes) if (isElement(node)) this.collectMedia(node);
    const html = nodes
      .map((node) => (isElement(node) ? this.source.slice(node.start, node.end) : escapeText(node)))
      .join('')
      .trim();
    return html === '' ? [] : [toBlock('html', { html })];
  }

  /** Pictures as `media` blocks, or as `html` blocks if their URL is not http(s). */
  toMediaBlocks(pictures: readonly InlinePicture[], caption = ''): ContentBlock[] {
    return pictures.flatMap(({ image, link }) => {
      const media = toBodyMedia(image, caption);
      if (media === null) return this.keepSource(image.start, image.end);
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

  /**
   * The blocks of an element that contains only pictures and captions (a figure, a gallery); null
   * for any other.
   */
  readPictures(element: HtmlElement): ContentBlock[] | null {
    const blocks = PICTURE_CONTAINERS.has(element.name) ? this.readContainer(element) : null;
    return blocks !== null && blocks.some(({ type }) => type === 'media') ? blocks : null;
  }

  /** Inline nodes as text with inline markup; null if they contain a block or a picture. */
  readInline(nodes: readonly HtmlNode[]): string | null {
    const { text, pictures, isInline } = toInline(nodes, this.isClassic);
    return isInline && pictures.length === 0 ? text : null;
  }

  /**
   * Text in paragraphs and boxes as one text with line breaks; null if it contains anything else.
   */
  readFlow(nodes: readonly HtmlNode[]): string | null {
    const parts: string[] = [];
    let line: HtmlNode[] = [];
    const endLine = (): boolean => {
      const text = this.readInline(line);
      line = [];
      if (text !== null && text !== '') parts.push(text);
      return text !== null;
    };
    for (const node of nodes) {
      if (!isElement(node) || (node.name !== 'p' && node.name !== 'div')) line.push(node);
      else {
        const inner = endLine() ? this.readFlow(node.children) : null;
        if (inner === null) return null;
        if (inner !== '') parts.push(inner);
      }
    }
    return endLine() ? parts.join('<br><br>') : null;
  }

  private readContainer(element: HtmlElement): ContentBlock[] | null {
    const caption = element.children.filter(isElement).find(({ name }) => name === 'figcaption');
    const others = element.children.filter((child) => child !== caption && !isBlankText(child));
    const captionText = caption === undefined ? '' : this.readFlow(caption.children);
    if (captionText === null || others.some((child) => !isElement(child))) return null;
    const images = others.filter(isElement);
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

  /** Media in an `html` block are media of the post as well. */
  private collectMedia(element: HtmlElement): void {
    const media = MEDIA_ELEMENTS.has(element.name) ? toBodyMedia(element, '') : null;
    if (media !== null) this.media.push(media);
    for (const child of element.children) if (isElement(child)) this.collectMedia(child);
  }
}
