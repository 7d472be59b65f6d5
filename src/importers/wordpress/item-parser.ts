import type { SaxesTagNS } from 'saxes';
import type { IncrementalParser } from '../incremental-parser.js';
import { MalformedExportError } from '../malformed-export-error.js';
import type { ExportItem, ItemOptions } from './export-item.js';
import { ItemBuilder } from './item-builder.js';
import { XmlReader } from './xml-reader.js';

/**
 * Characters of ignored text (a comment's body, a plugin's setting) that are buffered before they
 * are discarded.
 */
const MAX_IGNORED_CHARACTERS = 256 * 1024;
/** Longer than any real element name or entity; an unterminated one would exhaust memory. */
const MAX_NAME_CHARACTERS = 64 * 1024;

/** Splits a WordPress export into its items, in bounded memory. */
export class ItemParser implements IncrementalParser<ExportItem> {
  private readonly reader = new XmlReader((text) => this.builder.text(text));
  private readonly builder: ItemBuilder;
  private items: ExportItem[] = [];
  private depth = 0;

  constructor(options: ItemOptions) {
    this.builder = new ItemBuilder(options);
    const { saxes } = this.reader;
    saxes.on('opentag', (tag) => this.open(tag));
    saxes.on('closetag', () => this.close());
    saxes.on('text', (text) => this.builder.text(text));
    saxes.on('cdata', (text) => this.builder.text(text));
    saxes.on('xmldecl', ({ encoding }) => {
      if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding))
        this.fail(`the file is encoded in ${encoding}; only UTF-8 is supported`);
    });
    saxes.on('error', (error) => this.fail(error.message.replace(/^\d+:\d+: /, '')));
  }

  write(bytes: Uint8Array): void {
    this.reader.write(bytes);
    this.limitBuffers();
  }

  end(): void {
    this.reader.end();
  }

  take(): ExportItem[] {
    const items = this.items;
    this.items = [];
    return items;
  }

  private limitBuffers(): void {
    const { internals } = this.reader;
    if (
      internals.name.length > MAX_NAME_CHARACTERS ||
      internals.entity.length > MAX_NAME_CHARACTERS
    )
      this.fail('a name or an entity is not terminated');
    if (
      this.builder.isCapturing
        ? this.builder.overflows(internals.text.length)
        : internals.text.length > MAX_IGNORED_CHARACTERS
    )
      internals.text = '';
  }

  private open(tag: SaxesTagNS): void {
    this.depth += 1;
    if (this.depth === 1 && tag.local !== 'rss')
      this.fail(`the file is not a WordPress export: it starts with <${tag.name}>, not with <rss>`);
    if (this.depth >= 3) this.builder.open(tag, this.depth);
  }

  private close(): void {
    const item = this.depth >= 3 ? this.builder.close(this.depth) : null;
    this.depth -= 1;
    if (item !== null) this.items.push(item);
  }

  private fail(reason: string): never {
    throw new MalformedExportError(reason, this.reader.position());
  }
}
