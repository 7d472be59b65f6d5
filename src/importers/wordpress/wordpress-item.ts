import type {
  ImportedCell,
  ImportedMedia,
  ImportedPost,
} from '../../domain/imports/imported-post.js';
import { isWebAddress, mediaTypeOf } from '../web-file.js';
import type { AttachmentTable, LibraryFile } from './attachment-table.js';
import type { BodyMedia } from './html/block-data.js';
import type { ExportItem } from './export-item.js';
import { readBody } from './html/html-blocks.js';
import { blocksText, lineText, plainText } from './html/plain-text.js';
import type { SkipReason } from './skip-reasons.js';

interface Times {
  /** The post's own time; null where WordPress has not fixed one. */
  readonly date: Date | null;
  readonly now: Date;
}

type SkippedStatus = Extract<SkipReason, 'trashed' | 'unknown_status'>;

/** WordPress's statuses in our words. A draft has a date only where WordPress has fixed it in UTC. */
const STATUSES: Readonly<Record<string, (times: Times) => ImportedCell | SkippedStatus>> = {
  publish: () => 'published_posted',
  future: ({ date }) => (date === null ? 'draft_undated' : 'scheduled'),
  draft: ({ date }) => (date === null ? 'draft_undated' : 'draft_dated'),
  'auto-draft': ({ date }) => (date === null ? 'draft_undated' : 'draft_dated'),
  // Waiting for an editor of the blog: with a date ahead it is a plan that waits for approval, else a draft all may see.
  pending: ({ date, now }) => {
    if (date === null) return 'draft_public_undated';
    return date > now ? 'scheduled_pending' : 'draft_public_dated';
  },
  // Published, and shown to the blog's own editors only.
  private: () => 'published_hidden',
  trash: () => 'trashed',
};

/** A post of the export, or why it is none. Only for items of type `post`. */
export function toImportedPost(
  item: ExportItem,
  library: AttachmentTable,
  now: Date,
): ImportedPost | SkipReason {
  const field = (name: string): string => item.fields.get(name)?.trim() ?? '';
  const sourceId = field('wp:post_id');
  if (sourceId === '') return 'no_id';
  const status = field('wp:status');
  const fixed = readTime(field('wp:post_date_gmt'));
  // Without a time in UTC the local one is all there is; the export does not name the blog's zone, so it counts as UTC.
  const local = readTime(field('wp:post_date'));
  const date = fixed ?? (isDraft(status) ? null : local);
  const shown =
    (Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined)?.({ date, now }) ??
    'unknown_status';
  if (isSkipped(shown)) return shown;
  // A password hides the post from readers as `private` does.
  const cell =
    shown === 'published_posted' && field('wp:post_password') !== '' ? 'published_hidden' : shown;

  const body = readBody(item.fields.get('content:encoded') ?? '', {
    gallery: (ids) => galleryFiles(ids, sourceId, library).map(toBodyMedia),
  });
  const featuredFile = library.get(item.meta.get('_thumbnail_id')?.trim() ?? '');
  const media = postMedia(featuredFile, body.media, library, sourceId);
  const link = field('link');
  const made = fixed ?? local;
  return {
    source: sourceOf(item.blog),
    sourceId,
    remoteId: sourceId,
    cell,
    type: 'article',
    title: lineText(field('title')),
    text: blocksText(body.blocks),
    excerpt: plainText(field('excerpt:encoded')) || null,
    url: field('wp:post_name') || null,
    postLink: cell.startsWith('published') && isWebAddress(link) ? link : null,
    scheduledAt: date,
    // WordPress keeps no time of creation. A date ahead is a plan, and tells nothing about it.
    createdAt: made !== null && made <= now ? made : null,
    updatedAt: readTime(field('wp:post_modified_gmt')) ?? readTime(field('wp:post_modified')),
    categories: termNames(item, 'category'),
    tags: termNames(item, 'post_tag'),
    labels: [],
    language: null,
    poll: null,
    media,
    featuredMedia: featuredFile === null ? null : (media[0] ?? null),
    figures: { likes: null, comments: item.approvedComments, shares: null },
    content: body.blocks,
  };
}

/** A blog stays the same one when it moves to https. */
const sourceOf = (address: string): string =>
  address
    .replace(/^https?:\/\/[^/]*/i, (origin) => origin.toLowerCase())
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');

const isDraft = (status: string): boolean =>
  status === 'draft' || status === 'auto-draft' || status === 'pending';
const isSkipped = (word: ImportedCell | SkippedStatus): word is SkippedStatus =>
  word === 'trashed' || word === 'unknown_status';

/** `YYYY-MM-DD hh:mm:ss` as UTC; null for 0000-00-00 and for dates that do not exist. */
function readTime(text: string): Date | null {
  const match = /^(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)$/.exec(text);
  if (match === null) return null;
  const iso = `${text.slice(0, 10)}T${match[4]}.000Z`;
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) || time.toISOString() !== iso ? null : time;
}

function termNames(item: ExportItem, domain: string): string[] {
  const names = item.terms
    .filter((term) => term.domain === domain)
    .map((term) => lineText(term.name));
  return [...new Set(names.filter((name) => name !== ''))];
}

const galleryFiles = (
  ids: readonly string[] | null,
  postId: string,
  library: AttachmentTable,
): LibraryFile[] =>
  ids === null ? library.of(postId).filter(isPicture) : ids.flatMap((id) => library.get(id) ?? []);
const isPicture = ({ url }: LibraryFile): boolean =>
  ['photo', 'gif'].includes(mediaTypeOf(url, 'document'));

const toBodyMedia = ({ id, url, alt, title, caption }: LibraryFile): BodyMedia => ({
  libraryId: id,
  url,
  type: mediaTypeOf(url, 'document'),
  alt,
  title: lineText(title),
  caption: lineText(caption),
});

/** Featured image first, then the body's, then what is only attached to the post; the library fills in what the body leaves out. */
function postMedia(
  featured: LibraryFile | null,
  inBody: readonly BodyMedia[],
  library: AttachmentTable,
  postId: string,
): ImportedMedia[] {
  const attached = library.of(postId);
  const byAddress = new Map(attached.map((file) => [file.url, file]));
  const found = new Map<string, ImportedMedia>();
  const seenUrls = new Set<string>();
  const take = (media: BodyMedia, file: LibraryFile | null): void => {
    const key = file?.id ?? media.url;
    if (!isWebAddress(media.url) || found.has(key) || seenUrls.has(media.url)) return;
    seenUrls.add(media.url);
    found.set(key, {
      url: media.url,
      type: media.type,
      altText: media.alt || file?.alt || null,
      title: media.title || (file === null ? '' : lineText(file.title)) || null,
      caption: media.caption || (file === null ? '' : lineText(file.caption)) || null,
    });
  };
  if (featured !== null) take(toBodyMedia(featured), featured);
  for (const media of inBody) {
    const named = media.libraryId === null ? null : library.get(media.libraryId);
    take(media, named ?? byAddress.get(media.url) ?? byAddress.get(fullSize(media.url)) ?? null);
  }
  for (const file of attached) take(toBodyMedia(file), file);
  return [...found.values()];
}

/** WordPress names the smaller copies of a picture after it: photo-300x200.jpg. */
const fullSize = (url: string): string => url.replace(/-\d{1,5}x\d{1,5}(?=\.[a-z]{3,4}$)/i, '');
