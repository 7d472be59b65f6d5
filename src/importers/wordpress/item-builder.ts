import type { SaxesTagNS } from 'saxes';
import {
  BLOG_URL_FIELDS,
  BODY_FIELDS,
  FIELD_DEPTH,
  FIELDS,
  ITEM_DEPTH,
  META_KEYS,
  SUBFIELD_DEPTH,
  SUBFIELDS,
  toCanonicalName,
} from './export-fields.js';
import type { ExportItem, ExportTerm, ItemOptions } from './export-item.js';

/**
 * Characters counted per stored value in addition to its length, so that many empty tags reach the
 * limit too.
 */
const FIELD_OVERHEAD = 64;

/** Builds items from the parser's events inside <channel>. */
export class ItemBuilder {
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
