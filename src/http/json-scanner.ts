import { GatewayError, type Problem } from '../domain/errors.js';

/** Nesting limit, far above that of valid input. Prevents stack overflows in recursive readers. */
const MAX_DEPTH = 64;
/** Duplicate keys listed in one error. */
const MAX_DUPLICATES = 100;

/**
 * Parses JSON, and rejects what JSON.parse accepts or does not locate: duplicate keys, with their
 * paths; nesting deeper than 64; malformed text, with its position.
 * @throws GatewayError BAD_USER_INPUT with all duplicate keys, or with the first syntax error
 */
export function parseJson(text: string): unknown {
  const duplicates = new JsonScan(text).duplicates();
  if (duplicates.length > 0)
    throw new GatewayError('BAD_USER_INPUT', 'The body has a duplicate key.', duplicates);
  return JSON.parse(text) as unknown;
}

type Path = (string | number)[];

const WHITESPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** Checks a text against the JSON grammar. Keeps only the current path, no values. */
class JsonScan {
  private position = 0;
  private readonly path: Path = [];
  private readonly problems: Problem[] = [];

  constructor(private readonly text: string) {}

  duplicates(): readonly Problem[] {
    this.value();
    this.skip(WHITESPACE);
    if (this.position < this.text.length) this.fail('the end of the body');
    return this.problems;
  }

  private value(): void {
    this.skip(WHITESPACE);
    const first = this.text[this.position];
    if (first === '{') this.container('}', () => this.member(new Set()));
    else if (first === '[') this.container(']', () => this.element());
    else if (first === '"') this.string();
    else if (!this.skip(SCALAR)) this.fail('a value');
  }

  /** `begin` is called once per container and returns the reader of its entries. */
  private container(close: '}' | ']', begin: () => () => void): void {
    if (this.path.length >= MAX_DEPTH)
      throw new GatewayError(
        'BAD_USER_INPUT',
        `The body is nested deeper than ${MAX_DEPTH} levels at position ${this.position}.`,
      );
    this.position += 1;
    this.skip(WHITESPACE);
    if (this.take(close)) return;
    const readEntry = begin();
    do {
      readEntry();
      this.skip(WHITESPACE);
    } while (this.take(','));
    if (!this.take(close)) this.fail(`"," or "${close}"`);
  }

  private member(seen: Set<string>): () => void {
    return () => {
      this.skip(WHITESPACE);
      if (this.text[this.position] !== '"') this.fail('a key in double quotes');
      const key = this.string();
      this.skip(WHITESPACE);
      if (!this.take(':')) this.fail('":"');
      this.path.push(key);
      if (seen.has(key) && this.problems.length < MAX_DUPLICATES)
        this.problems.push({ path: [...this.path], message: 'is a duplicate key.' });
      seen.add(key);
      this.value();
      this.path.pop();
    };
  }

  private element(): () => void {
    let index = 0;
    return () => {
      this.path.push(index++);
      this.value();
      this.path.pop();
    };
  }

  private string(): string {
    const start = this.position;
    let isEscaped = false;
    this.position += 1;
    for (;;) {
      const code = this.text.charCodeAt(this.position);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        isEscaped = true;
        if (!this.skip(ESCAPE)) this.fail('a valid escape');
      } else if (code >= FIRST_PRINTABLE) {
        this.position += 1;
      } else {
        // at the end of the text `code` is NaN
        this.fail('the end of a string, or a character that needs no escape');
      }
    }
    this.position += 1;
    return isEscaped
      ? (JSON.parse(this.text.slice(start, this.position)) as string)
      : this.text.slice(start + 1, this.position - 1);
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return false;
    this.position = pattern.lastIndex;
    return true;
  }

  private take(character: string): boolean {
    if (this.text[this.position] !== character) return false;
    this.position += 1;
    return true;
  }

  private fail(expected: string): never {
    throw new GatewayError(
      'BAD_USER_INPUT',
      `The body is not valid JSON: expected ${expected} at position ${this.position}.`,
    );
  }
}
