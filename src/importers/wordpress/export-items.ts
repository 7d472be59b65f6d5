import type { SaxesTagNS } from 'saxes';
import type { IncrementalParser } from '../export-file.js';
import { XmlReader } from './xml-reader.js';

/** One <item> of an export. Only XML is decoded: texts can be HTML, and times are strings. */
export interface ExportItem {
  /** By the names in FIELDS. */
  readonly fields: ReadonlyMap<string, string>;
  /** Values of the meta fields in META_KEYS. */
  readonly meta: ReadonlyMap<string, string>;
  readonly terms: readonly ExportTerm[];
  readonly approvedComments: number;
  /** URL of the blog, from the start of the export; '' if it has none. */
  readonly blogUrl: string;
  /** The item exceeds `maxItemCharacters`: its texts and terms are missing. */
  readonly isTooLarge: boolean;
}
/** A category, tag or format of a post. */
interface ExportTerm {
  readonly domain: string;
  readonly name: string;
}

/** Options of the item parser. */
interface ItemOptions {
  /**
   * Maximum characters of one item; a larger item is returned without its texts, with `isTooLarge`.
   */
  readonly maxItemCharacters: number;
  /** Names of fields to omit. */
  readonly omit?: ReadonlySet<string>;
}

/** Splits a WordPress export into its items, in bounded memory. */
export class ItemParser implements IncrementalParser<ExportItem> {
  private readonly builder: ItemBuilder;
  private readonly reader: XmlReader;
  private items: ExportItem[] = [];
  private depth = 0;

  constructor(options: ItemOptions) {
    this.builder = new ItemBuilder(options);
    this.reader = new XmlReader({
      open: (tag) => this.open(tag),
      close: () => this.close(),
      text: (part) => this.builder.text(part),
    });
  }

  write(bytes: Uint8Array): void {
    this.reader.write(bytes);
  }

  end(): void {
    this.reader.end();
  }

  take(): ExportItem[] {
    const items = this.items;
    this.items = [];
    return items;
  }

  private open(tag: SaxesTagNS): void {
    this.depth += 1;
    if (this.depth === 1 && tag.local !== 'rss')
      this.reader.fail(
        `the file is not a WordPress export: it starts with <${tag.name}>, not with <rss>`,
      );
    if (this.depth >= 3) this.builder.open(tag, this.depth);
  }

  private close(): void {
    const item = this.depth >= 3 ? this.builder.close(this.depth) : null;
    this.depth -= 1;
    if (item !== null) this.items.push(item);
  }
}

/**
 * Characters counted per stored value in addition to its length, so that many empty tags reach the
 * limit too.
 */
const FIELD_OVERHEAD = 64;

/** Builds items from the parser's events inside <channel>. */
class ItemBuilder {
  private inItem = false;
  private fields = new Map<string, string>();
  private meta = new Map<string, string>();
  private terms: ExportTerm[] = [];
  private approvedComments = 0;
  private keptCharacters = 0;
  private isTooLarge = false;
  private captured: string | null = null;
  private capturedDepth = 0;
  private value = '';
  private termDomain = '';
  private metaKey = '';
  private readonly channel = new Map<string, string>();

  constructor(private readonly options: ItemOptions) {}

  open(tag: SaxesTagNS, depth: number): void {
    if (depth === ITEM_DEPTH) {
      this.reset(tag.name === 'item');
      const field = BLOG_URL_FIELDS.find((name) => name === toCanonicalName(tag));
      if (field !== undefined) this.capture(field, depth);
      return;
    }
    if (!this.inItem || depth > SUBFIELD_DEPTH) return;
    const name = toCanonicalName(tag);
    if (
      name === null ||
      !(depth === FIELD_DEPTH ? FIELDS : SUBFIELDS).has(name) ||
      this.options.omit?.has(name)
    )
      return;
    if (this.isTooLarge && BODY_FIELDS.has(name)) return;
    if (name === 'wp:meta_value' && !META_KEYS.has(this.metaKey)) return;
    this.capture(name, depth);
    this.termDomain = name === 'category' ? (tag.attributes['domain']?.value ?? '') : '';
  }

  private capture(name: string, depth: number): void {
    this.captured = name;
    this.capturedDepth = depth;
    this.value = '';
  }

  text(text: string): void {
    if (this.captured !== null && !this.overflows(text.length)) this.value += text;
  }

