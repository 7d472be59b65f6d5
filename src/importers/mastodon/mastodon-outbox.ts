import { StringDecoder } from 'node:string_decoder';
import type { ImportRecord, FilePosition } from '../../domain/imports/imported-post.js';
import { isJsonObject } from '../../domain/input/readers.js';
import {
  catchMalformed,
  parseIncrementally,
  PositionTracker,
  MalformedExportError,
  type IncrementalParser,
} from '../export-file.js';
import {
  readString,
  toImportedPost,
  readUrl,
  type SkipReason,
  type JsonObject,
} from './mastodon-post.js';

/** Options for reading an outbox. */
export interface ReadOptions {
  /**
   * Base URL of the archive's media paths, for servers that store files elsewhere. Default: the
   * account's server.
   */
  readonly mediaUrl?: string | undefined;
  /** Maximum characters of one activity; larger ones are skipped as `too_large`. */
  readonly maxItemCharacters?: number;
}

/** Far above the length of any post: servers allow 500 characters, some 100,000. */
const MAX_ITEM_CHARACTERS = 1024 * 1024;

/**
 * Reads the outbox of a Mastodon archive as a stream, in bounded memory and only as fast as the
 * caller consumes records. A malformed item is skipped; an item truncated by the end of the file is
 * never returned.
 */
