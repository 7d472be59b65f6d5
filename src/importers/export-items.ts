import type { SaxesTagNS } from 'saxes';
import { MalformedExport } from './malformed-export.js';
import { ItemBuilder, type ExportItem } from './export-item.js';
import { XmlFeed } from './xml-feed.js';

/** Bytes parsed at once: a caller sees its items before more is read, so a large chunk does not pile them up. */
const PIECE_BYTES = 64 * 1024;
/** Characters of text nobody asked for (a comment's body, a plugin's setting) that are held before they are dropped. */
const UNWANTED_CHARACTERS = 256 * 1024;
/** No element name or entity is this long: without an end, it would grow until memory is gone. */
const LONGEST_NAME = 64 * 1024;

type ItemEvent = { readonly kind: 'item'; readonly item: ExportItem } | { readonly kind: 'bytes'; readonly bytes: number };

export interface ItemOptions {
  /** Characters of one item that are kept at most; a larger item comes without its text and marked `tooLarge`. */
  readonly maxItemCharacters: number;
  /** Names of fields to leave out. */
  readonly without?: ReadonlySet<string>;
}

/**
 * The items of a WordPress export, one by one, in bounded memory. After each piece of the file comes a `bytes` event with
 * the bytes read so far. Throws MalformedExport where the file breaks, after the items completed before that place.
 */
export async function* readItems(source: AsyncIterable<Uint8Array>, options: ItemOptions): AsyncGenerator<ItemEvent> {
  const parser = new ItemParser(options);
  let bytes = 0;
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = chunk.subarray(from, from + PIECE_BYTES);
      yield* completed(parser, parser.write(piece));
      bytes += piece.length;
      yield { kind: 'bytes', bytes };
    }
  }
  yield* completed(parser, parser.end());
}

function* completed(parser: ItemParser, failure: MalformedExport | null): Generator<ItemEvent> {
  for (const item of parser.take()) yield { kind: 'item', item };
  if (failure !== null) throw failure;
}

class ItemParser {
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
      if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) this.fail(`the file is in ${encoding}; only UTF-8 can be read`);
    });
    saxes.on('error', (error) => this.fail(error.message.replace(/^\d+:\d+: /, '')));
  }

  write(bytes: Uint8Array): MalformedExport | null {
    return this.attempt(() => {
      this.feed.write(bytes);
      this.boundBuffers();
    });
  }

  end(): MalformedExport | null {
    return this.attempt(() => this.feed.end());
  }

  /** The items completed since the last call. */
  take(): ExportItem[] {
    const items = this.items;
    this.items = [];
    return items;
  }

  private attempt(parse: () => void): MalformedExport | null {
    try {
      parse();
      return null;
    } catch (error) {
      if (error instanceof MalformedExport) return error;
      throw error;
    }
  }

  private boundBuffers(): void {
    const { inside } = this.feed;
    if (inside.name.length > LONGEST_NAME || inside.entity.length > LONGEST_NAME) this.fail('a name or an entity has no end');
    if (this.builder.wants ? this.builder.overflows(inside.text.length) : inside.text.length > UNWANTED_CHARACTERS) inside.text = '';
  }

  private open(tag: SaxesTagNS): void {
    this.depth += 1;
    if (this.depth === 1 && tag.local !== 'rss') this.fail(`the file is not a WordPress export: it begins with <${tag.name}> and not with <rss>`);
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
