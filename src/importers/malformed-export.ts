/** Where a file breaks: line counted from 1, column in characters from 0, byte from 0 (exact for valid UTF-8). */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
  readonly byte: number;
}

/** The file is not what it says it is. Thrown after everything before that place has been handed out. */
export class MalformedExport extends Error {
  constructor(readonly reason: string, readonly position: FilePosition) {
    super(`${reason} (line ${position.line}, column ${position.column}, byte ${position.byte})`);
    this.name = 'MalformedExport';
  }
}
