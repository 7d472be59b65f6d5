import { randomBytes } from 'node:crypto';
import {
  contentTypeOf,
  isVideo,
  MEDIA_CONTENT_TYPES,
  MEDIA_FORMAT_NAMES,
  type VideoContentType,
} from '../../domain/media/media-content.js';
import {
  MEDIA_FILE_LIMITS,
  presentBytes,
  UnreadableFileError,
  type PictureSize,
  type VideoProperties,
} from '../../domain/media/media-file.js';
import type { MediaType } from '../../domain/posts/post-content.js';
import type { MediaFileStore, StoredFile } from '../../persistence/media/media-file-store.js';
import type { FileStorage, IncomingFiles, ReceivedFile } from './file-storage.js';

/** A picture's size, and a small version of it as WebP. */
export interface Picture {
  readonly size: PictureSize;
  readonly thumbnail: Uint8Array;
  /** The file without position, serial numbers and the like, in parts; null if it stays as it is. */
  readonly stripped: readonly Uint8Array[] | null;
}

/** Decodes pictures, with limits on pixels, memory and time. */
export interface PictureReader {
  /**
   * Reads a picture when it is the turn of its workspace.
   * @throws UnreadableFileError
   */
  read(path: string, workspaceId: string): Promise<Picture>;
}

/** What a video file says of itself. */
export interface Video {
  readonly size: PictureSize | null;
  readonly video: VideoProperties;
}

/** Reads what videos consist of, without decoding them. */
export interface VideoReader {
  /** @throws UnreadableFileError if the file has no picture, or does not describe it */
  read(path: string, contentType: VideoContentType): Promise<Video>;
}

/** What accepts files. */
export interface FileAcceptor {
  readonly incoming: IncomingFiles;
  readonly storage: FileStorage;
  readonly pictures: PictureReader;
  readonly videos: VideoReader;
  readonly files: Pick<MediaFileStore, 'reserveKey'>;
}

/** A file in the storage, which no media item has yet. */
export interface AcceptedFile extends Omit<StoredFile, 'token'> {
  readonly type: MediaType;
}

/** A file that is not accepted; the message follows its name and a space. */
export class RefusedFileError extends Error {}

/** The key of the thumbnail of a stored file. */
export const thumbnailKey = (storageKey: string): string => `${storageKey}.thumbnail`;
export const THUMBNAIL_CONTENT_TYPE = 'image/webp';
/** The key of the picture that networks get instead of a stored file. */
export const convertedKey = (storageKey: string): string => `${storageKey}.jpeg`;
export const CONVERTED_CONTENT_TYPE = 'image/jpeg';

/** A key that no other file has. Folders of the first letters keep the folders of files small. */
function newStorageKey(): string {
  const name = randomBytes(16).toString('hex');
  return `${name.slice(0, 2)}/${name}`;
}

async function readPicture(
  pictures: PictureReader,
  file: ReceivedFile,
  workspaceId: string,
): Promise<Picture> {
  if (file.bytes > MEDIA_FILE_LIMITS.pictureBytes)
    throw new RefusedFileError(
      `has ${presentBytes(file.bytes)}; a picture may have at most ${presentBytes(MEDIA_FILE_LIMITS.pictureBytes)}`,
    );
  return pictures.read(file.path, workspaceId);
}

/** @throws RefusedFileError for a file that cannot be read */
const refuseUnreadable = (error: unknown): never => {
  throw error instanceof UnreadableFileError ? new RefusedFileError(error.message) : error;
};

/**
 * Checks a received file by its content, and stores it with its thumbnail (D63). A file that no
 * media item gets afterwards is removed by the purge.
 * @throws RefusedFileError
 */
export async function acceptFile(
  { incoming, storage, pictures, videos, files }: FileAcceptor,
  received: ReceivedFile,
  workspaceId: string,
): Promise<AcceptedFile> {
  if (received.bytes === 0) throw new RefusedFileError('is empty');
  const contentType = contentTypeOf(received);
  if (contentType === null)
    throw new RefusedFileError(
      `has none of the accepted formats, which its content determines: ${MEDIA_FORMAT_NAMES}`,
    );
  const { type } = MEDIA_CONTENT_TYPES[contentType];
  const video = isVideo(contentType)
    ? await videos.read(received.path, contentType).catch(refuseUnreadable)
    : null;
  const isPicture = type === 'photo' || type === 'gif';
  const picture = isPicture
    ? await readPicture(pictures, received, workspaceId).catch(refuseUnreadable)
    : null;
  const storageKey = newStorageKey();
  await files.reserveKey(storageKey);
  if (picture) {
    const thumbnail = await incoming.receive(chunksOf([picture.thumbnail]), Infinity);
    await storage.store(thumbnailKey(storageKey), thumbnail, THUMBNAIL_CONTENT_TYPE);
    await incoming.discard(thumbnail);
  }
  const stripped =
    picture?.stripped && (await incoming.receive(chunksOf(picture.stripped), Infinity));
  const stored = stripped ?? received;
  await storage.store(storageKey, stored, contentType);
  if (stripped) await incoming.discard(stripped);
  return {
    type,
    storageKey,
    content: {
      contentType,
      bytes: stored.bytes,
      size: (picture ?? video)?.size ?? null,
      video: video?.video ?? null,
    },
    hasThumbnail: picture !== null,
  };
}

/** Content that is in memory, as a stream. */
export async function* chunksOf(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
