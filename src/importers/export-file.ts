import type { FilePosition, ImportRecord, ReadProgress } from '../domain/imports/imported-post.js';
import type { MediaType } from '../domain/posts/post-content.js';

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

/**
 * Maximum bytes per call of `write`. Items are yielded after each call, so that a large chunk does
 * not accumulate items.
 */
const MAX_WRITE_BYTES = 64 * 1024;
/** Bytes between two progress records. */
const PROGRESS_BYTES = 1024 * 1024;

/** Parses a file chunk by chunk. */
export interface IncrementalParser<T> {
  /** @throws MalformedExportError if the file is malformed */
  write(bytes: Uint8Array): void;
  /** @throws MalformedExportError if the file is incomplete */
  end(): void;
  /** Returns and removes the items completed since the last call. */
  take(): T[];
}

interface ParseInput<T> {
  readonly pass: ReadProgress['pass'];
  readonly source: AsyncIterable<Uint8Array>;
  readonly parser: IncrementalParser<T>;
}

/**
 * Yields the records of a file's items, and a progress record for each megabyte and at the end.
 * @throws MalformedExportError if the file is malformed, after yielding the records of all items
 * before that position
 */
export async function* parseIncrementally<T, R>(
  { pass, source, parser }: ParseInput<T>,
  toRecords: (item: T) => Iterable<R>,
): AsyncGenerator<R | ReadProgress> {
  let [bytes, reportedBytes, items] = [0, 0, 0];
  const progress = (): ReadProgress => ({ kind: 'progress', pass, bytes, items });
  const completed = function* (parse: () => void): Generator<R> {
    try {
      parse();
    } finally {
      for (const item of parser.take()) {
        items += 1;
        yield* toRecords(item);
      }
    }
  };
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length; from += MAX_WRITE_BYTES) {
      const part = chunk.subarray(from, from + MAX_WRITE_BYTES);
      yield* completed(() => parser.write(part));
      bytes += part.length;
      if (bytes - reportedBytes < PROGRESS_BYTES) continue;
      reportedBytes = bytes;
      yield progress();
    }
  }
  yield* completed(() => parser.end());
  yield progress();
}

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

/** Whether a text is an http(s) URL with a host. */
export const isWebUrl = (url: string): boolean => /^https?:\/\/[^\s/]/i.test(url);

const MEDIA_TYPES_BY_EXTENSION: readonly (readonly [RegExp, MediaType])[] = [
  [/\.gif$/i, 'gif'],
  [/\.(jpe?g|jpe|png|webp|avif|heic|bmp|tiff?|svg|ico)$/i, 'photo'],
  [/\.(mp4|m4v|mov|webm|ogv|avi|wmv|mpe?g|3gp|3g2|mkv)$/i, 'video'],
];

/** Media type by file extension, for exports that do not contain the type. */
export function mediaTypeOfUrl(url: string, fallback: MediaType): MediaType {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return MEDIA_TYPES_BY_EXTENSION.find(([pattern]) => pattern.test(path))?.[1] ?? fallback;
}
