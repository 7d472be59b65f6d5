import type { SaxesTagNS } from 'saxes';

/** One <item> of an export as it stands: texts undecoded beyond XML, times unread. */
export interface ExportItem {
  /** By the names of FIELDS. */
  readonly fields: ReadonlyMap<string, string>;
  /** Values of the settings in META_KEYS. */
  readonly meta: ReadonlyMap<string, string>;
  readonly terms: readonly ExportTerm[];
  readonly approvedComments: number;
  /** The address of the blog, as the export has it before its items; '' where it does not. */
  readonly blog: string;
  /** The item is larger than may be kept: its texts and terms are not here. */
  readonly tooLarge: boolean;
}
/** A category, tag or format of a post. */
interface ExportTerm {
  readonly domain: string;
  readonly name: string;
}

export interface ItemOptions {
  /** Characters of one item that are kept at most; a larger item comes without its text and marked `tooLarge`. */
  readonly maxItemCharacters: number;
  /** Names of fields to leave out. */
  readonly without?: ReadonlySet<string>;
}

/** Depth of the elements: rss 1, channel 2, item 3, its fields 4, the fields of its comments and settings 5. */
const ITEM = 3;
const FIELD = 4;
const PART = 5;

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
const BODIES: ReadonlySet<string> = new Set(['content:encoded', 'excerpt:encoded']);
const PARTS = new Set(['wp:meta_key', 'wp:meta_value', 'wp:comment_approved']);
/** Addresses of the whole blog, the better one first: the link of the old formats is where readers are sent. */
const BLOG_FIELDS = ['wp:base_blog_url', 'link'] as const;
const META_KEYS = new Set(['_thumbnail_id', '_wp_attachment_image_alt']);

/** What a kept value costs beyond its characters: a million empty tags are not free. */
const FIELD_OVERHEAD = 64;

/** Exports of every version, by namespace and not by prefix: 1.0, 1.1 and 1.2 differ in the address only. */
const NAMESPACES: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/$/, 'wp:'],
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/excerpt\/$/, 'excerpt:'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/, 'content:'],
  [/^$/, ''],
];
const prefixes = new Map<string, string | null>();

/** An element's name with the prefix these files usually have; null in any other namespace. */
function canonicalName(tag: SaxesTagNS): string | null {
  let prefix = prefixes.get(tag.uri);
  if (prefix === undefined) {
    prefix = NAMESPACES.find(([pattern]) => pattern.test(tag.uri))?.[1] ?? null;
    if (prefixes.size < 100) prefixes.set(tag.uri, prefix);
  }
  return prefix === null ? null : prefix + tag.local;
}

/** Puts one item together from what the parser meets inside <channel>. */
export class ItemBuilder {
  private inItem = false;
  private fields = new Map<string, string>();
  private meta = new Map<string, string>();
  private terms: ExportTerm[] = [];
  private approvedComments = 0;
  private kept = 0;
  private tooLarge = false;
  private wanted: string | null = null;
  private wantedDepth = 0;
  private value = '';
  private termDomain = '';
  private metaKey = '';
  private readonly channel = new Map<string, string>();

  constructor(private readonly options: ItemOptions) {}

  /** Whether the text now being read will be kept. */
  get wants(): boolean {
    return this.wanted !== null;
  }

  open(tag: SaxesTagNS, depth: number): void {
    if (depth === ITEM) {
      this.reset(tag.name === 'item');
      const field = BLOG_FIELDS.find((name) => name === canonicalName(tag));
      if (field !== undefined) this.want(field, depth);
      return;
    }
    if (!this.inItem || depth > PART) return;
    const name = canonicalName(tag);
    if (
      name === null ||
      !(depth === FIELD ? FIELDS : PARTS).has(name) ||
      this.options.without?.has(name)
    )
      return;
    if (this.tooLarge && BODIES.has(name)) return;
    if (name === 'wp:meta_value' && !META_KEYS.has(this.metaKey)) return;
    this.want(name, depth);
    this.termDomain = name === 'category' ? (tag.attributes['domain']?.value ?? '') : '';
  }

  private want(name: string, depth: number): void {
    this.wanted = name;
    this.wantedDepth = depth;
    this.value = '';
  }

  text(text: string): void {
    if (this.wanted !== null && !this.overflows(text.length)) this.value += text;
  }

  /**
   * Whether this many more characters are too many. If they are, the item's texts and terms are let go at once; its id,
   * type and the like, which exports write after the text, are still taken, so that a report can name the item.
   */
  overflows(more: number): boolean {
    if (this.kept + this.value.length + more <= this.options.maxItemCharacters) return false;
    this.tooLarge = true;
    this.wanted = null;
    this.value = '';
    this.kept = 0;
    this.terms = [];
    for (const name of BODIES) this.fields.delete(name);
    return true;
  }

  /** The item, when it is its end tag that closes. */
  close(depth: number): ExportItem | null {
    if (depth === this.wantedDepth && this.wanted !== null) this.keep(this.wanted);
    if (depth !== ITEM || !this.inItem) return null;
    this.inItem = false;
    const { fields, meta, terms, approvedComments, tooLarge } = this;
    const blog = BLOG_FIELDS.map((name) => this.channel.get(name)?.trim()).find(Boolean) ?? '';
    return { fields, meta, terms, approvedComments, blog, tooLarge };
  }

  private keep(name: string): void {
    const { value } = this;
    this.wanted = null;
    this.value = '';
    if (!this.inItem) this.channel.set(name, value);
    else if (name === 'wp:comment_approved') this.approvedComments += value.trim() === '1' ? 1 : 0;
    else if (name === 'wp:meta_key') this.metaKey = value.trim();
    else {
      this.kept += value.length + FIELD_OVERHEAD;
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
    this.kept = 0;
    this.tooLarge = false;
    this.wanted = null;
    this.metaKey = '';
  }
}
