import type { ReadProgress } from '../domain/imports/imported-post.js';

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
