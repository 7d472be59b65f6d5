import type { ImportedMedia } from '../../domain/imports/imported-post.js';
import type { MediaType } from '../../domain/posts/post.js';
import { isWebAddress, mediaTypeOf } from '../web-file.js';
import { addressOf, objectsOf, textOf, type JsonObject } from './activity-json.js';

/** Where the files of an archive are on the web. */
export interface MediaPlace {
  /** The origin of the account's server, such as `https://mastodon.example`; '' where the archive does not tell. */
  readonly server: string;
  /** The address under which the archive's media paths lie, where it is not the server's own. */
  readonly mediaAddress: string | null;
}

const TYPES: readonly (readonly [RegExp, MediaType])[] = [
  [/^image\/gif$/i, 'gif'],
  [/^image\//i, 'photo'],
  [/^video\//i, 'video'],
  [/./, 'document'],
];
/** By the kind of the file; where the attachment does not say it, by its name. */
const typeOf = (mediaType: string, url: string): MediaType =>
  TYPES.find(([pattern]) => pattern.test(mediaType))?.[1] ?? mediaTypeOf(url, 'photo');

/** Where a server of its own files has them: what the archive cuts off their paths. */
const OWN_FILES = '/system/';

/**
 * The address of a file, over HTTPS (D20); null where there is none. An archive keeps only the path of an address, without
 * `/system/` where the server keeps its files itself.
 */
function fileAddress(path: string, { server, mediaAddress }: MediaPlace): string | null {
  if (isWebAddress(path)) return path.replace(/^http:/i, 'https:');
  const base = mediaAddress ?? (path.startsWith('/') ? server : server && server + OWN_FILES);
  if (path === '' || base === '' || path.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(path))
    return null;
  return `${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
}

/** The path or address of a file; like addressOf, but archives have bare paths too. */
const pathOf = (attachment: JsonObject): string =>
  (textOf(attachment['url']) || addressOf(attachment['url'])).trim();

/** What hangs on a post: its files, each once, and the address of the preview that it shows. */
export function readAttachments(
  value: unknown,
  place: MediaPlace,
): { media: ImportedMedia[]; link: string | null } {
  const attachments = objectsOf(value);
  const links = attachments
    .filter(({ type }) => type === 'Link')
    .map(({ href }) => addressOf(href));
  const media = new Map<string, ImportedMedia>();
  for (const attachment of attachments) {
    const url = attachment['type'] === 'Link' ? null : fileAddress(pathOf(attachment), place);
    if (url !== null)
      media.set(url, {
        url,
        type: typeOf(textOf(attachment['mediaType']), url),
        altText: textOf(attachment['name']) || null,
        title: null,
        caption: null,
      });
  }
  return { media: [...media.values()], link: links.find((link) => link !== '') ?? null };
}
