const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/**
 * Collects one JSON value from a text that arrives in chunks. Only finds the end of the value;
 * JSON.parse validates it. Keeps only the start of a value that is too large.
 */
export class JsonValueScanner {
  /** The part of the value that has been scanned. */
  text = '';
  isTooLarge = false;
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  constructor(private readonly maxCharacters: number) {}

  start(): void {
    this.text = '';
    this.isTooLarge = false;
    this.depth = 0;
  }

  /**
   * Continues at an index of the chunk. Returns the index after the value, or null if the value
   * does not end in this chunk.
   */
  scan(chunk: string, from: number): number | null {
    const end = this.findEnd(chunk, from);
    this.collect(chunk.slice(from, end ?? chunk.length));
    return end;
  }

  private findEnd(chunk: string, from: number): number | null {
    for (let at = from; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (this.inString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (code === BACKSLASH) this.isEscaped = true;
        else if (code === QUOTE) {
          this.inString = false;
          if (this.depth === 0) return at + 1;
        }
      } else if (code === QUOTE) this.inString = true;
      else if (OPENING.has(code)) this.depth += 1;
      else if (CLOSING.has(code)) {
        if (this.depth === 0) return at;
        this.depth -= 1;
        if (this.depth === 0) return at + 1;
      } else if (this.depth === 0 && code === COMMA) return at;
    }
    return null;
  }

  private collect(part: string): void {
    if (this.isTooLarge) return;
    this.isTooLarge = this.text.length + part.length > this.maxCharacters;
    // Copied, so that the chunk can be garbage-collected.
    this.text = this.isTooLarge
      ? Buffer.from((this.text + part).slice(0, MAX_EXCERPT_CHARACTERS)).toString()
      : this.text + part;
  }
}

/** Length of the start of an oversized value, which contains its ID for the report. */
const MAX_EXCERPT_CHARACTERS = 2_000;
