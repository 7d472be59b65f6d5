import type { ImportedPost } from '../../domain/imports/imported-post.js';
import { isWebUrl } from '../web-url.js';
import type { ExportItem } from './export-item.js';
import { readBody } from './html/html-blocks.js';
import { blocksToText, toPlainLine, toPlainText } from './html/plain-text.js';
import type { MediaLibrary } from './media-library.js';
import { collectMedia, readGalleryMedia } from './post-media.js';
import { isDraftStatus, isSkippedStatus, toStoredState } from './post-status.js';
import type { SkipReason } from './skip-reasons.js';

/** Label of posts that readers can see only with a password. */
const PASSWORD_LABEL = 'password protected';

/** Converts an item of type `post`, or returns the reason to skip it. */
export function toImportedPost(
  item: ExportItem,
  library: MediaLibrary,
  now: Date,
): ImportedPost | SkipReason {
  const field = (name: string): string => item.fields.get(name)?.trim() ?? '';
  const sourceId = field('wp:post_id');
  if (sourceId === '') return 'no_id';
  const status = field('wp:status');
  const utcDate = readTime(field('wp:post_date_gmt'));
  // Without a UTC time the local time is used as UTC: the export does not contain the blog's time
  // zone.
  const localDate = readTime(field('wp:post_date'));
  const date = utcDate ?? (isDraftStatus(status) ? null : localDate);
  const state = toStoredState(status, { date, now });
  if (isSkippedStatus(state)) return state;
  // A password hides a post from readers, like the status `private`.
  const hasPassword = field('wp:post_password') !== '';
  const storedState = state === 'published_posted' && hasPassword ? 'published_hidden' : state;

  const files = { library, postId: sourceId };
  const body = readBody(item.fields.get('content:encoded') ?? '', {
    gallery: (ids) => readGalleryMedia(ids, files),
  });
  const featuredFile = library.get(item.meta.get('_thumbnail_id')?.trim() ?? '');
  const media = collectMedia(featuredFile, body.media, files);
  const link = field('link');
  const createdAt = utcDate ?? localDate;
  return {
    source: toSource(item.blogUrl),
    sourceId,
    remoteId: sourceId,
    storedState,
    type: 'article',
    title: toPlainLine(field('title')),
    text: blocksToText(body.blocks),
    excerpt: toPlainText(field('excerpt:encoded')) || null,
    url: field('wp:post_name') || null,
    postLink: storedState.startsWith('published') && isWebUrl(link) ? link : null,
    scheduledAt: date,
    // WordPress stores no creation time. The publication date is used unless it is in the future.
    createdAt: createdAt !== null && createdAt <= now ? createdAt : null,
    updatedAt: readTime(field('wp:post_modified_gmt')) ?? readTime(field('wp:post_modified')),
    categories: termNames(item, 'category'),
    tags: termNames(item, 'post_tag'),
    labels: hasPassword ? [PASSWORD_LABEL] : [],
    language: null,
    poll: null,
    media,
    featuredMedia: featuredFile === null ? null : (media[0] ?? null),
    engagement: { likes: null, comments: item.approvedComments, shares: null, pollVotes: null },
    content: body.blocks,
  };
}

/**
 * Identifies the blog by its URL without the scheme, so that a move to https does not change it.
 */
const toSource = (blogUrl: string): string =>
  blogUrl
    .replace(/^https?:\/\/[^/]*/i, (origin) => origin.toLowerCase())
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');

/** Reads `YYYY-MM-DD hh:mm:ss` as UTC; null for 0000-00-00 and for dates that do not exist. */
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
    .map((term) => toPlainLine(term.name));
  return [...new Set(names.filter((name) => name !== ''))];
}
