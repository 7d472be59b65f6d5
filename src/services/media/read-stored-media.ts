import { CONVERTED_BYTES, isConverted } from '../../domain/media/media-file.js';
import type { AddressedFile, MediaFileStore } from '../../persistence/media/media-file-store.js';
import type { ConvertPicture, FileStream, FindStoredMedia } from '../networks/network-ports.js';
import {
  chunksOf,
  CONVERTED_CONTENT_TYPE,
  convertedKey,
  type FileAcceptor,
} from './accept-file.js';

interface StoredMedia extends Pick<FileAcceptor, 'incoming' | 'storage'> {
  readonly files: Pick<MediaFileStore, 'findStored'>;
  readonly convertPicture: ConvertPicture;
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** Converts a picture and keeps the result with it, under a key that follows from its own. */
async function makeConverted(
  { incoming, storage, convertPicture }: StoredMedia,
  { storageKey, content }: AddressedFile,
): Promise<Uint8Array> {
  const original = await storage.open(storageKey);
  const picture =
    original &&
    (await convertPicture(
      { type: content.contentType, bytes: await readAll(original) },
      { maxBytes: CONVERTED_BYTES, asJpeg: true },
    ));
  if (!picture) throw new Error(`The picture ${storageKey} is missing or cannot be converted.`);
  const received = await incoming.receive(chunksOf([picture.bytes]), CONVERTED_BYTES);
  await storage.store(convertedKey(storageKey), received, CONVERTED_CONTENT_TYPE);
  await incoming.discard(received);
  return picture.bytes;
}

/** Creates a reader of the files that the service keeps, as streams. */
export function createStoredMediaFinder(stored: StoredMedia): FindStoredMedia {
  const { files, storage } = stored;

  async function openConverted(file: AddressedFile): Promise<FileStream> {
    const kept = await storage.open(convertedKey(file.storageKey));
    const bytes = kept ? await readAll(kept) : await makeConverted(stored, file);
    return {
      type: CONVERTED_CONTENT_TYPE,
      size: bytes.length,
      open: async (range) =>
        chunksOf([range ? bytes.subarray(range.first, range.last + 1) : bytes]),
    };
  }

  return async ({ id, url }) => {
    const file = await files.findStored(id);
    if (!file) return null;
    if (isConverted(url)) return openConverted(file);
    const { contentType, bytes } = file.content;
    return {
      type: contentType,
      size: bytes,
      async open(range) {
        const content = await storage.open(file.storageKey, range);
        if (!content) throw new Error(`The file of the media item ${id} is missing.`);
        return content;
      },
    };
  };
}
