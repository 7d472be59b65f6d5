import type { ImportedMedia } from '../../domain/imports/imported-post.js';
import { isWebUrl, mediaTypeOfUrl } from '../web-url.js';
import type { BodyMedia } from './html/block-data.js';
import { toPlainLine } from './html/plain-text.js';
import type { LibraryFile, MediaLibrary } from './media-library.js';

/** The media library of the blog, and the ID of a post in it. */
export interface PostFiles {
  readonly library: MediaLibrary;
  readonly postId: string;
}

/**
 * Returns the files of a `[gallery]` with these IDs; for null, all pictures attached to the post.
 */
export const readGalleryMedia = (
  ids: readonly string[] | null,
  { library, postId }: PostFiles,
): BodyMedia[] => findGalleryFiles(ids, { library, postId }).map(toBodyMedia);

const findGalleryFiles = (
  ids: readonly string[] | null,
  { library, postId }: PostFiles,
): LibraryFile[] =>
  ids === null
    ? library.attachedTo(postId).filter(isPicture)
    : ids.flatMap((id) => library.get(id) ?? []);
const isPicture = ({ url }: LibraryFile): boolean =>
  ['photo', 'gif'].includes(mediaTypeOfUrl(url, 'document'));

const toBodyMedia = ({ id, url, alt, title, caption }: LibraryFile): BodyMedia => ({
  libraryId: id,
  url,
  type: mediaTypeOfUrl(url, 'document'),
  alt,
  title: toPlainLine(title),
  caption: toPlainLine(caption),
});

/**
 * All media of a post: the featured image, then media in the body, then files that are only
 * attached to the post. Texts that are missing in the body are taken from the library.
 */
export function collectMedia(
  featured: LibraryFile | null,
  bodyMedia: readonly BodyMedia[],
  { library, postId }: PostFiles,
): ImportedMedia[] {
  const attached = library.attachedTo(postId);
  const filesByUrl = new Map(attached.map((file) => [file.url, file]));
  const media = new Map<string, ImportedMedia>();
  const seenUrls = new Set<string>();
  const add = (item: BodyMedia, file: LibraryFile | null): void => {
    const key = file?.id ?? item.url;
    if (!isWebUrl(item.url) || media.has(key) || seenUrls.has(item.url)) return;
    seenUrls.add(item.url);
    media.set(key, {
      url: item.url,
      type: item.type,
      altText: item.alt || file?.alt || null,
      title: item.title || (file === null ? '' : toPlainLine(file.title)) || null,
      caption: item.caption || (file === null ? '' : toPlainLine(file.caption)) || null,
    });
  };
  if (featured !== null) add(toBodyMedia(featured), featured);
  for (const item of bodyMedia) {
    const file = item.libraryId === null ? null : library.get(item.libraryId);
    add(item, file ?? filesByUrl.get(item.url) ?? filesByUrl.get(toFullSizeUrl(item.url)) ?? null);
  }
  for (const file of attached) add(toBodyMedia(file), file);
  return [...media.values()];
}

/** WordPress names resized copies after the original: photo-300x200.jpg. */
const toFullSizeUrl = (url: string): string =>
  url.replace(/-\d{1,5}x\d{1,5}(?=\.[a-z]{3,4}$)/i, '');
