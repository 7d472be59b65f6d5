import { Parser } from 'htmlparser2';
import { BLOCKS, BOXES } from './html-words.js';

/** A text, or an element with its place in the source. */
export type HtmlNode = string | HtmlElement;
export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
  readonly start: number;
  /** Index behind the last character. */
  end: number;
}

/** A body in its order: runs of text and inline elements, blocks, and WordPress's two marks. */
type HtmlPiece =
  | { readonly kind: 'run'; readonly nodes: readonly HtmlNode[] }
  | { readonly kind: 'block'; readonly element: HtmlElement }
  /** Too deep or too large to take apart: only its place in the source. */
  | { readonly kind: 'raw'; readonly start: number; readonly end: number }
  | { readonly kind: 'mark'; readonly mark: 'more' | 'page' };

/** Deeper markup is not written by people; walking it would exhaust the stack. */
const MAX_DEPTH = 100;
/** Nodes of one block or run: bounds the memory its tree takes to some 10 MB. */
const MAX_NODES = 50_000;

/** Takes a body apart, handing out each piece when it ends, so that only one piece's tree is in memory. */
export function readPieces(html: string, take: (piece: HtmlPiece) => void): void {
  new PieceReader(html, take).read();
}

class PieceReader {
  /** Every element that is open; null for boxes, and for inline elements that a block inside them has ended. */
  private readonly open: (HtmlElement | null)[] = [];
  /** The open elements that the next node falls into; empty between pieces and at the top of a run. */
  private building: HtmlElement[] = [];
  private run: HtmlNode[] = [];
  private runStart = 0;
  private nodes = 0;
  private overflown = false;
  private readonly parser: Parser;

  constructor(
    private readonly html: string,
    private readonly take: (piece: HtmlPiece) => void,
  ) {
    this.parser = new Parser({
      onopentag: (name, attributes) => this.openElement(name, attributes),
      onclosetag: () => this.closeElement(),
      ontext: (text) => this.text(text),
      oncomment: (data) => this.comment(data),
    });
  }

  read(): void {
    this.parser.end(this.html);
    this.endRun(this.html.length);
  }

  private openElement(name: string, attributes: Readonly<Record<string, string>>): void {
    const { startIndex: start, endIndex } = this.parser;
    const isBlock = BLOCKS.has(name);
    if ((isBlock || BOXES.has(name)) && this.breaksRun()) this.endRun(start);
    if (this.building.length === 0 && BOXES.has(name)) {
      this.open.push(null);
      return;
    }
    const element: HtmlElement = { name, attributes, children: [], start, end: endIndex + 1 };
    if (this.building.length > 0 || !isBlock) this.add(element, start);
    this.open.push(element);
    this.building.push(element);
  }

  private closeElement(): void {
    const element = this.open.pop();
    const end = this.parser.endIndex + 1;
    if (element === undefined) return;
    if (element === null) {
      if (this.building.length === 0) this.endRun(this.parser.startIndex);
      return;
    }
    element.end = end;
    this.building.pop();
    if (this.building.length === 0 && BLOCKS.has(element.name)) this.endBlock(element);
  }

  private text(text: string): void {
    const into = this.building.at(-1)?.children ?? this.run;
    const last = into.length - 1;
    if (!this.overflown && typeof into[last] === 'string') into[last] += text;
    else this.add(text, this.parser.startIndex);
  }

  private comment(data: string): void {
    const mark = /^\s*(more|nextpage)\b/.exec(data)?.[1];
    if (mark === undefined || !this.breaksRun()) return;
    this.endRun(this.parser.startIndex);
    this.take({ kind: 'mark', mark: mark === 'more' ? 'more' : 'page' });
  }

  private add(node: HtmlNode, start: number): void {
    if (this.building.length === 0 && this.run.length === 0) this.runStart = start;
    this.nodes += 1;
    if (this.nodes > MAX_NODES || this.building.length >= MAX_DEPTH) this.overflown = true;
    else (this.building.at(-1)?.children ?? this.run).push(node);
  }

  /** Whether a block here ends the run. In a block, or in a link around blocks, it does not. */
  private breaksRun(): boolean {
    return this.building.every(
      ({ name, attributes }) =>
        !BLOCKS.has(name) && !(name === 'a' && attributes['href'] !== undefined),
    );
  }

  /** Inline elements that are still open end with the run: old posts leave a <b> or <font> open for pages. */
  private endRun(end: number): void {
    // What is being built are the innermost open elements.
    this.open.fill(null, this.open.length - this.building.length);
    for (const element of this.building) element.end = end;
    if (this.overflown) this.take({ kind: 'raw', start: this.runStart, end });
    else if (this.run.length > 0) this.take({ kind: 'run', nodes: this.run });
    this.building = [];
    this.startPiece();
  }

  private endBlock(element: HtmlElement): void {
    this.take(
      this.overflown
        ? { kind: 'raw', start: element.start, end: element.end }
        : { kind: 'block', element },
    );
    this.startPiece();
  }

  private startPiece(): void {
    this.run = [];
    this.nodes = 0;
    this.overflown = false;
  }
}
