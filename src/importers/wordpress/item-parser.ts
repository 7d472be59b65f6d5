import type { SaxesTagNS } from 'saxes';
import type { PieceParser } from '../in-pieces.js';
import { MalformedExport } from '../malformed-export.js';
import { ItemBuilder, type ExportItem, type ItemOptions } from './export-item.js';
import { XmlFeed } from './xml-feed.js';

/** Characters of text nobody asked for (a comment's body, a plugin's setting) that are held before they are dropped. */
const UNWANTED_CHARACTERS = 256 * 1024;
/** No element name or entity is this long: without an end, it would grow until memory is gone. */
const LONGEST_NAME = 64 * 1024;

/** Takes a WordPress export apart into its items, in bounded memory. */
export class ItemParser implements PieceParser<ExportItem> {
  private readonly feed = new XmlFeed((text) => this.builder.text(text));
  private readonly builder: ItemBuilder;
  private items: ExportItem[] = [];
  private depth = 0;

  constructor(options: ItemOptions) {
    this.builder = new ItemBuilder(options);
    const { saxes } = this.feed;
    saxes.on('opentag', (tag) => this.open(tag));
    saxes.on('closetag', () => this.close());
    saxes.on('text', (text) => this.builder.text(text));
    saxes.on('cdata', (text) => this.builder.text(text));
    saxes.on('xmldecl', ({ encoding }) => {
      if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding))
        this.fail(`the file is in ${encoding}; only UTF-8 can be read`);
    });
    saxes.on('error', (error) => this.fail(error.message.replace(/^\d+:\d+: /, '')));
  }

  write(bytes: Uint8Array): void {
    this.feed.write(bytes);
    this.boundBuffers();
  }

  end(): void {
    this.feed.end();
  }

  take(): ExportItem[] {
    const items = this.items;
    this.items = [];
    return items;
  }

  private boundBuffers(): void {
    const { inside } = this.feed;
    if (inside.name.length > LONGEST_NAME || inside.entity.length > LONGEST_NAME)
      this.fail('a name or an entity has no end');
    if (
      this.builder.wants
        ? this.builder.overflows(inside.text.length)
        : inside.text.length > UNWANTED_CHARACTERS
    )
      inside.text = '';
  }

  private open(tag: SaxesTagNS): void {
    this.depth += 1;
    if (this.depth === 1 && tag.local !== 'rss')
      this.fail(
        `the file is not a WordPress export: it begins with <${tag.name}> and not with <rss>`,
      );
    if (this.depth >= 3) this.builder.open(tag, this.depth);
  }

  private close(): void {
    const item = this.depth >= 3 ? this.builder.close(this.depth) : null;
    this.depth -= 1;
    if (item !== null) this.items.push(item);
  }

  private fail(reason: string): never {
    throw new MalformedExport(reason, this.feed.position());
  }
}
