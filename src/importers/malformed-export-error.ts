import type { FilePosition, ImportRecord } from '../domain/imports/imported-post.js';

/** An export is malformed. Thrown after all items before `position` were returned. */
export class MalformedExportError extends Error {
  /** Without a trailing full stop, which some parsers add. */
  readonly reason: string;

  constructor(
    parserMessage: string,
    readonly position: FilePosition,
  ) {
    const reason = parserMessage.replace(/\.$/, '');
    super(`${reason} (line ${position.line}, column ${position.column}, byte ${position.byte})`);
    this.name = 'MalformedExport';
    this.reason = reason;
  }
}

/** Converts a MalformedExportError to a final record with its reason and position. */
export async function* catchMalformed<Reason extends string>(
  records: AsyncIterable<ImportRecord<Reason>>,
): AsyncGenerator<ImportRecord<Reason>> {
  try {
    yield* records;
  } catch (error) {
    if (!(error instanceof MalformedExportError)) throw error;
    yield { kind: 'malformed', reason: error.reason, position: error.position };
  }
}
