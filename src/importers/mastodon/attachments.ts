import type { ImportedMedia } from '../../domain/imports/imported-post.js';
import type { MediaType } from '../../domain/posts/post-content.js';
import { isWebUrl, mediaTypeOfUrl } from '../web-url.js';
import { readUrl, readObjects, readString, type JsonObject } from './activity-json.js';

/** Location of an archive's files on the web. */
export interface MediaLocation {
  /**
   * Origin of the account's server, such as `https://mastodon.example`; '' if the archive does not
   * contain it.
   */
  readonly serverUrl: string;
  /** Base URL of the archive's media paths; null if the server itself hosts them. */
  readonly mediaUrl: string | null;
}

const MEDIA_TYPES: readonly (readonly [RegExp, MediaType])[] = [
  [/^image\/gif$/i, 'gif'],
  [/^image\//i, 'photo'],
  [/^video\//i, 'video'],
  [/./, 'document'],
];
/** By the attachment's media type, or by the file name if it has none. */
const toMediaType = (mediaType: string, url: string): MediaType =>
  MEDIA_TYPES.find(([pattern]) => pattern.test(mediaType))?.[1] ?? mediaTypeOfUrl(url, 'photo');

/** Path of a server's local storage, which the archive omits from file paths. */
const LOCAL_STORAGE_PATH = '/system/';

/**
 * The https URL of a file (D20); null if there is none. An archive contains only the path of the
 * URL, without `/system/` if the server stores its files locally.
 */
function toFileUrl(path: string, { serverUrl, mediaUrl }: MediaLocation): string | null {
  if (isWebUrl(path)) return path.replace(/^http:/i, 'https:');
  const base =
    mediaUrl ?? (path.startsWith('/') ? serverUrl : serverUrl && serverUrl + LOCAL_STORAGE_PATH);
  if (path === '' || base === '' || path.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(path))
    return null;
  return `${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
}

/** The path or URL of a file. Unlike `readUrl`, accepts paths, which archives contain. */
const readPath = (attachment: JsonObject): string =>
  (readString(attachment['url']) || readUrl(attachment['url'])).trim();

/** The files of a post without duplicates, and the URL of its link preview. */
export function readAttachments(
  value: unknown,
  location: MediaLocation,
): { media: ImportedMedia[]; link: string | null } {
  const attachments = readObjects(value);
  const links = attachments.filter(({ type }) => type === 'Link').map(({ href }) => readUrl(href));
  const media = new Map<string, ImportedMedia>();
  for (const attachment of attachments) {
    const url = attachment['type'] === 'Link' ? null : toFileUrl(readPath(attachment), location);
    if (url !== null)
      media.set(url, {
        url,
        type: toMediaType(readString(attachment['mediaType']), url),
        altText: readString(attachment['name']) || null,
        title: null,
        caption: null,
      });
  }
  return { media: [...media.values()], link: links.find((link) => link !== '') ?? null };
}
