import { Parser } from 'htmlparser2';
import { BLOCK_ELEMENTS, CONTAINERS } from './html-element-names.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';

/** A part of a body: a run of text and inline elements, a block element, or a WordPress marker. */
type HtmlSegment =
  | { readonly kind: 'run'; readonly nodes: readonly HtmlNode[] }
  | { readonly kind: 'block'; readonly element: HtmlElement }
  /** Too deep or too large to parse: only its position in the source. */
  | { readonly kind: 'raw'; readonly start: number; readonly end: number }
  | { readonly kind: 'mark'; readonly mark: 'more' | 'page' };

/** Prevents a stack overflow. Real posts do not nest deeper. */
const MAX_DEPTH = 100;
/** Maximum nodes of one block or run, which limits the memory of its tree to about 10 MB. */
const MAX_NODES = 50_000;

/**
 * Splits a body into segments. Passes each to `onSegment` when it ends, so that only the tree of
 * one segment is in memory.
 */
export function readSegments(html: string, onSegment: (segment: HtmlSegment) => void): void {
  new SegmentReader(html, onSegment).read();
}

class SegmentReader {
  /**
   * All open elements; null for containers, and for inline elements that were ended by a block
   * inside them.
   */
  private readonly openElements: (HtmlElement | null)[] = [];
  /**
   * The open elements of the current segment; empty between segments and at the top level of a run.
   */
  private openInSegment: HtmlElement[] = [];
  private run: HtmlNode[] = [];
  private runStart = 0;
  private nodeCount = 0;
  private isTooLarge = false;
  private readonly parser: Parser;

  constructor(
    private readonly html: string,
    private readonly onSegment: (segment: HtmlSegment) => void,
  ) {
    this.parser = new Parser({
      onopentag: (name, attributes) => this.onOpenTag(name, attributes),
      onclosetag: () => this.onCloseTag(),
      ontext: (text) => this.onText(text),
      oncomment: (data) => this.onComment(data),
    });
  }

  read(): void {
    this.parser.end(this.html);
    this.endRun(this.html.length);
  }

  private onOpenTag(name: string, attributes: Readonly<Record<string, string>>): void {
    const { startIndex: start, endIndex } = this.parser;
    const isBlock = BLOCK_ELEMENTS.has(name);
    if ((isBlock || CONTAINERS.has(name)) && this.breaksRun()) this.endRun(start);
    if (this.openInSegment.length === 0 && CONTAINERS.has(name)) {
      this.openElements.push(null);
      return;
    }
    const element: HtmlElement = { name, attributes, children: [], start, end: endIndex + 1 };
    if (this.openInSegment.length > 0 || !isBlock) this.add(element, start);
    this.openElements.push(element);
    this.openInSegment.push(element);
  }

  private onCloseTag(): void {
    const element = this.openElements.pop();
    const end = this.parser.endIndex + 1;
    if (element === undefined) return;
    if (element === null) {
      if (this.openInSegment.length === 0) this.endRun(this.parser.startIndex);
      return;
    }
    element.end = end;
    this.openInSegment.pop();
    if (this.openInSegment.length === 0 && BLOCK_ELEMENTS.has(element.name)) this.endBlock(element);
  }

  private onText(text: string): void {
    const siblings = this.openInSegment.at(-1)?.children ?? this.run;
    const last = siblings.length - 1;
    if (!this.isTooLarge && typeof siblings[last] === 'string') siblings[last] += text;
    else this.add(text, this.parser.startIndex);
  }

  private onComment(data: string): void {
    const mark = /^\s*(more|nextpage)\b/.exec(data)?.[1];
    if (mark === undefined || !this.breaksRun()) return;
    this.endRun(this.parser.startIndex);
    this.onSegment({ kind: 'mark', mark: mark === 'more' ? 'more' : 'page' });
  }

  private add(node: HtmlNode, start: number): void {
    if (this.openInSegment.length === 0 && this.run.length === 0) this.runStart = start;
    this.nodeCount += 1;
    if (this.nodeCount > MAX_NODES || this.openInSegment.length >= MAX_DEPTH)
      this.isTooLarge = true;
    else (this.openInSegment.at(-1)?.children ?? this.run).push(node);
  }

  /**
   * Whether a block at this position ends the run: not inside a block, nor inside a link around
   * blocks.
   */
  private breaksRun(): boolean {
    return this.openInSegment.every(
      ({ name, attributes }) =>
        !BLOCK_ELEMENTS.has(name) && !(name === 'a' && attributes['href'] !== undefined),
    );
  }

  /**
   * Ends inline elements that are still open: old posts contain unclosed <b> or <font> elements.
   */
  private endRun(end: number): void {
    // `openInSegment` contains the innermost elements of `open`.
    this.openElements.fill(null, this.openElements.length - this.openInSegment.length);
    for (const element of this.openInSegment) element.end = end;
    if (this.isTooLarge) this.onSegment({ kind: 'raw', start: this.runStart, end });
    else if (this.run.length > 0) this.onSegment({ kind: 'run', nodes: this.run });
    this.openInSegment = [];
    this.startSegment();
  }

  private endBlock(element: HtmlElement): void {
    this.onSegment(
      this.isTooLarge
        ? { kind: 'raw', start: element.start, end: element.end }
        : { kind: 'block', element },
    );
    this.startSegment();
  }

  private startSegment(): void {
    this.run = [];
    this.nodeCount = 0;
    this.isTooLarge = false;
  }
}
