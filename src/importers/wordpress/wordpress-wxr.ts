import type { ImportRecord, ReadProgress } from '../../domain/imports/imported-post.js';
import { parseIncrementally } from '../incremental-parser.js';
import { catchMalformed } from '../malformed-export-error.js';
import { MediaLibrary } from './media-library.js';
import type { ExportItem } from './export-item.js';
import { ItemParser } from './item-parser.js';
import type { SkipReason } from './skip-reasons.js';
import { toImportedPost } from './wordpress-item.js';

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
