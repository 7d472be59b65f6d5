import { DomHandler, isTag, type ChildNode, type Element } from 'domhandler';
import { Parser } from 'htmlparser2';
import { readBlockDelimiters } from '../../../domain/posts/content-html.js';
import { BLOCK_ELEMENTS, CONTAINERS } from './html-text.js';

/** A part of a body: a run of text and inline elements, a block element, or a WordPress marker. */
type HtmlSegment =
  | { readonly kind: 'run'; readonly nodes: readonly ChildNode[] }
  | { readonly kind: 'block'; readonly element: Element }
  /** A kept range, or a part that is too deep or too large for a tree. */
  | ({ readonly kind: 'source' } & SourceRange)
  | { readonly kind: 'mark'; readonly mark: 'more' | 'page' };

/** Prevents a stack overflow. Real posts do not nest deeper. */
const MAX_DEPTH = 100;
/** Maximum nodes of one block or run, which limits the memory of its tree to about 10 MB. */
const MAX_NODES = 50_000;

interface SegmentOptions {
  /** Ranges that are not parsed, in their order. Each is a segment of its own. */
  readonly kept: readonly (SourceRange & { readonly content: SourceRange })[];
  readonly onSegment: (segment: HtmlSegment) => void;
}

/**
 * Splits a body into segments. Passes each to `onSegment` when it ends, so that only the tree of
 * one segment is in memory: the tree of a body of 4 million characters can take 300 MB.
 */
export function readSegments(html: string, options: SegmentOptions): void {
  new SegmentReader(html, options).read();
}

interface OpenElement {
  readonly name: string;
  readonly isLink: boolean;
}

class SegmentReader {
  /**
   * All open elements; null for containers, and for inline elements that were ended by a block
   * inside them.
   */
  private readonly openElements: (OpenElement | null)[] = [];
  /** How many of the innermost open elements belong to the current segment. */
  private depth = 0;
  private tree = new DomHandler();
  private segmentStart = 0;
  private nodeCount = 0;
  private endsWithText = false;
  private isTooLarge = false;
  private readonly parser: Parser;
  /** Characters of the source that were not passed to the parser. */
  private keptCharacters = 0;
  /** Position of the current event in the source: DomHandler copies it to the nodes. */
  private readonly position = { startIndex: 0, endIndex: 0 };

  constructor(
    private readonly html: string,
    private readonly options: SegmentOptions,
  ) {
    this.parser = new Parser({
      onopentag: (name, attributes) => this.onOpenTag(name, attributes),
      onclosetag: () => this.onCloseTag(),
      ontext: (text) => this.onText(text),
      oncomment: (data) => this.onComment(data),
    });
    this.startSegment();
  }

  read(): void {
    const { html, options } = this;
    let from = 0;
    for (const { start, end, content } of options.kept) {
      this.parser.write(html.slice(from, start));
      this.endSegment(start);
      options.onSegment({ kind: 'source', ...content });
      this.keptCharacters += end - start;
      from = end;
    }
    this.parser.end(html.slice(from));
    this.endSegment(html.length);
  }

  private onOpenTag(name: string, attributes: Record<string, string>): void {
    const start = this.readPosition();
    const isBlock = BLOCK_ELEMENTS.has(name);
    if ((isBlock || CONTAINERS.has(name)) && this.breaksRun()) this.endRun(start);
    if (this.depth === 0 && CONTAINERS.has(name)) {
      this.openElements.push(null);
      return;
    }
    this.count(start);
    if (!this.isTooLarge) this.tree.onopentag(name, attributes);
    this.endsWithText = false;
    this.openElements.push({ name, isLink: name === 'a' && attributes['href'] !== undefined });
    this.depth += 1;
  }

  private onCloseTag(): void {
    const element = this.openElements.pop();
    const start = this.readPosition();
    if (element === undefined) return;
    if (element === null) {
      this.endRun(start);
      return;
    }
    if (!this.isTooLarge) this.tree.onclosetag();
    this.endsWithText = false;
    this.depth -= 1;
    if (this.depth === 0 && BLOCK_ELEMENTS.has(element.name))
      this.endBlock(this.position.endIndex + 1);
  }

  private onText(text: string): void {
    const start = this.readPosition();
    if (!this.endsWithText) this.count(start);
    if (!this.isTooLarge) this.tree.ontext(text);
    this.endsWithText = true;
  }

  private onComment(data: string): void {
    const mark = /^\s*(more|nextpage)\b/.exec(data)?.[1];
    if (mark === undefined || !this.breaksRun()) return;
    this.endRun(this.readPosition());
    this.options.onSegment({ kind: 'mark', mark: mark === 'more' ? 'more' : 'page' });
  }

