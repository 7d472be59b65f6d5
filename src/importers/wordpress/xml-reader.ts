import { StringDecoder } from 'node:string_decoder';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { MalformedExportError, PositionTracker } from '../export-file.js';

/** Receives the parts of an XML file in their order. */
interface XmlHandlers {
  open(tag: SaxesTagNS): void;
  close(): void;
  /** A part of a text. A text arrives in any number of parts. */
  text(part: string): void;
}

/**
 * Control characters that XML forbids, but that exports of old databases contain. Replaced by
 * spaces, so that positions stay correct.
 */
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const CDATA_START = '<![CDATA[';
const CDATA_END = ']]>';
const EMPTY_SECTION = CDATA_START + CDATA_END;
/** What the next chunk may complete: a line break, a section's start or end, an entity. */
const INCOMPLETE = /(?:\r|\]{1,2}|<(?:!(?:\[C?D?A?T?A?)?)?|&[#\w]{0,9})$/;
const MAX_INCOMPLETE_CHARACTERS = 10;
/** saxes buffers the current text, tag or comment: an endless one would exhaust memory. */
const MAX_BUFFERED_CHARACTERS = 256 * 1024;
const TOO_LONG = 'a tag, a comment or an entity does not end';

/**
 * Reads XML with saxes, except for the content of CDATA sections. saxes processes about 20 MB per
 * second, and nearly all of an export is text in CDATA sections, of which only the end has to be
 * found.
 *
 * A section is passed to saxes as an empty one. If saxes reports it, the text up to its end goes to
 * `text` directly. If it does not, the marker is part of a comment, in which the additional `]]>`
 * changes nothing.
 */
export class XmlReader {
  private readonly saxes = new SaxesParser({ xmlns: true, position: true });
  private readonly decoder = new StringDecoder('utf8');
  private readonly position = new PositionTracker();
  /** The end of the previous chunk, if it was INCOMPLETE. */
  private incomplete = '';
  private chunk = '';
  private inSection = false;
  /** Whether saxes has reported a section. */
  private sawSection = false;
  /** Characters written to saxes. Between two writes, saxes' own position is not exact. */
  private written = 0;
  /** The part of the chunk that is being written, and the characters written before it. */
  private segment = { start: 0, end: 0, writtenBefore: 0 };
  /** saxes' position at its last event: what follows it is in saxes' buffers. */
  private reportedUpTo = 0;
  private isFlushing = false;

  constructor(private readonly handlers: XmlHandlers) {
    const { saxes } = this;
    const onReport =
      <T extends unknown[]>(handle: (...values: T) => void) =>
      (...values: T): void => {
        this.reportedUpTo = saxes.position;
        handle(...values);
      };
    saxes.on(
      'opentag',
      onReport((tag) => handlers.open(tag)),
    );
    saxes.on(
      'closetag',
      onReport(() => handlers.close()),
    );
    saxes.on(
      'text',
      onReport((text) => handlers.text(text)),
    );
    saxes.on(
      'comment',
      onReport(() => {}),
    );
    saxes.on(
      'processinginstruction',
      onReport(() => {}),
    );
    saxes.on(
      'doctype',
      onReport(() => {}),
    );
    saxes.on(
      'cdata',
      onReport(() => {
        this.sawSection = true;
      }),
    );
    saxes.on(
      'xmldecl',
      onReport(({ encoding }) => this.assertUtf8(encoding)),
    );
    saxes.on('error', ({ message }) =>
      this.fail(this.isFlushing ? TOO_LONG : message.replace(/^\d+:\d+: /, '')),
    );
  }

  /** @throws MalformedExportError if the file is malformed; the errors of the handlers */
  write(bytes: Uint8Array): void {
    const text =
      this.incomplete +
      this.decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.incomplete = INCOMPLETE.exec(text.slice(-MAX_INCOMPLETE_CHARACTERS))?.[0] ?? '';
    this.parse(text.slice(0, text.length - this.incomplete.length));
    if (this.written - this.reportedUpTo > MAX_BUFFERED_CHARACTERS) this.flush();
  }

  /** @throws MalformedExportError if the file is incomplete */
  end(): void {
    this.parse(this.incomplete + this.decoder.end());
    this.startSegment(this.chunk.length, this.chunk.length);
    this.saxes.close();
  }

  /** @throws MalformedExportError with the position that saxes has reached */
  fail(reason: string): never {
    const { start, end, writtenBefore } = this.segment;
    const index = Math.min(end, start + this.saxes.position - writtenBefore);
    throw new MalformedExportError(reason, this.position.at(Math.max(0, index)));
  }

  private assertUtf8(encoding: string | undefined): void {
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding))
      this.fail(`the file is encoded in ${encoding}; only UTF-8 is supported`);
  }

  private parse(text: string): void {
    this.position.startChunk(text);
    this.chunk = text.replace(FORBIDDEN_CHARACTERS, ' ');
    for (let at = 0; at < this.chunk.length;)
      at = this.inSection ? this.readSection(at) : this.readMarkup(at);
  }

  /** Returns the index after the next start of a section, or after the chunk. */
  private readMarkup(from: number): number {
    const start = this.chunk.indexOf(CDATA_START, from);
    const end = start < 0 ? this.chunk.length : start + CDATA_START.length;
    this.startSegment(from, end);
    if (start < 0) this.writeText(this.chunk.slice(from));
    else this.inSection = this.writeSection(this.chunk.slice(from, start) + EMPTY_SECTION);
    return end;
  }

  /** Returns the index after the section, or after the chunk. */
  private readSection(from: number): number {
    const found = this.chunk.indexOf(CDATA_END, from);
    const text = this.chunk.slice(from, found < 0 ? undefined : found);
    this.handlers.text(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
    this.inSection = found < 0;
    return found < 0 ? this.chunk.length : found + CDATA_END.length;
  }

  private startSegment(start: number, end: number): void {
    this.segment = { start, end, writtenBefore: this.written };
  }

  private writeText(text: string): void {
    this.saxes.write(text);
    this.written += text.length;
  }

  /** Writes a text that ends with an empty section. Returns whether saxes has reported it. */
  private writeSection(text: string): boolean {
    this.sawSection = false;
    this.writeText(text);
    return this.sawSection;
  }

  /** An empty section lets saxes report the text before it. */
  private flush(): void {
    this.startSegment(this.chunk.length, this.chunk.length);
    this.isFlushing = true;
    if (!this.writeSection(EMPTY_SECTION)) this.fail(TOO_LONG);
    this.isFlushing = false;
  }
}
