import type { FilePosition, ImportRecord } from '../domain/imports/imported-post.js';

/** The file is not what it says it is. Thrown after everything before that place has been handed out. */
export class MalformedExport extends Error {
  /** Without the full stop that some parsers end it with. */
  readonly reason: string;

  constructor(
    told: string,
    readonly position: FilePosition,
  ) {
    const reason = told.replace(/\.$/, '');
    super(`${reason} (line ${position.line}, column ${position.column}, byte ${position.byte})`);
    this.name = 'MalformedExport';
    this.reason = reason;
  }
}

/** The records as far as the file can be read; where it cannot be read on, the last one tells why. */
export async function* untilMalformed<Reason extends string>(
  records: AsyncIterable<ImportRecord<Reason>>,
): AsyncGenerator<ImportRecord<Reason>> {
  try {
    yield* records;
  } catch (error) {
    if (!(error instanceof MalformedExport)) throw error;
    yield { kind: 'malformed', reason: error.reason, position: error.position };
  }
}
