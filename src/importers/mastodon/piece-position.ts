import type { FilePosition } from '../../domain/imports/imported-post.js';

/** Where one stands in a text that comes in pieces. */
export class PiecePosition {
  private piece = '';
  private lines = 0;
  private column = 0;
  private bytes = 0;

  next(piece: string): void {
    const { line, column, byte } = this.at(this.piece.length);
    [this.lines, this.column, this.bytes] = [line - 1, column, byte];
    this.piece = piece;
  }

  /** The place of a character of the piece. */
  at(index: number): FilePosition {
    let [lines, lineStart] = [this.lines, -this.column];
    for (
      let end = this.piece.indexOf('\n');
      end >= 0 && end < index;
      end = this.piece.indexOf('\n', lineStart)
    ) {
      lines += 1;
      lineStart = end + 1;
    }
    return {
      line: lines + 1,
      column: index - lineStart,
      byte: this.bytes + Buffer.byteLength(this.piece.slice(0, index)),
    };
  }
}
