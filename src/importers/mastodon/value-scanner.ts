const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/**
 * Finds the end of one JSON value in a text that comes in pieces, and collects it; whether it is well-formed is for
 * JSON.parse to say. Of a value that is too large only the beginning is kept.
 */
export class ValueScanner {
  /** The value as far as it was scanned. */
  text = '';
  isTooLarge = false;
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  constructor(private readonly maxCharacters: number) {}

  begin(): void {
    this.text = '';
    this.isTooLarge = false;
    this.depth = 0;
  }

  /** Scans on from an index of the piece; the index behind the value's end, or null when it is not in this piece. */
  scan(piece: string, from: number): number | null {
    const end = this.endIn(piece, from);
    this.collect(piece.slice(from, end ?? piece.length));
    return end;
  }

  private endIn(piece: string, from: number): number | null {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
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
    // Cut out of its piece, so that the piece can be let go.
    this.text = this.isTooLarge
      ? Buffer.from((this.text + part).slice(0, KEPT_CHARACTERS)).toString()
      : this.text + part;
  }
}

/** Enough of a value that is too large for saying which one it is. */
const KEPT_CHARACTERS = 2_000;
