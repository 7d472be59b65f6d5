import type { FilePosition } from '../domain/imports/imported-post.js';

/** Converts an index in the current chunk of a text to a position in the whole text. */
export class PositionTracker {
  private chunk = '';
  private lines = 0;
  private column = 0;
  private bytes = 0;

  startChunk(chunk: string): void {
    const { line, column, byte } = this.at(this.chunk.length);
    [this.lines, this.column, this.bytes] = [line - 1, column, byte];
    this.chunk = chunk;
  }

  /** Position of the character at `index` of the current chunk. */
  at(index: number): FilePosition {
    let [lines, lineStart] = [this.lines, -this.column];
    for (
      let end = this.chunk.indexOf('\n');
      end >= 0 && end < index;
      end = this.chunk.indexOf('\n', lineStart)
    ) {
      lines += 1;
      lineStart = end + 1;
    }
    return {
      line: lines + 1,
      column: index - lineStart,
      byte: this.bytes + Buffer.byteLength(this.chunk.slice(0, index)),
    };
  }
}