  /** Returns the index of the current event's first character. */
  private readPosition(): number {
    this.position.startIndex = this.parser.startIndex + this.keptCharacters;
    this.position.endIndex = this.parser.endIndex + this.keptCharacters;
    return this.position.startIndex;
  }

  private count(start: number): void {
    if (this.nodeCount === 0) this.segmentStart = start;
    this.nodeCount += 1;
    if (this.nodeCount > MAX_NODES || this.depth >= MAX_DEPTH) this.isTooLarge = true;
  }

  /**
   * Whether a block at this position ends the run: not inside a block, nor inside a link around
   * blocks.
   */
  private breaksRun(): boolean {
    return this.openElements
      .slice(this.openElements.length - this.depth)
      .every((element) => !element?.isLink && !BLOCK_ELEMENTS.has(element?.name ?? ''));
  }

  /** Ends the current segment, even inside a block element. */
  private endSegment(end: number): void {
    const outermost = this.openElements.at(-this.depth);
    this.isTooLarge ||= this.depth > 0 && BLOCK_ELEMENTS.has(outermost?.name ?? '');
    this.endRun(end);
  }

  /**
   * Ends inline elements that are still open: old posts contain unclosed <b> or <font> elements.
   */
  private endRun(end: number): void {
    this.openElements.fill(null, this.openElements.length - this.depth);
    this.position.endIndex = end - 1;
    for (; this.depth > 0; this.depth -= 1) if (!this.isTooLarge) this.tree.onclosetag();
    if (this.isTooLarge) this.emitSource(end);
    else if (this.tree.dom.length > 0)
      this.options.onSegment({ kind: 'run', nodes: this.tree.dom });
    this.startSegment();
  }

  private endBlock(end: number): void {
    const element = this.tree.dom.find(isTag);
    if (this.isTooLarge || element === undefined) this.emitSource(end);
    else this.options.onSegment({ kind: 'block', element });
    this.startSegment();
  }

  private emitSource(end: number): void {
    this.options.onSegment({ kind: 'source', start: this.segmentStart, end });
  }

  private startSegment(): void {
    this.tree = new DomHandler(undefined, { withStartIndices: true, withEndIndices: true });
    this.tree.onparserinit(this.position);
    this.nodeCount = 0;
    this.endsWithText = false;
    this.isTooLarge = false;
  }
}

/** A part of the source. */
export interface SourceRange {
  /** Index of the first character. */
  readonly start: number;
  /** Index after the last character. */
  readonly end: number;
}
/** A block that is kept as it is; `content` is the part that becomes an `html` block. */
interface KeptBlock extends SourceRange {
  readonly content: SourceRange;
}

/** Blocks that only arrange others: what they contain is read as if they were absent. */
const LAYOUT_BLOCKS: ReadonlySet<string> = new Set([
  'group',
  'columns',
  'column',
  'cover',
  'media-text',
]);
/** Blocks whose HTML has a meaning only together with their delimiters. */
const INSEPARABLE_BLOCKS: ReadonlySet<string> = new Set(['embed', 'details', 'audio', 'file']);
/** Custom HTML: its content without the delimiters is the same HTML. */
const HTML_BLOCK = 'html';

/** Blocks of plugins; the plugin may create their HTML from the attributes. */
const isPluginBlock = (name: string): boolean => name.includes('/');

/**
 * Finds the blocks that no content block can represent: those that the blog creates for each reader
 * (latest posts, navigation, social links), those that contain such a block, and those of plugins.
 * They are kept with their delimiters, so that an edit of the content returns them to the blog.
 */
export function findKeptBlocks(html: string): KeptBlock[] {
  const kept: KeptBlock[] = [];
  const open: { name: string; start: number; contentStart: number; keptBefore: number }[] = [];
  for (const { kind, name, start, end } of readBlockDelimiters(html)) {
    if (kind === 'whole') kept.push({ start, end, content: { start, end } });
    else if (kind === 'start')
      open.push({ name, start, contentStart: end, keptBefore: kept.length });
    else {
      // Like WordPress, an end delimiter ends the innermost block, regardless of its name.
      const block = open.pop();
      if (block === undefined) continue;
      const isHtml = block.name === HTML_BLOCK;
      const containsKept = kept.length > block.keptBefore && !LAYOUT_BLOCKS.has(block.name);
      if (!isHtml && !containsKept && !isInseparable(block.name)) continue;
      kept.length = block.keptBefore;
      kept.push({
        start: block.start,
        end,
        content: isHtml ? { start: block.contentStart, end: start } : { start: block.start, end },
      });
    }
  }
  return kept;
}

const isInseparable = (name: string): boolean =>
  INSEPARABLE_BLOCKS.has(name) || isPluginBlock(name);
