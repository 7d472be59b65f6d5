const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);
/** Of a line that is held whole, in bytes: what is no backup may have no end of a line at all. */
const LONGEST = 1024 * 1024;

/** Lines taken off a stream of bytes. */
export interface Lines {
  /** The next line, without its end; one of a megabyte at most. */
  one(): Promise<string>;
  /** The next lines as the bytes they come in; `taken` hears how many each piece ended. */
  many(count: number, taken: (lines: number) => void): AsyncGenerator<Buffer>;
  /** Whether nothing follows. */
  areOver(): Promise<boolean>;
}

/** The bytes are not as promised: they end too early, or a line does not. */
export class EndOfFile extends Error {}

/** Reads a stream in lines; the reader throws EndOfFile where it ends too early. */
export function createLines(bytes: AsyncIterable<Buffer>): Lines {
  const source = bytes[Symbol.asyncIterator]();
  let rest: Buffer = NOTHING;

  async function hasMore(): Promise<boolean> {
    while (rest.length === 0) {
      const { done, value } = await source.next();
      if (done) return false;
      rest = value;
    }
    return true;
  }
  /** Takes bytes to the end of the last of so many lines, or all there are; gives them and how many lines they end. */
  function cut(most: number): { piece: Buffer; lines: number } {
    let [lines, end] = [0, 0];
    for (
      let at = rest.indexOf(NEWLINE);
      at !== -1 && lines < most;
      at = rest.indexOf(NEWLINE, end)
    ) {
      lines += 1;
      end = at + 1;
    }
    const piece = lines === most ? rest.subarray(0, end) : rest;
    rest = rest.subarray(piece.length);
    return { piece, lines };
  }
  async function* many(count: number, taken: (lines: number) => void): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (!(await hasMore())) throw new EndOfFile('it ends too early');
      const { piece, lines } = cut(left);
      left -= lines;
      yield piece;
      taken(lines);
    }
  }
  return {
    many,
    async one() {
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of many(1, () => {})) {
        length += piece.length;
        if (length > LONGEST) throw new EndOfFile('its first line is too long');
        pieces.push(piece);
      }
      return Buffer.concat(pieces).toString('utf8').slice(0, -1);
    },
    areOver: async () => !(await hasMore()),
  };
}

/** How many lines end in these bytes. */
export function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