export async function* readMastodonOutbox(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<ImportRecord<SkipReason>> {
  const parser = new CollectionParser(options.maxItemCharacters ?? MAX_ITEM_CHARACTERS);
  yield* catchMalformed(
    parseIncrementally({ pass: 'whole', source, parser }, (item) => [
      toRecord(item, options.mediaUrl ?? null),
    ]),
  );
}

const REASON_BY_ACTIVITY: Readonly<Record<string, SkipReason>> = {
  Announce: 'boost',
  Delete: 'deletion',
};

function toRecord(item: CollectionItem, mediaUrl: string | null): ImportRecord<SkipReason> {
  if (item.isTooLarge) return toSkipRecord('too_large', null, item.text);
  const activity = parseJson(item.text);
  if (!isJsonObject(activity)) return toSkipRecord('unreadable', null, item.text);
  const type = readString(activity['type']);
  const outcome =
    type === 'Create'
      ? toImportedPost(activity, mediaUrl)
      : (Object.hasOwn(REASON_BY_ACTIVITY, type) && REASON_BY_ACTIVITY[type]) || 'other_activity';
  return typeof outcome === 'string'
    ? toSkipRecord(outcome, activity, item.text)
    : { kind: 'post', post: outcome };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of an item that has neither a URL nor an ID. */
const MAX_TITLE_CHARACTERS = 200;

/**
 * Uses the URL of the post as its title, so that the text of a direct message does not appear in a
 * report. URLs are not shortened.
 */
function toSkipRecord(
  reason: SkipReason,
  activity: JsonObject | null,
  text: string,
): ImportRecord<SkipReason> {
  const sourceId =
    activity === null
      ? (/"id"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? null)
      : readString(activity['id']) || null;
  const title = readUrl(activity?.['object']) || sourceId || text.slice(0, MAX_TITLE_CHARACTERS);
  return {
    kind: 'skipped',
    reason,
    sourceId,
    postType: activity === null ? null : readString(activity['type']) || null,
    title,
  };
}

/** The JSON text of one item of the collection; only its start if it is too large. */
interface CollectionItem {
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
class CollectionParser implements IncrementalParser<CollectionItem> {
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/**
 * Collects one JSON value from a text that arrives in chunks. Only finds the end of the value;
 * JSON.parse validates it. Keeps only the start of a value that is too large.
 */
class JsonValueScanner {
  /** The part of the value that has been scanned. */
  text = '';
  isTooLarge = false;
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  constructor(private readonly maxCharacters: number) {}

  start(): void {
    this.text = '';
    this.isTooLarge = false;
    this.depth = 0;
  }

  /**
   * Continues at an index of the chunk. Returns the index after the value, or null if the value
   * does not end in this chunk.
   */
  scan(chunk: string, from: number): number | null {
    const end = this.findEnd(chunk, from);
    this.collect(chunk.slice(from, end ?? chunk.length));
    return end;
  }

  private findEnd(chunk: string, from: number): number | null {
    for (let at = from; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (this.inString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (code === BACKSLASH) this.isEscaped = true;
        else if (code === QUOTE) {
          this.inString = false;
          if (this.depth === 0) return at + 1;
        }
      } else if (code === QUOTE) this.inString = true;
      else if (OPENING.has(code)) this.depth += 1;
      else if (CLOSING.has(code)) {
        if (this.depth === 0) return at;
        this.depth -= 1;
        if (this.depth === 0) return at + 1;
      } else if (this.depth === 0 && code === COMMA) return at;
    }
    return null;
  }

  private collect(part: string): void {
    if (this.isTooLarge) return;
    this.isTooLarge = this.text.length + part.length > this.maxCharacters;
    // Copied, so that the chunk can be garbage-collected.
    this.text = this.isTooLarge
      ? Buffer.from((this.text + part).slice(0, MAX_EXCERPT_CHARACTERS)).toString()
      : this.text + part;
  }
}

/** Length of the start of an oversized value, which contains its ID for the report. */
const MAX_EXCERPT_CHARACTERS = 2_000;

/** Descriptions of files that users pass by mistake, by the start of the file. */
const UNSUPPORTED_FILE_STARTS: readonly (readonly [RegExp, string])[] = [
  [/^<[^]*<rss[\s>]|^<rss[\s>]/, 'the file is a WordPress export: run `import wordpress` instead'],
  [/^</, 'the file is XML or HTML, not JSON'],
  [/^PK/, 'the file is a zip archive: unpack it and import the outbox.json that it contains'],
  [
    /^\u001f/,
    'the file is a compressed archive: unpack it and import the outbox.json that it contains',
  ],
  [
    /^\[/,
    'the file is not an outbox: it is a list, but an outbox is an object with the list “orderedItems”',
  ],
];

/** The reason why a file that starts with this text is not an outbox. */
const describeFileStart = (text: string): string =>
  UNSUPPORTED_FILE_STARTS.find(([pattern]) => pattern.test(text))?.[1] ??
  `the file is not JSON: it starts with ${JSON.stringify(text.slice(0, 20))}`;

/** The reason why a collection without items is not an outbox. */
const MISSING_ITEMS =
  'the file is not an outbox: it has no list “orderedItems”. Import the outbox.json of an archive; the outbox URL of a server only returns links to pages';

const COLLECTION_TYPES: ReadonlySet<unknown> = new Set([
  'OrderedCollection',
  'OrderedCollectionPage',
]);
const ACTOR_TYPES: ReadonlySet<unknown> = new Set([
  'Person',
  'Service',
  'Application',
  'Group',
  'Organization',
]);
/** IDs of the collections in an archive that contain posts of other accounts. */
const FOREIGN_COLLECTIONS: ReadonlySet<unknown> = new Set(['likes.json', 'bookmarks.json']);

function findTypeProblem(type: unknown): string | null {
  if (COLLECTION_TYPES.has(type)) return null;
  const typeText = JSON.stringify(type);
  return ACTOR_TYPES.has(type)
    ? `the file is an account (its type is ${typeText}), like actor.json: import the outbox.json next to it`
    : `the file is not an outbox: its type is ${typeText}, not "OrderedCollection"`;
}

const findIdProblem = (id: unknown): string | null =>
  FOREIGN_COLLECTIONS.has(id)
    ? `the file is ${String(id)}, which lists posts of other accounts: import the outbox.json next to it`
    : null;

const MEMBER_CHECKS: Readonly<Record<string, (value: unknown) => string | null>> = {
  type: findTypeProblem,
  id: findIdProblem,
};

/** The reason why a file with this member is not an outbox; null if the member is acceptable. */
const findMemberProblem = (key: string, value: unknown): string | null =>
  (Object.hasOwn(MEMBER_CHECKS, key) ? MEMBER_CHECKS[key]?.(value) : null) ?? null;
