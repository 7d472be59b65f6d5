import type { FileSample } from '../../domain/media/media-content.js';

/** A file that has arrived and is not stored yet. */
export interface ReceivedFile extends FileSample {
  /** Path on this machine. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
}

/** Receives files on this machine, with little memory for files of any size. */
export interface IncomingFiles {
  /**
   * Writes the content to a temporary file.
   * @throws FileTooLargeError, or the error of the content; no file is left then
   */
  receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedFile>;
  /** Deletes the file, unless it was moved to the storage. */
  discard(file: ReceivedFile): Promise<void>;
  /** Deletes files that a killed process has left. */
  discardOlderThan(before: Date): Promise<void>;
}

/** A part of a file: positions of its first and last byte. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Keeps files: in a folder or in a bucket. Keys consist of letters, digits, `_`, `.` and `/`. */
export interface FileStorage {
  /** Stores a file durably. It may be moved: it must not be used afterwards. */
  store(key: string, file: ReceivedFile, contentType: string): Promise<void>;
  /** The content, or a part of it; null if there is no such file. */
  open(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Deletes a file, if it exists. */
  delete(key: string): Promise<void>;
}
