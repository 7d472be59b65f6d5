import type { ReadingProgress } from '../domain/imports/imported-post.js';

/** Bytes parsed at once: a caller sees its items before more is read, so a large chunk does not pile them up. */
const PIECE_BYTES = 64 * 1024;
/** Bytes between two records of progress. */
const PROGRESS_BYTES = 1024 * 1024;

/** Takes a file apart, a piece at a time. */
export interface PieceParser<T> {
  /** @throws MalformedExport where the file breaks */
  write(bytes: Uint8Array): void;
  /** @throws MalformedExport where the file ends too early */
  end(): void;
  /** The items completed since the last call. */
  take(): T[];
}

interface Reading<T> {
  readonly name: ReadingProgress['reading'];
  readonly source: AsyncIterable<Uint8Array>;
  readonly parser: PieceParser<T>;
}

/**
 * The records of a file's items, one by one, with a record of progress a megabyte and one at the end. Throws
 * MalformedExport where the file breaks, after what was completed before that place.
 */
export async function* readInPieces<T, R>(
  { name, source, parser }: Reading<T>,
  toRecords: (item: T) => Iterable<R>,
): AsyncGenerator<R | ReadingProgress> {
  let [bytes, reported, items] = [0, 0, 0];
  const progress = (): ReadingProgress => ({ kind: 'progress', reading: name, bytes, items });
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
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = chunk.subarray(from, from + PIECE_BYTES);
      yield* completed(() => parser.write(piece));
      bytes += piece.length;
      if (bytes - reported < PROGRESS_BYTES) continue;
      reported = bytes;
      yield progress();
    }
  }
  yield* completed(() => parser.end());
  yield progress();
}
