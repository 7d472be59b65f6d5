import type { FileSample } from '../../domain/media/media-content.js';
import type { MediaContent, MediaFile, PictureSize } from '../../domain/media/media-file.js';
import type { Job } from '../../domain/jobs/job.js';
import type { Media, MediaType } from '../../domain/posts/post-content.js';
import type { IdempotencyResult } from '../../persistence/changes/idempotency-store.js';
import type { Actor } from '../../domain/events/actor.js';

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

/** A picture's size, and a small version of it as WebP. */
export interface Picture {
  readonly size: PictureSize;
  readonly thumbnail: Uint8Array;
}

/** Decodes pictures, with limits on pixels and time. */
export interface PictureReader {
  /** @throws UnreadablePictureError */
  read(path: string): Promise<Picture>;
}

/** Where the file of a media item is stored, and the secret part of its address. */
export interface StoredFile {
  readonly token: string;
  readonly storageKey: string;
  readonly content: MediaContent;
  readonly hasThumbnail: boolean;
}

/** A media item that is created with its file. */
export interface NewMedia extends Media {
  readonly inLibrary: boolean;
}

/** Who creates media, and where. */
export interface MediaOrigin {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** A file whose address has a token. */
export interface AddressedFile extends StoredFile {
  readonly title: string | null;
}

/** A media item that waits for its file, which the client sends to a one-time address. */
export interface NewUpload {
  readonly media: NewMedia;
  readonly token: string;
  /** The size that the file must have. */
  readonly bytes: number;
  readonly uploadTokenHash: string;
  readonly expiresAt: Date;
}

/** A media item that waits for a file of this size. */
export interface ExpectedUpload extends Media {
  readonly expectedBytes: number;
}

/** A media item that waits for its file, which a job fetches. */
export interface NewImport {
  readonly media: NewMedia;
  readonly token: string;
  readonly sourceUrl: string;
}

/** A file that a job has to fetch. */
export interface PendingImport {
  readonly mediaId: string;
  readonly sourceUrl: string;
}

/** Rows of media and their files. */
export interface MediaFileStore {
  /** Files by media ID, of one workspace. Media whose file is on another server are absent. */
  byIds(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, MediaFile>>;
  /** A stored file with the secret of its address; null if it is unknown or not ready. */
  findStored(mediaId: string): Promise<AddressedFile | null>;
  /** Remembers a key as unused, before a file is stored under it. */
  reserveKey(storageKey: string): Promise<void>;
  /** Keys that have been unused since before a time, oldest first. */
  unusedKeys(before: Date, max: number): Promise<readonly string[]>;
  /** Forgets keys whose files were deleted. */
  forgetKeys(storageKeys: readonly string[]): Promise<void>;
  /** Creates a media item with its file, and the event (D70). */
  create(origin: MediaOrigin, media: NewMedia, file: StoredFile): Promise<void>;
  /** Creates a media item that waits for its file. */
  createUpload(origin: MediaOrigin, upload: NewUpload): Promise<void>;
  /** The item that waits for its file at this address; null if it expired or was used. */
  findUpload(mediaId: string, uploadTokenHash: string, now: Date): Promise<ExpectedUpload | null>;
  /** Creates media that wait for their files, and the job that fetches them. */
  createImport(
    origin: MediaOrigin,
    content: { readonly job: Job; readonly imports: readonly NewImport[] },
    record?: IdempotencyResult,
  ): Promise<void>;
  /** The files that a job still has to fetch. */
  pendingImports(jobId: string): Promise<readonly PendingImport[]>;
  /** The files that a job could not fetch, with the reasons. */
  failedImports(jobId: string): Promise<readonly { mediaId: string; error: string }[]>;
  /** Records the file of an item that waits for it, and the event. False if it no longer waits. */
  complete(
    mediaId: string,
    file: Omit<StoredFile, 'token'> & { readonly type: MediaType },
    at: Date,
  ): Promise<boolean>;
  /** Records why the file of a waiting item is not available, and the event. */
  fail(mediaId: string, error: string, at: Date): Promise<void>;
}

/** A file on another server, while it is downloaded. */
export interface Download {
  /** Reading it fails with FetchFailedError or FileTooLargeError. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Fetches files from public https addresses, without redirects. */
export interface MediaSource {
  /** Why a URL is never fetched, or null. Names are resolved only when the file is fetched. */
  problemOf(url: string): string | null;
  /** @throws FetchFailedError */
  open(url: string): Promise<Download>;
}
