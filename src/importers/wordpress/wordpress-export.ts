import type {
  ImportRecord,
  ReadProgress,
  ImportedPost,
  ImportedStoredState,
} from '../../domain/imports/imported-post.js';
import { catchMalformed, parseIncrementally, isWebUrl } from '../export-file.js';
import { ItemParser, type ExportItem } from './export-items.js';
import { readBody } from './html/html-blocks.js';
import { toPlainLine, blocksToText, toPlainText } from './html/html-text.js';
import { MediaLibrary, readGalleryMedia, collectMedia } from './media-library.js';

/** Opens the file from its start. Called once per pass. */
type OpenExport = () => AsyncIterable<Uint8Array>;

/** Options for reading an export. */
export interface ReadOptions {
  /** The time of the import. Pending posts with a later date are imported as scheduled. */
  readonly now: Date;
  /** Maximum characters of one item; larger ones are skipped as `too_large`. */
  readonly maxItemCharacters?: number;
}

/**
 * During an import, a body is in memory about six times, with two bytes per character: a body of 7
 * million characters needed 300 MB. This limit is well below that; "War and Peace" has 3.2 million
 * characters.
 */
const MAX_ITEM_CHARACTERS = 3.5 * 1024 * 1024;

/**
 * Reads a WordPress export (WXR 1.0 to 1.2) as a stream, in bounded memory and only as fast as the
 * caller consumes records. It reads the file twice: the first pass collects the media library,
 * because a post may use files that follow it. An item truncated by the end of the file is never
 * returned.
 */
export async function* readWordpressExport(
  open: OpenExport,
  options: ReadOptions,
): AsyncGenerator<ImportRecord<SkipReason>> {
  const maxItemCharacters = options.maxItemCharacters ?? MAX_ITEM_CHARACTERS;
  const library = new MediaLibrary();
  yield* readLibrary(open(), library);
  if (library.omittedFiles > 0) yield { kind: 'omitted_files', files: library.omittedFiles };
  const posts = {
    pass: 'posts',
    source: open(),
    parser: new ItemParser({ maxItemCharacters }),
  } as const;
  yield* catchMalformed(
    parseIncrementally(posts, (item) => [toRecord(item, library, options.now)]),
  );
}

const LIBRARY_OMITTED_FIELDS: ReadonlySet<string> = new Set(['content:encoded', 'category']);
/** Files have small fields, and the media library truncates long ones. */
const MAX_LIBRARY_ITEM_CHARACTERS = 1024 * 1024;

/** Ignores a malformed file: the second pass reports it, after the items before that position. */
async function* readLibrary(
  source: AsyncIterable<Uint8Array>,
  library: MediaLibrary,
): AsyncGenerator<ReadProgress> {
  const parser = new ItemParser({
    maxItemCharacters: MAX_LIBRARY_ITEM_CHARACTERS,
    omit: LIBRARY_OMITTED_FIELDS,
  });
  const collect = (item: ExportItem): [] => {
    if (postTypeOf(item) === 'attachment') library.add(item);
    return [];
  };
  for await (const record of catchMalformed(
    parseIncrementally({ pass: 'library', source, parser }, collect),
  )) {
    if (record.kind === 'progress') yield record;
  }
}

const postTypeOf = ({ fields }: ExportItem): string | null =>
  fields.get('wp:post_type')?.trim() ?? null;

function toRecord(item: ExportItem, library: MediaLibrary, now: Date): ImportRecord<SkipReason> {
  const outcome = toSkipReason(item) ?? toImportedPost(item, library, now);
  if (typeof outcome !== 'string') return { kind: 'post', post: outcome };
  const sourceId = item.fields.get('wp:post_id')?.trim() || null;
  return {
    kind: 'skipped',
    reason: outcome,
    sourceId,
    postType: postTypeOf(item),
    title: (item.fields.get('title') ?? '').slice(0, 200),
  };
}

function toSkipReason(item: ExportItem): SkipReason | null {
  const postType = postTypeOf(item);
  if (postType === 'attachment') return 'attachment';
  if (postType !== 'post') return 'not_a_post';
  return item.isTooLarge ? 'too_large' : null;
}

/** Reasons to skip an item of an export, with their text in the import report. */
export const SKIP_REASONS = {
  not_a_post: {
    description: 'Pages, menus, revisions and other items that are not posts.',
  },
  attachment: {
    description: 'A file of the media library: it is imported with the posts that use it.',
  },
  trashed: { description: 'The post is in the blog’s trash.' },
  unknown_status: { description: 'The post has a status that is not part of WordPress.' },
  no_id: { description: 'The post has no ID: a second import would duplicate it.' },
  too_large: { description: 'The item exceeds the maximum size.' },
} as const satisfies Record<string, { description: string }>;
/** Key of SKIP_REASONS. */
type SkipReason = keyof typeof SKIP_REASONS;

/** Label of posts that readers can see only with a password. */
const PASSWORD_LABEL = 'password protected';

/** Converts an item of type `post`, or returns the reason to skip it. */
function toImportedPost(
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

interface Times {
  /** The post's publication date; null if WordPress has not set one. */
  readonly date: Date | null;
  /** The time of the import. */
  readonly now: Date;
}

type SkippedStatus = Extract<SkipReason, 'trashed' | 'unknown_status'>;

/** Stored states by WordPress status. A draft has a date only if WordPress has set it in UTC. */
const STATES: Readonly<Record<string, (times: Times) => ImportedStoredState | SkippedStatus>> = {
  publish: () => 'published_posted',
  future: ({ date }) => (date === null ? 'draft_undated' : 'scheduled'),
  draft: ({ date }) => (date === null ? 'draft_undated' : 'draft_dated'),
  'auto-draft': ({ date }) => (date === null ? 'draft_undated' : 'draft_dated'),
  // Awaits review by an editor: scheduled if its date is in the future, else a draft that the
  // workspace can see.
  pending: ({ date, now }) => {
    if (date === null) return 'draft_public_undated';
    return date > now ? 'scheduled_pending' : 'draft_public_dated';
  },
  // Published, but visible only to the blog's editors.
  private: () => 'published_hidden',
  trash: () => 'trashed',
};

/** The stored state of a WordPress status, or the reason to skip the post. */
const toStoredState = (status: string, times: Times): ImportedStoredState | SkippedStatus =>
  (Object.hasOwn(STATES, status) ? STATES[status] : undefined)?.(times) ?? 'unknown_status';

/** Whether a post with this WordPress status is not published or scheduled. */
const isDraftStatus = (status: string): boolean =>
  status === 'draft' || status === 'auto-draft' || status === 'pending';

/** Whether `toStoredState` returned a reason to skip the post. */
const isSkippedStatus = (state: ImportedStoredState | SkippedStatus): state is SkippedStatus =>
  state === 'trashed' || state === 'unknown_status';
