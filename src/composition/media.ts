import path from 'node:path';
import type { Config } from '../config/config.js';
import { PICTURE_PROGRAM } from '../config/package-paths.js';
import type { Plan } from '../domain/enums.js';
import { GIGABYTE } from '../domain/media/media-content.js';
import type { MediaAmounts, MediaQuotas } from '../domain/media/media-quota.js';
import { createFolderStorage } from '../media/folder-storage.js';
import { createIncomingFiles } from '../media/incoming-files.js';
import { createPictureConverter } from '../media/picture-converter.js';
import { createPictureReader } from '../media/picture-reader.js';
import { createPictureProcesses } from '../media/picture-processes.js';
import { createVideoReader } from '../media/video-reader.js';
import { createS3Storage } from '../media/s3-storage.js';
import { createStorageCheck, readStorageState } from '../media/storage-state.js';
import { createFileDownloads } from '../networks/http-client/file-downloads.js';
import type { MediaFacts, MediaStorageState } from '../domain/diagnostics/diagnostic-facts.js';
import type { Database } from '../persistence/database.js';
import { createMediaFileStore } from '../persistence/media/media-file-store.js';
import { systemClock, type Clock } from '../services/clock.js';
import { inSlices } from '../services/long-work.js';
import type { FileAcceptor } from '../services/media/accept-file.js';
import type { MediaSource } from '../services/media/fetch-media.js';
import type { FileStorage } from '../services/media/file-storage.js';
import { createStoredMediaFinder } from '../services/media/read-stored-media.js';
import type { ConvertPicture, FindStoredMedia } from '../services/networks/network-ports.js';

/** The bucket of the settings; null if there is none. */
function composeBucket(
  { s3Endpoint, s3Bucket, s3Region, s3AccessKeyId, s3SecretAccessKey }: Config,
  clock: Clock,
): FileStorage | null {
  const isS3 = s3Endpoint !== undefined && s3Bucket !== undefined;
  if (!isS3 || s3AccessKeyId === undefined || s3SecretAccessKey === undefined) return null;
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

/** The bucket of the settings, or the folder `media` of DATA_DIR. */
const composeStorage = (config: Config, clock: Clock): FileStorage =>
  composeBucket(config, clock) ?? createFolderStorage(path.join(config.dataDir, 'media', 'files'));

/** The folder in which files arrive, also if they are kept in a bucket. */
const incomingFolder = ({ dataDir }: Config): string => path.join(dataDir, 'media', 'incoming');

/** The check of the media storage for /readyz. */
export const composeStorageCheck = (config: Config): (() => Promise<MediaStorageState>) =>
  createStorageCheck(incomingFolder(config), composeBucket(config, systemClock));

const URL_TIMEOUT_MS = 3_000;

/** Why no gateway answers HEAD of an address with this status; null if one does. */
export async function addressProblem(url: string, expected: number): Promise<string | null> {
  try {
    const { status } = await fetch(url, {
      method: 'HEAD',
      signal: AbortSignal.timeout(URL_TIMEOUT_MS),
      redirect: 'manual',
    });
    return status === expected ? null : `${new URL(url).pathname} has the status ${status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

/** The state of the media storage and of MEDIA_BASE_URL, for diagnostics. Changes nothing. */
export async function readMediaFacts(config: Config): Promise<MediaFacts> {
  const folder = incomingFolder(config);
  const { mediaBaseUrl: url } = config;
  const [storage, problem] = await Promise.all([
    readStorageState(folder, composeBucket(config, systemClock)),
    url === undefined ? null : addressProblem(`${url}/healthz`, 200),
  ]);
  return { folder, storage, baseUrl: url === undefined ? null : { url, problem } };
}

/** Receives and reads the files of media, and keeps them in a folder or a bucket. */
export const composeMediaFiles = (
  config: Config,
  clock: Clock = systemClock,
): Omit<FileAcceptor, 'files'> => ({
  incoming: createIncomingFiles(incomingFolder(config)),
  storage: composeStorage(config, clock),
  videos: createVideoReader(),
  pictures: createPictureReader({
    keepsMetadata: config.keepMediaMetadata,
    processes: createPictureProcesses(PICTURE_PROGRAM),
    inSlices,
  }),
});

/** What the media of a workspace may take up, by plan. */
export const mediaQuotas = ({
  mediaGigabytes,
  mediaOpenUploads,
  mediaWaitingImports,
}: Config): MediaQuotas => {
  const quotaOf = (plan: Plan): MediaAmounts => ({
    bytes: mediaGigabytes[plan] * GIGABYTE,
    openUploads: mediaOpenUploads[plan],
    waitingImports: mediaWaitingImports[plan],
  });
  return {
    free: quotaOf('free'),
    professional: quotaOf('professional'),
    business: quotaOf('business'),
  };
};

/** The files of posts, for the networks that they are published on. */
export interface PublishedFiles {
  readonly storedMedia: FindStoredMedia;
  readonly convertPicture: ConvertPicture;
}

/** Reads the files of media, and converts pictures for networks that would not take them. */
export function composePublishedFiles(config: Config, database: Database): PublishedFiles {
  const convertPicture = createPictureConverter(createPictureProcesses(PICTURE_PROGRAM));
  const storedMedia = createStoredMediaFinder({
    files: createMediaFileStore(database),
    incoming: createIncomingFiles(incomingFolder(config)),
    storage: composeStorage(config, systemClock),
    convertPicture,
  });
  return { storedMedia, convertPicture };
}

/** Fetches media files from other servers. */
export const composeMediaSource = ({ networksAllowLoopback }: Config): MediaSource =>
  createFileDownloads({ allowLoopback: networksAllowLoopback });
