import { isTag, isText, Text, type ChildNode } from 'domhandler';
import type { ContentBlock } from '../../../domain/posts/post-content.js';
import { readElement } from './block-readers.js';
import { ElementContext } from './element-context.js';
import { readSegments, findKeptBlocks } from './html-segments.js';
import { toInline, isBlankInline, trimBreaks, nodeText, type BodyMedia } from './html-text.js';

interface BodyOptions {
  /** Returns the files of a `[gallery]` with these IDs; for null, those attached to the post. */
  readonly gallery?: (ids: readonly string[] | null) => readonly BodyMedia[];
}
/** The content of a post. */
interface Body {
  readonly blocks: ContentBlock[];
  readonly media: BodyMedia[];
}

/**
 * Converts the body of a WordPress post to content blocks. In the classic editor an empty line ends
 * a paragraph and line breaks are visible; in the block editor only markup is significant. No
 * visible text and no dynamic block is lost: what fits no block type becomes an `html` block.
 */
export function readBody(source: string, options: BodyOptions = {}): Body {
  const reader = new BodyReader(captionsToFigures(source), options);
  return { blocks: reader.blocks, media: reader.context.media };
}

class BodyReader {
  readonly blocks: ContentBlock[] = [];
  readonly context: ElementContext;
  private readonly isClassic: boolean;

  constructor(
    html: string,
    private readonly options: BodyOptions,
  ) {
    this.isClassic = !html.includes('<!-- wp:');
    this.context = new ElementContext(html, this.isClassic);
    readSegments(html, {
      kept: this.isClassic ? [] : findKeptBlocks(html),
      onSegment: (segment) => {
        if (segment.kind === 'run') this.readRun(segment.nodes);
        else if (segment.kind === 'block')
          this.blocks.push(...readElement(this.context, segment.element));
        else if (segment.kind === 'mark')
          this.blocks.push({ type: 'delimiter', data: { mark: segment.mark } });
        else this.blocks.push(...this.context.keepUnparsed(segment));
      },
    });
  }

  private readRun(nodes: readonly ChildNode[]): void {
    for (const line of this.isClassic ? splitParagraphs(nodes) : [nodes]) {
      const gallery = this.readGallery(line);
      if (gallery.length > 0) this.blocks.push(...gallery);
      else this.readParagraph(line);
    }
  }

  /**
   * A picture at the top level of the text becomes a block at its position; the block of a nested
   * one follows the paragraph.
   */
  private readParagraph(nodes: readonly ChildNode[]): void {
    let line: ChildNode[] = [];
    for (const node of nodes) {
      if (isTag(node) && this.context.isPicture(node)) {
        this.endParagraph(line);
        line = [];
        this.blocks.push(...this.context.toMediaBlocks(toInline([node], false).pictures));
      } else line.push(node);
    }
    this.endParagraph(line);
  }

  private endParagraph(nodes: readonly ChildNode[]): void {
    const { text, pictures, isInline } = toInline(nodes, this.isClassic);
    if (!isInline) {
      this.blocks.push(...this.context.keepNodes(nodes));
      return;
    }
    if (!isBlankInline(text))
      this.blocks.push({ type: 'paragraph', data: { text: trimBreaks(text) } });
    this.blocks.push(...this.context.toMediaBlocks(pictures));
  }

  private readGallery(nodes: readonly ChildNode[]): ContentBlock[] {
    if (this.options.gallery === undefined || !nodes.every(isText)) return [];
    const tag = /^\s*\[gallery(\s[^\]]*)?\]\s*$/.exec(nodeText(nodes));
    if (tag === null) return [];
    const attributes = readShortcodeAttributes(tag[1] ?? '');
    const ids = attributes.get('ids') ?? attributes.get('include');
    const files = this.options.gallery(
      ids === undefined ? null : ids.split(',').map((id) => id.trim()),
    );
    return files.map((file) => this.context.addMedia(file));
  }
}

/** Splits at empty lines; only text at the top level of the run is split. */
function splitParagraphs(nodes: readonly ChildNode[]): ChildNode[][] {
  const paragraphs: ChildNode[][] = [[]];
  for (const node of nodes) {
    const [head, ...rest] =
      isText(node) && node.data.includes('\n')
        ? node.data.split(/\r?\n[ \t]*\r?\n\s*/).map((text) => new Text(text))
        : [node];
    if (head !== undefined) paragraphs.at(-1)?.push(head);
    for (const text of rest) paragraphs.push([text]);
  }
  return paragraphs;
}

/** Reads the attributes of a shortcode: name="value", name='value' or name=value. */
function readShortcodeAttributes(text: string): ReadonlyMap<string, string> {
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
function captionsToFigures(body: string): string {
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
