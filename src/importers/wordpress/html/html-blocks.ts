import type { ContentBlock } from '../../../domain/posts/post.js';
import type { BodyMedia } from './block-data.js';
import { ElementReader } from './html-elements.js';
import { isBlankInline, nodeText, toInline, trimBreaks } from './html-inline.js';
import { readPieces, type HtmlNode } from './html-tree.js';
import { captionsToFigures, shortcodeAttributes } from './shortcodes.js';

interface BodyOptions {
  /** The files of a `[gallery]`: those named, or, with null, those of the post. */
  readonly gallery?: (ids: readonly string[] | null) => readonly BodyMedia[];
}
export interface Body {
  readonly blocks: ContentBlock[];
  readonly media: BodyMedia[];
}

/**
 * The body of a WordPress post as content blocks: of the classic editor, where an empty line ends a paragraph and a line's
 * end breaks the line, or of the block editor, where the markup says it all. No visible text is lost: what fits no block
 * becomes an `html` block as it stands.
 */
export function readBody(source: string, options: BodyOptions = {}): Body {
  const reader = new BodyReader(captionsToFigures(source), options);
  return { blocks: reader.blocks, media: reader.elements.media };
}

class BodyReader {
  readonly blocks: ContentBlock[] = [];
  readonly elements: ElementReader;
  private readonly classic: boolean;

  constructor(
    html: string,
    private readonly options: BodyOptions,
  ) {
    this.classic = !html.includes('<!-- wp:');
    this.elements = new ElementReader(html, this.classic);
    readPieces(html, (piece) => {
      if (piece.kind === 'run') this.readRun(piece.nodes);
      else if (piece.kind === 'block') this.blocks.push(...this.elements.read(piece.element));
      else if (piece.kind === 'mark')
        this.blocks.push({ type: 'delimiter', data: { mark: piece.mark } });
      else this.blocks.push(...this.elements.raw(piece.start, piece.end));
    });
  }

  private readRun(nodes: readonly HtmlNode[]): void {
    for (const line of this.classic ? paragraphsOf(nodes) : [nodes]) {
      const gallery = this.galleryOf(line);
      if (gallery.length > 0) this.blocks.push(...gallery);
      else this.readParagraph(line);
    }
  }

  /** A picture beside text is a block before what follows it; one deep in the text comes after its paragraph. */
  private readParagraph(nodes: readonly HtmlNode[]): void {
    let line: HtmlNode[] = [];
    for (const node of nodes) {
      if (typeof node !== 'string' && this.elements.isPicture(node)) {
        this.endParagraph(line);
        line = [];
        this.blocks.push(...this.elements.pictures(toInline([node], false).pictures));
      } else line.push(node);
    }
    this.endParagraph(line);
  }

  private endParagraph(nodes: readonly HtmlNode[]): void {
    const { text, pictures, fits } = toInline(nodes, this.classic);
    const first = nodes.find((node) => typeof node !== 'string');
    if (!fits && typeof first === 'object') {
      this.blocks.push(...this.elements.mixed(nodes));
      return;
    }
    if (!isBlankInline(text))
      this.blocks.push({ type: 'paragraph', data: { text: trimBreaks(text) } });
    this.blocks.push(...this.elements.pictures(pictures));
  }

  private galleryOf(nodes: readonly HtmlNode[]): ContentBlock[] {
    if (this.options.gallery === undefined || nodes.some((node) => typeof node !== 'string'))
      return [];
    const tag = /^\s*\[gallery(\s[^\]]*)?\]\s*$/.exec(nodeText(nodes));
    if (tag === null) return [];
    const attributes = shortcodeAttributes(tag[1] ?? '');
    const ids = attributes.get('ids') ?? attributes.get('include');
    const files = this.options.gallery(
      ids === undefined ? null : ids.split(',').map((id) => id.trim()),
    );
    return files.map((file) => this.elements.libraryFile(file));
  }
}

/** The lines between empty lines; only text of the run's own level is looked at. */
function paragraphsOf(nodes: readonly HtmlNode[]): HtmlNode[][] {
  const paragraphs: HtmlNode[][] = [[]];
  for (const node of nodes) {
    const [head, ...rest] =
      typeof node === 'string' && node.includes('\n') ? node.split(/\r?\n[ \t]*\r?\n\s*/) : [node];
    if (head !== undefined) paragraphs.at(-1)?.push(head);
    for (const text of rest) paragraphs.push([text]);
  }
  return paragraphs;
}
