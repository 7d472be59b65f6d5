import type { FilePosition } from '../domain/imported-post.js';

/** The file is not what it says it is. Thrown after everything before that place has been handed out. */
export class MalformedExport extends Error {
  constructor(readonly reason: string, readonly position: FilePosition) {
    super(`${reason} (line ${position.line}, column ${position.column}, byte ${position.byte})`);
    this.name = 'MalformedExport';
  }
}
