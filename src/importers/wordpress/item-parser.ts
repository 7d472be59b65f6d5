import type { SaxesTagNS } from 'saxes';
import type { IncrementalParser } from '../incremental-parser.js';
import type { ExportItem, ItemOptions } from './export-item.js';
import { ItemBuilder } from './item-builder.js';
import { XmlReader } from './xml-reader.js';

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
