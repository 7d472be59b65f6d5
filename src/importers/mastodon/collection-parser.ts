import { StringDecoder } from 'node:string_decoder';
import type { FilePosition } from '../../domain/imports/imported-post.js';
import type { PieceParser } from '../in-pieces.js';
import { MalformedExport } from '../malformed-export.js';
import { PiecePosition } from './piece-position.js';
import { ValueScanner } from './value-scanner.js';
import { WITHOUT_ITEMS, wrongBeginning, wrongMember } from './wrong-file.js';

/** An item of the collection as its JSON text; of one that is too large, only the beginning. */
export interface CollectionItem {
  readonly text: string;
  readonly isTooLarge: boolean;
}

/** A value that is read whole: a key, what a key of the collection holds, or one of its items. */
type ValueKind = 'key' | 'member' | 'item';
type State =
  | 'start'
  | 'firstKey'
  | 'key'
  | 'colon'
  | 'member'
  | 'afterMember'
  | 'list'
  | 'firstItem'
  | 'item'
  | 'afterItem'
  | 'end';
type Token = '{' | '}' | '[' | ']' | ',' | ':' | ValueKind;

/** What may come next, and what after that: the collection is an object, one of whose members is the list of items. */
const GRAMMAR: { readonly [S in State]: { readonly [T in Token]?: State } } = {
  start: { '{': 'firstKey' },
  firstKey: { key: 'colon', '}': 'end' },
  key: { key: 'colon' },
  colon: { ':': 'member' },
  member: { member: 'afterMember' },
  afterMember: { ',': 'key', '}': 'end' },
  list: { '[': 'firstItem' },
  firstItem: { item: 'afterItem', ']': 'afterMember' },
  item: { item: 'afterItem' },
  afterItem: { ',': 'item', ']': 'afterMember' },
  end: {},
};
const ITEMS_KEY = 'orderedItems';
const BLANK = /[ \t\r\n]/;
/** No value begins with another character. */
const VALUE_START = /["{[\-\dtfn]/;
const BEGINNING_CHARACTERS = 1_000;

/**
 * Takes an ActivityStreams collection apart into its items, of which only the one at hand is held. The items are not
 * parsed: a malformed one is the caller's to skip, as long as its brackets and quotes close.
 */
export class CollectionParser implements PieceParser<CollectionItem> {
  private readonly decoder = new StringDecoder('utf8');
  private readonly position = new PiecePosition();
  private readonly scanner: ValueScanner;
  private state: State = 'start';
  private reading: ValueKind | null = null;
  /** Where the value being read begins: an index of the piece, or, for one that goes over pieces, its place in the file. */
  private begin: number | FilePosition = 0;
  private key = '';
  private hasItems = false;
  private items: CollectionItem[] = [];

  constructor(maxItemCharacters: number) {
    this.scanner = new ValueScanner(maxItemCharacters);
  }

  write(bytes: Uint8Array): void {
    this.parse(this.decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  }

  end(): void {
    const rest = this.decoder.end();
    this.parse(rest);
    if (this.reading !== null) this.fail('what begins here has no end', this.begin);
    if (this.state === 'start') this.fail('the file is empty', 0);
    if (this.state !== 'end') this.fail('the file ends before the collection does', rest.length);
  }

  take(): CollectionItem[] {
    const items = this.items;
    this.items = [];
    return items;
  }

  private parse(piece: string): void {
    this.position.next(piece);
    for (let at = 0; at < piece.length;)
      at = this.reading === null ? this.readMark(piece, at) : this.readValue(piece, at);
    if (this.reading !== null && typeof this.begin === 'number')
      this.begin = this.position.at(this.begin);
  }

  private readMark(piece: string, at: number): number {
    const mark = piece[at] ?? '';
    const next = GRAMMAR[this.state];
    if (BLANK.test(mark) || (mark === '\ufeff' && this.state === 'start')) return at + 1;
    const after = next[mark as Token];
    if (after !== undefined) {
      this.enter(after === 'member' && this.key === ITEMS_KEY ? 'list' : after, at);
      return at + 1;
    }
    const kind = (['key', 'member', 'item'] as const).find(
      (one) => next[one] !== undefined && (one === 'key' ? mark === '"' : VALUE_START.test(mark)),
    );
    if (kind === undefined) this.fail(this.unexpected(piece, at), at);
    this.reading = kind;
    this.begin = at;
    this.scanner.begin();
    return at;
  }

  private readValue(piece: string, from: number): number {
    const end = this.scanner.scan(piece, from);
    const kind = this.reading;
    if (end === null || kind === null) return piece.length;
    const { text, isTooLarge } = this.scanner;
    this.reading = null;
    if (kind === 'item') this.items.push({ text, isTooLarge });
    else if (kind === 'key') this.key = String(this.parsed(text, isTooLarge));
    else if (!isTooLarge) this.takeMember(this.parsed(text, isTooLarge));
    this.enter(GRAMMAR[this.state][kind] ?? this.state, end);
    return end;
  }

  private parsed(text: string, isTooLarge: boolean): unknown {
    if (isTooLarge) this.fail('a key has no end', this.begin);
    try {
      return JSON.parse(text);
    } catch {
      this.fail('what stands here is not well-formed JSON', this.begin);
    }
  }

  private takeMember(value: unknown): void {
    const problem = wrongMember(this.key, value);
    if (problem !== null) this.fail(problem, this.begin);
  }

  private enter(state: State, at: number): void {
    this.state = state;
    if (state === 'list') this.hasItems = true;
    if (state === 'end' && !this.hasItems) this.fail(WITHOUT_ITEMS, at);
  }

  private unexpected(piece: string, at: number): string {
    if (this.state === 'start') return wrongBeginning(piece.slice(at, at + BEGINNING_CHARACTERS));
    return this.state === 'list'
      ? `${ITEMS_KEY} is no list`
      : `unexpected ${JSON.stringify(piece[at])}`;
  }

  private fail(reason: string, at: number | FilePosition): never {
    throw new MalformedExport(reason, typeof at === 'number' ? this.position.at(at) : at);
  }
}
