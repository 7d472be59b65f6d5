import type { MediaFileStore } from '../../persistence/media/media-file-store.js';
import type { FindStoredMedia } from '../networks/network-ports.js';
import type { FileStorage } from './file-storage.js';

/** Creates a reader of the files that the service keeps, as streams. */
export const createStoredMediaFinder =
  ({
    files,
    storage,
  }: {
    files: Pick<MediaFileStore, 'findStored'>;
    storage: Pick<FileStorage, 'open'>;
  }): FindStoredMedia =>
  async (mediaId) => {
    const file = await files.findStored(mediaId);
    if (!file) return null;
    const { contentType, bytes } = file.content;
    return {
      type: contentType,
      size: bytes,
      async open(range) {
        const content = await storage.open(file.storageKey, range);
        if (!content) throw new Error(`The file of the media item ${mediaId} is missing.`);
        return content;
      },
    };
  };
