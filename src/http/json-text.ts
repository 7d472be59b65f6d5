import { GatewayError, type Problem } from '../domain/errors.js';

/** Deeper values are refused: no input of the interface comes near it, and recursion further in stays safe. */
const DEEPEST = 64;
/** Duplicate keys named in one refusal. */
const MOST_DUPLICATES = 100;

/**
 * Reads JSON in one pass and refuses what JSON.parse would let through or not explain: malformed text with its
 * position, keys that stand twice in one object with their paths, nesting over 64.
 * @throws GatewayError BAD_USER_INPUT with every duplicate, or with the first thing malformed
 */
export function parseJson(text: string): unknown {
  const duplicates = new JsonScan(text).duplicates();
  if (duplicates.length > 0)
    throw new GatewayError(
      'BAD_USER_INPUT',
      'A key of the body stands twice in one object.',
      duplicates,
    );
  return JSON.parse(text) as unknown;
}

type Path = (string | number)[];

const WHITESPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** A walk over a text by JSON's grammar, which keeps no values, only the path it is on. */
class JsonScan {
  private at = 0;
  private readonly path: Path = [];
  private readonly found: Problem[] = [];

  constructor(private readonly text: string) {}

  duplicates(): readonly Problem[] {
    this.value();
    this.skip(WHITESPACE);
    if (this.at < this.text.length) this.fail('the end of the body');
    return this.found;
  }

  private value(): void {
    this.skip(WHITESPACE);
    const first = this.text[this.at];
    if (first === '{') this.container('}', () => this.member(new Set()));
    else if (first === '[') this.container(']', () => this.element());
    else if (first === '"') this.string();
    else if (!this.skip(SCALAR)) this.fail('a value');
  }

  /** `begin` is called once per container and gives what reads each of its entries. */
  private container(close: '}' | ']', begin: () => () => void): void {
    if (this.path.length >= DEEPEST)
      throw new GatewayError(
        'BAD_USER_INPUT',
        `The body nests deeper than ${DEEPEST} at position ${this.at}.`,
      );
    this.at += 1;
    this.skip(WHITESPACE);
    if (this.take(close)) return;
    const entry = begin();
    do {
      entry();
      this.skip(WHITESPACE);
    } while (this.take(','));
    if (!this.take(close)) this.fail(`"," or "${close}"`);
  }

  private member(seen: Set<string>): () => void {
    return () => {
      this.skip(WHITESPACE);
      if (this.text[this.at] !== '"') this.fail('a key in double quotes');
      const key = this.string();
      this.skip(WHITESPACE);
      if (!this.take(':')) this.fail('":"');
      this.path.push(key);
      if (seen.has(key) && this.found.length < MOST_DUPLICATES)
        this.found.push({ path: [...this.path], message: 'stands twice in one object.' });
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
    const start = this.at;
    let isEscaped = false;
    this.at += 1;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        isEscaped = true;
        if (!this.skip(ESCAPE)) this.fail('a valid escape');
      } else if (code >= FIRST_PRINTABLE) {
        this.at += 1;
      } else {
        this.fail('the end of a string, or a character that needs no escape'); // the end of the text is NaN
      }
    }
    this.at += 1;
    return isEscaped
      ? (JSON.parse(this.text.slice(start, this.at)) as string)
      : this.text.slice(start + 1, this.at - 1);
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private fail(expected: string): never {
    throw new GatewayError(
      'BAD_USER_INPUT',
      `The body is not valid JSON: expected ${expected} at position ${this.at}.`,
    );
  }
}
