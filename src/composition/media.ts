import path from 'node:path';
import type { Config } from '../config/config.js';
import { createFolderStorage } from '../media/folder-storage.js';
import { createIncomingFiles } from '../media/incoming-files.js';
import { createS3Storage } from '../media/s3-storage.js';
import { createPictureReader } from '../media/picture-reader.js';
import type { Database } from '../persistence/database.js';
import { createMediaFileStore } from '../persistence/media/media-file-store.js';
import { createFileDownloads } from '../networks/http-client/file-downloads.js';
import { systemClock, type Clock } from '../services/clock.js';
import type { FileAcceptor } from '../services/media/accept-file.js';
import type { FileStorage } from '../services/media/file-storage.js';
import type { MediaSource } from '../services/media/media-source.js';
import { createStoredMediaReader } from '../services/media/read-stored-media.js';
import type { ReadStoredMedia } from '../services/networks/network-ports.js';

/** The bucket of the settings, or the folder `media` of DATA_DIR. */
function composeStorage(
  { dataDir, s3Endpoint, s3Bucket, s3Region, s3AccessKeyId, s3SecretAccessKey }: Config,
  clock: Clock,
): FileStorage {
  const isS3 = s3Endpoint !== undefined && s3Bucket !== undefined;
  if (!isS3 || s3AccessKeyId === undefined || s3SecretAccessKey === undefined)
    return createFolderStorage(path.join(dataDir, 'media', 'files'));
  return createS3Storage(
    {
      endpoint: s3Endpoint,
      bucket: s3Bucket,
      region: s3Region,
      accessKeyId: s3AccessKeyId,
      secretAccessKey: s3SecretAccessKey,
    },
    clock,
  );
}

/** Receives and reads the files of media, and keeps them in a folder or a bucket. */
export const composeMediaFiles = (
  config: Config,
  clock: Clock = systemClock,
): Omit<FileAcceptor, 'files'> => ({
  incoming: createIncomingFiles(path.join(config.dataDir, 'media', 'incoming')),
  storage: composeStorage(config, clock),
  pictures: createPictureReader(),
});

/** Reads the files of media, for the networks that posts are published on. */
export const composeStoredMedia = (config: Config, database: Database): ReadStoredMedia =>
  createStoredMediaReader({
    files: createMediaFileStore(database),
    storage: composeStorage(config, systemClock),
  });

/** Fetches media files from other servers. */
export const composeMediaSource = ({ networksAllowLoopback }: Config): MediaSource =>
  createFileDownloads({ allowLoopback: networksAllowLoopback });
