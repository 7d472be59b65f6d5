import path from 'node:path';
import type { Config } from '../config/config.js';
import { createFolderStorage } from '../media/folder-storage.js';
import { createIncomingFiles } from '../media/incoming-files.js';
import { createPictureReader } from '../media/picture-reader.js';
import type { FileAcceptor } from '../services/media/accept-file.js';

/** Receives, reads and keeps the files of media, in the folder `media` of DATA_DIR. */
export function composeMediaFiles({ dataDir }: Config): Omit<FileAcceptor, 'files'> {
  const folder = path.join(dataDir, 'media');
  return {
    incoming: createIncomingFiles(path.join(folder, 'incoming')),
    storage: createFolderStorage(path.join(folder, 'files')),
    pictures: createPictureReader(),
  };
}
