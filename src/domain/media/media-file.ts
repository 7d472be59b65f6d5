import type { Media } from '../posts/post-content.js';
import { GIGABYTE, MEGABYTE, type MediaContentType } from './media-content.js';

/** Limits of files that the service keeps (D63). */
export const MEDIA_FILE_LIMITS = {
  bytes: 200 * MEGABYTE,
  /** Bytes of a photo or GIF: larger ones are no pictures for social networks. */
  pictureBytes: 50 * MEGABYTE,
  /** Width times height of a picture; of an animation, of one frame. */
  picturePixels: 50_000_000,
  /** Code points of the name of a file. */
  nameLength: 255,
  /** Addresses in one import. */
  importedUrls: 50,
} as const;

/** Number of bytes as text: `1.25 GB`, `12 MB`, `800 KB`. */
export function presentBytes(bytes: number): string {
  const gigabytes = Number((bytes / GIGABYTE).toFixed(2));
  if (gigabytes >= 1) return `${gigabytes} GB`;
  return bytes >= MEGABYTE
    ? `${Number((bytes / MEGABYTE).toFixed(1))} MB`
    : `${bytes > 0 ? Math.max(1, Math.round(bytes / 1024)) : 0} KB`;
}

/**
 * Width and height in pixels, as a viewer sees the picture or the video: after its orientation is
 * applied.
 */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** What a video file says of its picture and sound. Null: the file does not say it. */
export interface VideoProperties {
  readonly durationMs: number | null;
  /** Name of the codec of the picture, such as `h264`. */
  readonly videoCodec: string | null;
  /** Name of the codec of the sound, such as `aac`; also null if there is no sound. */
  readonly audioCodec: string | null;
  /** Frames per second, on average. */
  readonly frameRate: number | null;
}

/** What the service knows of the content of a stored file. */
export interface MediaContent {
  readonly contentType: MediaContentType;
  readonly bytes: number;
  /** Null for documents, and for videos that do not say it. */
  readonly size: PictureSize | null;
  /** Null for all but videos. */
  readonly video: VideoProperties | null;
}

/** What the service knows of a file that a post has. */
export interface AttachedFile extends MediaContent {
  readonly mediaId: string;
}

/** A media item, with the content of its file; null while the service does not have that. */
export interface FoundMedia extends Media {
  readonly file: AttachedFile | null;
}

/**
 * Whether a file can be served and published. `waiting`: it has not arrived yet. `failed`: it could
 * not be fetched, or was refused.
 */
export type MediaFileStatus = 'waiting' | 'ready' | 'failed';

/** The file of a media item that the service keeps. */
export interface MediaFile {
  readonly status: MediaFileStatus;
  /** Null until the file has arrived. */
  readonly content: MediaContent | null;
  /** URL of a small picture; null if there is none. */
  readonly thumbnailUrl: string | null;
  /** Why it failed; null if it did not. */
  readonly error: string | null;
}

/** A media item with its file; null if the file is on another server. */
export interface MediaItem extends Media {
  readonly file: MediaFile | null;
}

/** Path of a file: the token keeps those out who were not given the address. */
export const mediaPath = (id: string, token: string): string => `/media/${id}/${token}`;

/** What the address of a media item consists of. */
type Addressed = Pick<Media, 'id' | 'url'>;

/** The path of the file that the service keeps; null if the file is on another server. */
function keptPath({ id, url }: Addressed): string | null {
  const start = url.lastIndexOf(mediaPath(id, ''));
  return start < 0 ? null : url.slice(start);
}

/** A media item as it is stored: of a file that the service keeps, `url` is the path. */
export function toStoredMedia<M extends Addressed>(media: M): M {
  const path = keptPath(media);
  return path === null ? media : { ...media, url: path };
}

/**
 * A stored media item with the URL at which clients reach its file now. The stored URL may start
 * with another base. `baseUrl`: without a slash at the end.
 */
export function atBaseUrl<M extends Addressed>(media: M, baseUrl: string): M {
  const path = keptPath(media);
  return path === null ? media : { ...media, url: `${baseUrl}${path}` };
}

/** The forms in which a URL that a client sends may be stored. */
export const storedUrls = (url: string, baseUrl: string): readonly string[] =>
  url.startsWith(`${baseUrl}/`) ? [url, url.slice(baseUrl.length)] : [url];

/** Path of the thumbnail of a file. */
export const thumbnailPath = (path: string): string => `${path}/thumbnail`;

/** Path of the picture that networks get instead of a file. */
export const convertedPath = (path: string): string => `${path}/jpeg`;

/** Whether an address is that of a converted picture. */
export const isConverted = (path: string): boolean => path.endsWith(convertedPath(''));

/**
 * Bytes of a converted picture at most: what every network takes. With its sides of at most 4,096
 * pixels, it also has fewer pixels than any network allows.
 */
export const CONVERTED_BYTES = 2_000_000;

/** A file is larger than allowed. The rest of it was not read. */
export class FileTooLargeError extends Error {}

/**
 * A picture cannot be decoded, has too many pixels, or takes too long; or a video does not describe
 * its picture. The message follows the name of the file and a space.
 */
export class UnreadableFileError extends Error {}

/** A file could not be fetched. The message is a sentence for users. */
export class FetchFailedError extends Error {
  constructor(
    message: string,
    /** Whether a later attempt may succeed. */
    readonly isRetryable: boolean,
  ) {
    super(message);
  }
}
