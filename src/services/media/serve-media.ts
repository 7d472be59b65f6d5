import { timingSafeEqual } from 'node:crypto';
import type { MediaFileStore } from '../../persistence/media/media-file-store.js';
import {
  CONVERTED_CONTENT_TYPE,
  convertedKey,
  THUMBNAIL_CONTENT_TYPE,
  thumbnailKey,
} from './accept-file.js';
import type { ByteRange, FileStorage } from './file-storage.js';
import { hashOf } from './upload-media.js';

/** A file, its thumbnail, or the picture that networks get instead of it. */
export type FileVariant = 'file' | 'thumbnail' | 'jpeg';

/** A file that is served to anyone who has its address. */
export interface ServedFile {
  readonly contentType: string;
  /** Null for thumbnails and converted pictures, whose size is not recorded. */
  readonly bytes: number | null;
  /** Name of the file for the user who saves it; null if it has none. */
  readonly name: string | null;
  /** The content or a part of it; null if the file is missing in the storage. */
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
}

/** Compares tokens in a time that does not depend on their characters. */
const areEqual = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)));

/** The file at an address; null if there is none, or the token is wrong (D63). */
export async function findServedFile(
  { files, storage }: { files: Pick<MediaFileStore, 'findStored'>; storage: FileStorage },
  { id, token, variant }: { id: string; token: string; variant: FileVariant },
): Promise<ServedFile | null> {
  const file = await files.findStored(id);
  if (!file || !areEqual(file.token, token)) return null;
  const { storageKey, content, hasThumbnail, title: name } = file;
  if (variant === 'file')
    return {
      contentType: content.contentType,
      bytes: content.bytes,
      name,
      open: (range) => storage.open(storageKey, range),
    };
  if (variant === 'thumbnail' && !hasThumbnail) return null;
  const [contentType, key] =
    variant === 'thumbnail'
      ? [THUMBNAIL_CONTENT_TYPE, thumbnailKey(storageKey)]
      : [CONVERTED_CONTENT_TYPE, convertedKey(storageKey)];
  return { contentType, bytes: null, name: null, open: () => storage.open(key) };
}
