import type { ImportRecord, ReadingProgress } from '../domain/imported-post.js';
import { AttachmentTable } from './attachment-table.js';
import type { ExportItem } from './export-item.js';
import { readItems } from './export-items.js';
import { MalformedExport } from './malformed-export.js';
import { toImportedPost } from './wordpress-item.js';

/** Why an item of an export does not become a post. */
export const SKIP_REASONS = {
  not_a_post: { meaning: 'Pages, menus, revisions and other things of a blog that are not posts.' },
  attachment: { meaning: 'A file of the library: it comes in as media of the posts that use it.' },
  trashed: { meaning: 'The post is in the blog’s trash.' },
  unknown_status: { meaning: 'The post has a status that WordPress itself does not know.' },
  no_id: { meaning: 'The post has no id, so that importing twice would bring it in twice.' },
  too_large: { meaning: 'The item is larger than may be read at once.' },
} as const satisfies Record<string, { meaning: string }>;
export type SkipReason = keyof typeof SKIP_REASONS;

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
const PROGRESS_BYTES = 1024 * 1024;

/**
 * Reads a WordPress export (WXR 1.0 to 1.2) as a stream, in bounded memory whatever its size, and no faster than the
 * caller takes records. The first reading collects the library, since a post may use files that stand after it. An item
 * that the file breaks off in is never handed out.
 */
export async function* readWordpressExport(open: OpenExport, options: ReadOptions): AsyncGenerator<ImportRecord<SkipReason>> {
  const maxItemCharacters = options.maxItemCharacters ?? MAX_ITEM_CHARACTERS;
  const library = new AttachmentTable();
  yield* libraryRecords(open(), library);
  if (library.forgotten > 0) yield { kind: 'forgotten', files: library.forgotten };
  try {
    const progress = new Progress('posts');
    for await (const event of readItems(open(), { maxItemCharacters })) {
      if (event.kind === 'bytes') yield* progress.read(event.bytes);
      else {
        progress.items += 1;
        yield toRecord(event.item, library, options.now);
      }
    }
    yield progress.record();
  } catch (error) {
    if (!(error instanceof MalformedExport)) throw error;
    yield { kind: 'malformed', reason: error.reason, position: error.position };
  }
}

const WITHOUT_BODIES: ReadonlySet<string> = new Set(['content:encoded', 'category']);
/** Files have small fields: whatever is larger than this is cut by the table anyway. */
const LIBRARY_ITEM_CHARACTERS = 1024 * 1024;

/** A break in the file ends this reading quietly: the second one meets it again, and reports it after what came before. */
async function* libraryRecords(source: AsyncIterable<Uint8Array>, library: AttachmentTable): AsyncGenerator<ReadingProgress> {
  const progress = new Progress('library');
  try {
    for await (const event of readItems(source, { maxItemCharacters: LIBRARY_ITEM_CHARACTERS, without: WITHOUT_BODIES })) {
      if (event.kind === 'bytes') yield* progress.read(event.bytes);
      else {
        progress.items += 1;
        if (postTypeOf(event.item) === 'attachment') library.add(event.item);
      }
    }
  } catch (error) {
    if (!(error instanceof MalformedExport)) throw error;
  }
  yield progress.record();
}

const postTypeOf = ({ fields }: ExportItem): string | null => fields.get('wp:post_type')?.trim() ?? null;

function toRecord(item: ExportItem, library: AttachmentTable, now: Date): ImportRecord<SkipReason> {
  const outcome = skipReason(item) ?? toImportedPost(item, library, now);
  if (typeof outcome !== 'string') return { kind: 'post', post: outcome };
  const sourceId = item.fields.get('wp:post_id')?.trim() || null;
  return { kind: 'skipped', reason: outcome, sourceId, postType: postTypeOf(item), title: (item.fields.get('title') ?? '').slice(0, 200) };
}

function skipReason(item: ExportItem): SkipReason | null {
  const postType = postTypeOf(item);
  if (postType === 'attachment') return 'attachment';
  if (postType !== 'post') return 'not_a_post';
  return item.tooLarge ? 'too_large' : null;
}

/** A progress record a megabyte, and one at the end. */
class Progress {
  items = 0;
  private bytes = 0;
  private reported = 0;

  constructor(private readonly reading: ReadingProgress['reading']) {}

  *read(bytes: number): Generator<ReadingProgress> {
    this.bytes = bytes;
    if (bytes - this.reported < PROGRESS_BYTES) return;
    this.reported = bytes;
    yield this.record();
  }

  record(): ReadingProgress {
    return { kind: 'progress', reading: this.reading, bytes: this.bytes, items: this.items };
  }
}
