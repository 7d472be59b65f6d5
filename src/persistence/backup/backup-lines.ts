const NEWLINE = 10;
const EMPTY = Buffer.alloc(0);
/** Limit of a line that is buffered as a whole: other files may contain no newline at all. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Reads lines from a stream of bytes. */
export interface LineReader {
  /** Reads the next line, without its newline; at most one megabyte. */
  nextLine(): Promise<string>;
  /**
   * Reads the next lines in the chunks in which they arrive; `onLines` gets the number of newlines
   * in each chunk.
   */
  nextLines(count: number, onLines: (lines: number) => void): AsyncGenerator<Buffer>;
  /** Whether the stream has no more bytes. */
  isAtEnd(): Promise<boolean>;
}

/** The stream is not a complete backup. */
export class InvalidBackupError extends Error {}

/** Creates a reader that throws InvalidBackupError if the stream ends too early. */
export function createLineReader(bytes: AsyncIterable<Buffer>): LineReader {
  const source = bytes[Symbol.asyncIterator]();
  let buffer: Buffer = EMPTY;

  async function hasMore(): Promise<boolean> {
    while (buffer.length === 0) {
      const { done, value } = await source.next();
      if (done) return false;
      buffer = value;
    }
    return true;
  }
  /**
   * Removes up to `maxLines` lines from the buffer, or all of it; returns the bytes and the number
   * of lines they end.
   */
  function takeLines(maxLines: number): { chunk: Buffer; lines: number } {
    let [lines, end] = [0, 0];
    for (
      let at = buffer.indexOf(NEWLINE);
      at !== -1 && lines < maxLines;
      at = buffer.indexOf(NEWLINE, end)
    ) {
      lines += 1;
      end = at + 1;
    }
    const chunk = lines === maxLines ? buffer.subarray(0, end) : buffer;
    buffer = buffer.subarray(chunk.length);
    return { chunk, lines };
  }
  async function* nextLines(
    count: number,
    onLines: (lines: number) => void,
  ): AsyncGenerator<Buffer> {
    for (let remaining = count; remaining > 0;) {
      if (!(await hasMore())) throw new InvalidBackupError('the file ends too early');
      const { chunk, lines } = takeLines(remaining);
      remaining -= lines;
      yield chunk;
      onLines(lines);
    }
  }
  return {
    nextLines,
    async nextLine() {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of nextLines(1, () => {})) {
        length += chunk.length;
        if (length > MAX_LINE_BYTES) throw new InvalidBackupError('the first line is too long');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8').slice(0, -1);
    },
    isAtEnd: async () => !(await hasMore()),
  };
}

/** Number of newlines in these bytes. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
