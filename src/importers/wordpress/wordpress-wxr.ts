import type { ImportRecord, ReadingProgress } from '../../domain/imports/imported-post.js';
import { readInPieces } from '../in-pieces.js';
import { untilMalformed } from '../malformed-export.js';
import { AttachmentTable } from './attachment-table.js';
import type { ExportItem } from './export-item.js';
import { ItemParser } from './item-parser.js';
import type { SkipReason } from './skip-reasons.js';
import { toImportedPost } from './wordpress-item.js';

/** Opens the file anew from its beginning. */
type OpenExport = () => AsyncIterable<Uint8Array>;

export interface ReadOptions {
  /** The time of the import: a post pending for a later time is still scheduled. */
  readonly now: Date;
  /** Characters of one item; more are skipped as `too_large`. */
  readonly maxItemCharacters?: number;
}

/**
 * A body is held some six times over on its way to the database, two bytes a character: one of 7 million characters took
 * an import to 300 MB, one of this size stays well under it. War and Peace has 3.2 million.
 */
const MAX_ITEM_CHARACTERS = 4 * 1024 * 1024;

/**
 * Reads a WordPress export (WXR 1.0 to 1.2) as a stream, in bounded memory whatever its size, and no faster than the
 * caller takes records. The first reading collects the library, since a post may use files that stand after it. An item
 * that the file breaks off in is never handed out.
 */
export async function* readWordpressExport(
  open: OpenExport,
  options: ReadOptions,
): AsyncGenerator<ImportRecord<SkipReason>> {
  const maxItemCharacters = options.maxItemCharacters ?? MAX_ITEM_CHARACTERS;
  const library = new AttachmentTable();
  yield* libraryRecords(open(), library);
  if (library.forgotten > 0) yield { kind: 'forgotten', files: library.forgotten };
  const posts = {
    name: 'posts',
    source: open(),
    parser: new ItemParser({ maxItemCharacters }),
  } as const;
  yield* untilMalformed(readInPieces(posts, (item) => [toRecord(item, library, options.now)]));
}

const WITHOUT_BODIES: ReadonlySet<string> = new Set(['content:encoded', 'category']);
/** Files have small fields: whatever is larger than this is cut by the table anyway. */
const LIBRARY_ITEM_CHARACTERS = 1024 * 1024;

/** A break in the file ends this reading quietly: the second one meets it again, and reports it after what came before. */
async function* libraryRecords(
  source: AsyncIterable<Uint8Array>,
  library: AttachmentTable,
): AsyncGenerator<ReadingProgress> {
  const parser = new ItemParser({
    maxItemCharacters: LIBRARY_ITEM_CHARACTERS,
    without: WITHOUT_BODIES,
  });
  const collect = (item: ExportItem): [] => {
    if (postTypeOf(item) === 'attachment') library.add(item);
    return [];
  };
  for await (const record of untilMalformed(
    readInPieces({ name: 'library', source, parser }, collect),
  )) {
    if (record.kind === 'progress') yield record;
  }
}

const postTypeOf = ({ fields }: ExportItem): string | null =>
  fields.get('wp:post_type')?.trim() ?? null;

function toRecord(item: ExportItem, library: AttachmentTable, now: Date): ImportRecord<SkipReason> {
  const outcome = skipReason(item) ?? toImportedPost(item, library, now);
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

function skipReason(item: ExportItem): SkipReason | null {
  const postType = postTypeOf(item);
  if (postType === 'attachment') return 'attachment';
  if (postType !== 'post') return 'not_a_post';
  return item.tooLarge ? 'too_large' : null;
}