  /**
   * Whether `count` further characters exceed the limit. If so, discards the item's texts and
   * terms. Its ID, type and other short fields, which follow the text in exports, are still stored
   * for the report.
   */
  private overflows(count: number): boolean {
    if (this.keptCharacters + this.value.length + count <= this.options.maxItemCharacters)
      return false;
    this.isTooLarge = true;
    this.captured = null;
    this.value = '';
    this.keptCharacters = 0;
    this.terms = [];
    for (const name of BODY_FIELDS) this.fields.delete(name);
    return true;
  }

  /** The item if this end tag closes it, else null. */
  close(depth: number): ExportItem | null {
    if (depth === this.capturedDepth && this.captured !== null) this.store(this.captured);
    if (depth !== ITEM_DEPTH || !this.inItem) return null;
    this.inItem = false;
    const { fields, meta, terms, approvedComments, isTooLarge } = this;
    const blogUrl =
      BLOG_URL_FIELDS.map((name) => this.channel.get(name)?.trim()).find(Boolean) ?? '';
    return { fields, meta, terms, approvedComments, blogUrl, isTooLarge };
  }

  private store(name: string): void {
    const { value } = this;
    this.captured = null;
    this.value = '';
    if (!this.inItem) this.channel.set(name, value);
    else if (name === 'wp:comment_approved') this.approvedComments += value.trim() === '1' ? 1 : 0;
    else if (name === 'wp:meta_key') this.metaKey = value.trim();
    else {
      this.keptCharacters += value.length + FIELD_OVERHEAD;
      if (name === 'wp:meta_value') this.meta.set(this.metaKey, value);
      else if (name === 'category') this.terms.push({ domain: this.termDomain, name: value });
      else this.fields.set(name, value);
    }
  }

  private reset(inItem: boolean): void {
    this.inItem = inItem;
    this.fields = new Map();
    this.meta = new Map();
    this.terms = [];
    this.approvedComments = 0;
    this.keptCharacters = 0;
    this.isTooLarge = false;
    this.captured = null;
    this.metaKey = '';
  }
}

/** Depth of <item> elements; <rss> has depth 1 and <channel> depth 2. */
const ITEM_DEPTH = 3;
/** Depth of the fields of an item. */
const FIELD_DEPTH = 4;
/** Depth of the fields of comments and meta fields. */
const SUBFIELD_DEPTH = 5;

/** Fields of an item that the importer reads. */
const FIELDS = new Set([
  'title',
  'link',
  'content:encoded',
  'excerpt:encoded',
  'wp:post_id',
  'wp:post_parent',
  'wp:post_type',
  'wp:status',
  'wp:post_name',
  'wp:post_date',
  'wp:post_date_gmt',
  'wp:post_modified',
  'wp:post_modified_gmt',
  'wp:post_password',
  'wp:attachment_url',
  'category',
]);
/** Fields that are dropped from an item that is too large. */
const BODY_FIELDS: ReadonlySet<string> = new Set(['content:encoded', 'excerpt:encoded']);
/** Fields of comments and meta fields that the importer reads. */
const SUBFIELDS = new Set(['wp:meta_key', 'wp:meta_value', 'wp:comment_approved']);
/**
 * URL of the blog, preferred field first. `link`, the public site, is the fallback for old formats.
 */
const BLOG_URL_FIELDS = ['wp:base_blog_url', 'link'] as const;
/** Keys of the meta fields that the importer reads. */
const META_KEYS = new Set(['_thumbnail_id', '_wp_attachment_image_alt']);

/**
 * Usual prefix of each namespace. Versions 1.0, 1.1 and 1.2 of the format differ only in the
 * namespace URL.
 */
const NAMESPACES: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/$/, 'wp:'],
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/excerpt\/$/, 'excerpt:'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/, 'content:'],
  [/^$/, ''],
];
const prefixCache = new Map<string, string | null>();

/** The element's name with the usual prefix of its namespace; null for unknown namespaces. */
function toCanonicalName(tag: SaxesTagNS): string | null {
  let prefix = prefixCache.get(tag.uri);
  if (prefix === undefined) {
    prefix = NAMESPACES.find(([pattern]) => pattern.test(tag.uri))?.[1] ?? null;
    if (prefixCache.size < 100) prefixCache.set(tag.uri, prefix);
  }
  return prefix === null ? null : prefix + tag.local;
}
