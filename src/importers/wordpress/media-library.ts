import type { ImportedMedia } from '../../domain/imports/imported-post.js';
import { isWebUrl, mediaTypeOfUrl } from '../export-file.js';
import type { ExportItem } from './export-items.js';
import { toPlainLine, type BodyMedia } from './html/html-text.js';

/**
 * A file of the blog's media library. Posts refer to it by ID; it can be anywhere in the export.
 */
interface LibraryFile {
  readonly id: string;
  readonly url: string;
  readonly alt: string;
  readonly title: string;
  readonly caption: string;
}
/** A file as stored in memory. */
type Row = [url: string, alt: string, title: string, caption: string];

/** Maximum characters of all rows, about 250,000 files. Further files are only counted. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Longer titles and captions are truncated to limit memory. */
const MAX_FIELD_CHARACTERS = 2_000;

/**
 * The media library of a blog, in memory as one string per file. JSON.stringify copies the strings:
 * each string of the parser would keep a 64 KB chunk of the file in memory.
 */
export class MediaLibrary {
  /** Number of files that were not stored because the library is full. */
  omittedFiles = 0;
  private readonly rows = new Map<string, string>();
  private readonly idsByParent = new Map<string, string[]>();
  private characters = 0;

  get size(): number {
    return this.rows.size;
  }

  /** Adds an item of type `attachment`. Ignores items without an ID or an http(s) URL. */
  add({ fields, meta }: ExportItem): void {
    const id = (fields.get('wp:post_id') ?? '').trim();
    const url = (fields.get('wp:attachment_url') ?? '').trim();
    if (!/^\d{1,20}$/.test(id) || !isWebUrl(url) || url.length > MAX_FIELD_CHARACTERS) return;
    const texts = [
      meta.get('_wp_attachment_image_alt'),
      fields.get('title'),
      fields.get('excerpt:encoded'),
    ];
    const row = JSON.stringify([
      url,
      ...texts.map((text) => (text ?? '').trim().slice(0, MAX_FIELD_CHARACTERS)),
    ]);
    if (this.characters + row.length > MAX_CHARACTERS) {
      this.omittedFiles += 1;
      return;
    }
    this.characters += row.length;
    this.rows.set(copyString(id), row);
    const parent = (fields.get('wp:post_parent') ?? '').trim();
    if (parent === '' || parent === '0') return;
    const siblings = this.idsByParent.get(parent);
    if (siblings === undefined) this.idsByParent.set(copyString(parent), [copyString(id)]);
    else siblings.push(copyString(id));
  }

  /** Null if the library does not contain the file. */
  get(id: string): LibraryFile | null {
    const row = this.rows.get(id);
    if (row === undefined) return null;
    const [url, alt, title, caption] = JSON.parse(row) as Row;
    return { id, url, alt, title, caption };
  }

  /** The files uploaded to a post, in the order of the export. */
  attachedTo(postId: string): LibraryFile[] {
    return (this.idsByParent.get(postId) ?? []).flatMap((id) => this.get(id) ?? []);
  }
}

const copyString = (text: string): string => Buffer.from(text).toString();

/** The media library of the blog, and the ID of a post in it. */
interface PostFiles {
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
