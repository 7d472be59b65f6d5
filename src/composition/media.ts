import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../config/config.js';
import { createFolderStorage } from '../media/folder-storage.js';
import { createIncomingFiles } from '../media/incoming-files.js';
import { createPictureReader } from '../media/picture-reader.js';
import { createMediaFileStore } from '../persistence/media/media-file-store.js';
import { createFileDownloads } from '../networks/http-client/file-downloads.js';
import type { MediaSource } from '../services/media/media-ports.js';
import type { FileAcceptor } from '../services/media/accept-file.js';
import { createStoredMediaReader } from '../services/media/read-stored-media.js';
import type { ReadStoredMedia } from '../services/networks/network-ports.js';

/** Receives, reads and keeps the files of media, in the folder `media` of DATA_DIR. */
export function composeMediaFiles({ dataDir }: Config): Omit<FileAcceptor, 'files'> {
  const folder = path.join(dataDir, 'media');
  return {
    incoming: createIncomingFiles(path.join(folder, 'incoming')),
    storage: createFolderStorage(path.join(folder, 'files')),
    pictures: createPictureReader(),
  };
}

/** Reads the files of media, for the networks that posts are published on. */
export const composeStoredMedia = (config: Config, pool: pg.Pool): ReadStoredMedia =>
  createStoredMediaReader({
    files: createMediaFileStore(pool),
    storage: composeMediaFiles(config).storage,
  });
/** Fetches media files from other servers. */
export const composeMediaSource = ({ networksAllowLoopback }: Config): MediaSource =>
  createFileDownloads({ allowLoopback: networksAllowLoopback });
