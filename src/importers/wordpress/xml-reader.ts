import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import type { FilePosition } from '../../domain/imports/imported-post.js';

/**
 * Control characters that XML forbids, but that exports of old databases contain. Replaced by
 * spaces, so that positions stay correct.
 */
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const CDATA_START = '<![CDATA[';
const CDATA_END = ']]>';

/**
 * Private fields of saxes: its unbounded buffers for the current node, and its parser state. The
 * tests fail if saxes renames them.
 */
interface SaxesInternals {
  text: string;
  name: string;
  entity: string;
  state: number;
}
const internalsOf = (saxes: SaxesParser<{ xmlns: true }>): SaxesInternals =>
  saxes as unknown as SaxesInternals;

/** The value of saxes' `state` inside a CDATA section. */
const CDATA_STATE = ((): number => {
  const saxes = new SaxesParser({ xmlns: true });
  saxes.write(`<a>${CDATA_START}`);
  return internalsOf(saxes).state;
})();

/**
 * Feeds a file to saxes, except for the content of CDATA sections. saxes processes about 20 MB per
 * second, and nearly all of an export is text in CDATA sections, of which only the end has to be
 * found. That text is passed to `onCdata` directly, in parts; `position` includes it.
 */
export class XmlReader {
  readonly saxes = new SaxesParser({ xmlns: true, position: true });
  readonly internals = internalsOf(this.saxes);
  private readonly decoder = new StringDecoder('utf8');
  /** A carriage return at the end of a chunk: the next chunk shows whether it is part of CR LF. */
  private pendingReturn = '';
  private chunk = '';
  private bytesBefore = 0;
  /**
   * Index in the chunk of the last segment fed to saxes, and the number of characters fed before
   * it.
   */
  private segmentStart = 0;
  private fedBeforeSegment = 0;
  private fedCharacters = 0;
  private skippedLines = 0;
  private skippedColumns = 0;
  private skippedOnLine = 0;

  constructor(private readonly onCdata: (text: string) => void) {}

  /** @throws the errors of the saxes handlers */
  write(bytes: Uint8Array): void {
    const text =
      this.pendingReturn +
      this.decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.pendingReturn = text.endsWith('\r') ? '\r' : '';
    this.parse(this.pendingReturn === '' ? text : text.slice(0, -1));
  }

  end(): void {
    this.parse(this.pendingReturn + this.decoder.end());
    this.saxes.close();
  }

  /** The current position of saxes, for errors. */
  position(): FilePosition {
    const index = Math.max(0, this.segmentStart + this.saxes.position - this.fedBeforeSegment);
    return {
      line: this.saxes.line + this.skippedLines,
      column:
        this.saxes.column + (this.skippedOnLine === this.saxes.line ? this.skippedColumns : 0),
      byte: this.bytesBefore + Buffer.byteLength(this.chunk.slice(0, index)),
    };
  }

  private parse(text: string): void {
    this.bytesBefore += Buffer.byteLength(this.chunk);
    this.chunk = text.replace(FORBIDDEN_CHARACTERS, ' ');
    let at = 0;
    while (at < this.chunk.length)
      at = this.internals.state === CDATA_STATE ? this.readCdata(at) : this.readMarkup(at);
  }

  /**
   * Feeds saxes up to the next possible CDATA section. saxes decides whether it is one: the marker
   * may be in a comment.
   */
  private readMarkup(from: number): number {
    const start = this.chunk.indexOf(CDATA_START, from);
    const end = start < 0 ? this.chunk.length : start + CDATA_START.length;
    this.feed(from, end);
    if (this.internals.state === CDATA_STATE) {
      this.onCdata(this.internals.text);
      this.internals.text = '';
    }
    return end;
  }

  /**
   * Brackets at the end of a chunk may belong to the section's end: they are fed to saxes, which
   * buffers them.
   */
  private readCdata(from: number): number {
    const found = this.chunk.indexOf(CDATA_END, from);
    let end = found < 0 ? this.chunk.length : found;
    if (found < 0)
      while (end > from && end > this.chunk.length - 2 && this.chunk[end - 1] === ']') end -= 1;
    if (end > from) this.skip(this.chunk.slice(from, end));
    const next = found < 0 ? this.chunk.length : found + CDATA_END.length;
    if (next > end) this.feed(end, next);
    return next;
  }

  private feed(from: number, to: number): void {
    this.segmentStart = from;
    this.fedBeforeSegment = this.fedCharacters;
    this.fedCharacters += to - from;
    this.saxes.write(this.chunk.slice(from, to));
  }

  private skip(text: string): void {
    const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    let afterLine = 0;
    for (let end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', afterLine)) {
      this.skippedLines += 1;
      afterLine = end + 1;
    }
    const { line, column } = this.saxes;
    // If the text contains a line break, the columns that saxes counted belong to the line before
    // it.
    if (afterLine > 0) this.skippedColumns = -column;
    else if (this.skippedOnLine !== line) this.skippedColumns = 0;
    this.skippedColumns += lines.length - afterLine;
    this.skippedOnLine = line;
    this.onCdata(lines);
  }
}
