import { FileTooLargeError } from '../../domain/media/media-file.js';
import type { MediaFileStore } from '../../persistence/media/media-file-store.js';
import type { ReadStoredMedia } from '../networks/network-ports.js';
import type { FileStorage } from './file-storage.js';

/** Creates a reader of the files that the service keeps, with the whole file in memory. */
export const createStoredMediaReader =
  ({
    files,
    storage,
  }: {
    files: Pick<MediaFileStore, 'findStored'>;
    storage: Pick<FileStorage, 'open'>;
  }): ReadStoredMedia =>
  async (mediaId, maxBytes) => {
    const file = await files.findStored(mediaId);
    if (!file) return null;
    const { contentType, bytes } = file.content;
    if (bytes > maxBytes) throw new FileTooLargeError(`The file has more than ${maxBytes} bytes.`);
    const content = await storage.open(file.storageKey);
    if (!content) throw new Error(`The file of the media item ${mediaId} is missing.`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return { type: contentType, bytes: new Uint8Array(Buffer.concat(chunks)) };
  };
