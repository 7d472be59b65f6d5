import { isWebAddress } from '../web-file.js';
import type { ExportItem } from './export-item.js';

/** A file of the blog's library. Posts name it by id, and it may stand anywhere in the export. */
export interface LibraryFile {
  readonly id: string;
  readonly url: string;
  readonly alt: string;
  readonly title: string;
  readonly caption: string;
}
type Row = [url: string, alt: string, title: string, caption: string];

/** Characters of rows that are kept: some 250,000 files. Beyond that files are counted and not remembered. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** A longer title or caption is cut: the table has to stay small, and the text is shown under a picture. */
const MAX_FIELD_CHARACTERS = 2_000;

/**
 * The library of a blog, small enough to stay in memory: one string a file. Writing a row as JSON also makes a fresh
 * string; the parser's own strings would each keep 64 KB of the file alive.
 */
export class AttachmentTable {
  /** Files that were left out because the table is full. */
  forgotten = 0;
  private readonly rows = new Map<string, string>();
  private readonly children = new Map<string, string[]>();
  private characters = 0;

  get size(): number {
    return this.rows.size;
  }

  /** Takes an item of type `attachment`; one without an id or an http(s) address is of no use and is left out. */
  add({ fields, meta }: ExportItem): void {
    const id = (fields.get('wp:post_id') ?? '').trim();
    const url = (fields.get('wp:attachment_url') ?? '').trim();
    if (!/^\d{1,20}$/.test(id) || !isWebAddress(url) || url.length > MAX_FIELD_CHARACTERS) return;
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
      this.forgotten += 1;
      return;
    }
    this.characters += row.length;
    this.rows.set(ownString(id), row);
    const parent = (fields.get('wp:post_parent') ?? '').trim();
    if (parent === '' || parent === '0') return;
    const siblings = this.children.get(parent);
    if (siblings === undefined) this.children.set(ownString(parent), [ownString(id)]);
    else siblings.push(ownString(id));
  }

  get(id: string): LibraryFile | null {
    const row = this.rows.get(id);
    if (row === undefined) return null;
    const [url, alt, title, caption] = JSON.parse(row) as Row;
    return { id, url, alt, title, caption };
  }

  /** The files that were uploaded to a post, in the order of the export. */
  of(postId: string): LibraryFile[] {
    return (this.children.get(postId) ?? []).flatMap((id) => this.get(id) ?? []);
  }
}

const ownString = (text: string): string => Buffer.from(text).toString();
