import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import type { FilePosition } from '../../domain/imports/imported-post.js';

/** What XML forbids and exports nevertheless carry: control characters out of old databases. Same length, so positions hold. */
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const SECTION_START = '<![CDATA[';
const SECTION_END = ']]>';

/** What saxes keeps to itself: the buffers in which it collects a node until its end, unbounded, and where it stands. A test holds these names. */
interface ParserInside {
  text: string;
  name: string;
  entity: string;
  state: number;
}
const insideOf = (saxes: SaxesParser<{ xmlns: true }>): ParserInside =>
  saxes as unknown as ParserInside;

/** The number of saxes' state inside a CDATA section. */
const IN_SECTION = ((): number => {
  const saxes = new SaxesParser({ xmlns: true });
  saxes.write(`<a>${SECTION_START}`);
  return insideOf(saxes).state;
})();

/**
 * Hands a file's bytes to saxes, except for the inside of CDATA sections: saxes looks at every character, some 20 MB a
 * second, and nearly all of an export is texts in such sections, of which only the end has to be found. So their text
 * goes to `take` directly, in parts; positions count it in.
 */
export class XmlFeed {
  readonly saxes = new SaxesParser({ xmlns: true, position: true });
  readonly inside = insideOf(this.saxes);
  private readonly decoder = new StringDecoder('utf8');
  /** A carriage return at a piece's end: whether it is half of a line's end, the next piece tells. */
  private carried = '';
  private piece = '';
  private bytesBefore = 0;
  /** Where in the piece the part begins that saxes was given last, and the characters it was given before. */
  private segmentStart = 0;
  private givenBefore = 0;
  private given = 0;
  private skippedLines = 0;
  private skippedColumns = 0;
  private skippedOnLine = 0;

  constructor(private readonly take: (text: string) => void) {}

  /** Throws what the handlers of saxes throw. */
  write(bytes: Uint8Array): void {
    const text =
      this.carried +
      this.decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.carried = text.endsWith('\r') ? '\r' : '';
    this.parse(this.carried === '' ? text : text.slice(0, -1));
  }

  end(): void {
    this.parse(this.carried + this.decoder.end());
    this.saxes.close();
  }

  /** Where saxes stands: what it has just refused. */
  position(): FilePosition {
    const within = Math.max(0, this.segmentStart + this.saxes.position - this.givenBefore);
    return {
      line: this.saxes.line + this.skippedLines,
      column:
        this.saxes.column + (this.skippedOnLine === this.saxes.line ? this.skippedColumns : 0),
      byte: this.bytesBefore + Buffer.byteLength(this.piece.slice(0, within)),
    };
  }

  private parse(text: string): void {
    this.bytesBefore += Buffer.byteLength(this.piece);
    this.piece = text.replace(FORBIDDEN_CHARACTERS, ' ');
    let at = 0;
    while (at < this.piece.length)
      at = this.inside.state === IN_SECTION ? this.readSection(at) : this.readMarkup(at);
  }

  /** As far as the next section may begin. Whether it does, saxes knows: those words may stand in a comment too. */
  private readMarkup(from: number): number {
    const start = this.piece.indexOf(SECTION_START, from);
    const end = start < 0 ? this.piece.length : start + SECTION_START.length;
    this.give(from, end);
    if (this.inside.state === IN_SECTION) {
      this.take(this.inside.text);
      this.inside.text = '';
    }
    return end;
  }

  /** Brackets at a piece's end may be the first of the section's end: saxes keeps them until it knows. */
  private readSection(from: number): number {
    const found = this.piece.indexOf(SECTION_END, from);
    let end = found < 0 ? this.piece.length : found;
    if (found < 0)
      while (end > from && end > this.piece.length - 2 && this.piece[end - 1] === ']') end -= 1;
    if (end > from) this.skip(this.piece.slice(from, end));
    const next = found < 0 ? this.piece.length : found + SECTION_END.length;
    if (next > end) this.give(end, next);
    return next;
  }

  private give(from: number, to: number): void {
    this.segmentStart = from;
    this.givenBefore = this.given;
    this.given += to - from;
    this.saxes.write(this.piece.slice(from, to));
  }

  private skip(text: string): void {
    const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    let afterLine = 0;
    for (let end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', afterLine)) {
      this.skippedLines += 1;
      afterLine = end + 1;
    }
    const { line, column } = this.saxes;
    // Where the text has ended a line, what saxes counted of this line was before it.
    if (afterLine > 0) this.skippedColumns = -column;
    else if (this.skippedOnLine !== line) this.skippedColumns = 0;
    this.skippedColumns += lines.length - afterLine;
    this.skippedOnLine = line;
    this.take(lines);
  }
}
