import { StringDecoder } from 'node:string_decoder';
import type { FilePosition } from '../../domain/imports/imported-post.js';
import type { IncrementalParser } from '../incremental-parser.js';
import { MalformedExportError } from '../malformed-export-error.js';
import { PositionTracker } from '../position-tracker.js';
import { JsonValueScanner } from './json-value-scanner.js';
import { MISSING_ITEMS, describeFileStart, findMemberProblem } from './unsupported-file.js';

/** The JSON text of one item of the collection; only its start if it is too large. */
export interface CollectionItem {
  readonly text: string;
  readonly isTooLarge: boolean;
}

/** A value that is read as a whole: a key, the value of a key, or an item of the list. */
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

/**
 * Next state by state and token. The collection is an object; one of its members is the list of
 * items.
 */
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
const WHITESPACE = /[ \t\r\n]/;
/** First characters of JSON values. */
const VALUE_START = /["{[\-\dtfn]/;
/** Characters of an unsupported file that are examined to describe it. */
const FILE_START_CHARACTERS = 1_000;

/**
 * Splits an ActivityStreams collection into the JSON texts of its items. Only the current item is
 * in memory. Items are not parsed, so that the caller can skip a malformed item if its brackets and
 * quotes are balanced.
 */
export class CollectionParser implements IncrementalParser<CollectionItem> {
  private readonly decoder = new StringDecoder('utf8');
  private readonly position = new PositionTracker();
  private readonly scanner: JsonValueScanner;
  private state: State = 'start';
  private valueKind: ValueKind | null = null;
  /**
   * Start of the current value: an index in the chunk, or its position in the file if it started in
   * an earlier chunk.
   */
  private valueStart: number | FilePosition = 0;
  private key = '';
  private hasItems = false;
  private items: CollectionItem[] = [];

  constructor(maxItemCharacters: number) {
    this.scanner = new JsonValueScanner(maxItemCharacters);
  }

  write(bytes: Uint8Array): void {
    this.parse(this.decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  }

  end(): void {
    const remainder = this.decoder.end();
    this.parse(remainder);
    if (this.valueKind !== null)
      this.fail('the value that starts here does not end', this.valueStart);
    if (this.state === 'start') this.fail('the file is empty', 0);
    if (this.state !== 'end')
      this.fail('the file ends before the collection is complete', remainder.length);
  }

  take(): CollectionItem[] {
    const items = this.items;
    this.items = [];
    return items;
  }

  private parse(chunk: string): void {
    this.position.startChunk(chunk);
    for (let at = 0; at < chunk.length;)
      at = this.valueKind === null ? this.readPunctuation(chunk, at) : this.readValue(chunk, at);
    if (this.valueKind !== null && typeof this.valueStart === 'number')
      this.valueStart = this.position.at(this.valueStart);
  }

  private readPunctuation(chunk: string, at: number): number {
    const character = chunk[at] ?? '';
    const transitions = GRAMMAR[this.state];
    if (WHITESPACE.test(character) || (character === '\ufeff' && this.state === 'start'))
      return at + 1;
    const nextState = transitions[character as Token];
    if (nextState !== undefined) {
      this.enter(nextState === 'member' && this.key === ITEMS_KEY ? 'list' : nextState, at);
      return at + 1;
    }
    const kind = (['key', 'member', 'item'] as const).find(
      (candidate) =>
        transitions[candidate] !== undefined &&
        (candidate === 'key' ? character === '"' : VALUE_START.test(character)),
    );
    if (kind === undefined) this.fail(this.describeUnexpected(chunk, at), at);
    this.valueKind = kind;
    this.valueStart = at;
    this.scanner.start();
    return at;
  }

  private readValue(chunk: string, from: number): number {
    const end = this.scanner.scan(chunk, from);
    const kind = this.valueKind;
    if (end === null || kind === null) return chunk.length;
    const { text, isTooLarge } = this.scanner;
    this.valueKind = null;
    if (kind === 'item') this.items.push({ text, isTooLarge });
    else if (kind === 'key') this.key = String(this.parseJson(text, isTooLarge));
    else if (!isTooLarge) this.checkMember(this.parseJson(text, isTooLarge));
    this.enter(GRAMMAR[this.state][kind] ?? this.state, end);
    return end;
  }

  private parseJson(text: string, isTooLarge: boolean): unknown {
    if (isTooLarge) this.fail('the key that starts here does not end', this.valueStart);
    try {
      return JSON.parse(text);
    } catch {
      this.fail('the value that starts here is not valid JSON', this.valueStart);
    }
  }

  private checkMember(value: unknown): void {
    const problem = findMemberProblem(this.key, value);
    if (problem !== null) this.fail(problem, this.valueStart);
  }

  private enter(state: State, at: number): void {
    this.state = state;
    if (state === 'list') this.hasItems = true;
    if (state === 'end' && !this.hasItems) this.fail(MISSING_ITEMS, at);
  }

  private describeUnexpected(chunk: string, at: number): string {
    if (this.state === 'start')
      return describeFileStart(chunk.slice(at, at + FILE_START_CHARACTERS));
    return this.state === 'list'
      ? `“${ITEMS_KEY}” is not a list`
      : `unexpected ${JSON.stringify(chunk[at])}`;
  }

  private fail(reason: string, at: number | FilePosition): never {
    throw new MalformedExportError(reason, typeof at === 'number' ? this.position.at(at) : at);
  }
}
