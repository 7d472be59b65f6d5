import fc from 'fast-check';
import { GatewayError } from '../../src/domain/errors.js';
import { parseJson } from '../../src/http/json-scanner.js';

const errorOf = (text: string): GatewayError => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error(`no error for ${text}`);
};

describe('parseJson', () => {
  it('returns what JSON.parse returns, for every text of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('rejects what JSON.parse rejects, and nothing else', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"a"',
        '"b"',
        '"',
        '\\',
        '\\u00e9',
        '1',
        '-',
        '0',
        '.5',
        'e3',
        'true',
        'nul',
        ' ',
        '\n',
        '\u0001',
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) expect(() => parseJson(text)).not.toThrow(/not valid JSON/);
        else
          expect(errorOf(text)).toMatchObject({
            code: 'BAD_USER_INPUT',
            message: expect.stringMatching(/at position \d+\.$|duplicate key/),
          });
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [
      '{"post":{"text":"a",}}',
      'The body is not valid JSON: expected a key in double quotes at position 20.',
    ],
    ['{"a":1', 'The body is not valid JSON: expected "," or "}" at position 6.'],
    ['["a"', 'The body is not valid JSON: expected "," or "]" at position 4.'],
    ['{"a" 1}', 'The body is not valid JSON: expected ":" at position 5.'],
    ['{"a":tru}', 'The body is not valid JSON: expected a value at position 5.'],
    ['{} {}', 'The body is not valid JSON: expected the end of the body at position 3.'],
    ['"\\x"', 'The body is not valid JSON: expected a valid escape at position 1.'],
    [' ', 'The body is not valid JSON: expected a value at position 1.'],
    ['\ufeff{}', 'The body is not valid JSON: expected a value at position 0.'],
  ])('reports the position of the error in %j', (text, message) => {
    expect(errorOf(text).message).toBe(message);
  });

  it('lists every duplicate key, escaped ones included', () => {
    expect(errorOf('{"a":1,"\\u0061":2,"b":[{"c":1},{"c":1,"c":2}]}').problems).toEqual([
      { path: ['a'], message: 'is a duplicate key.' },
      { path: ['b', 1, 'c'], message: 'is a duplicate key.' },
    ]);
  });

  it('accepts 64 levels and rejects the 65th', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseJson(nested(64))).not.toThrow();
    expect(errorOf(nested(65)).message).toBe(
      'The body is nested deeper than 64 levels at position 64.',
    );
    expect(errorOf('{"a":'.repeat(100_000)).message).toBe(
      'The body is nested deeper than 64 levels at position 320.',
    );
  });

  it('reads a megabyte in one pass', () => {
    const long = JSON.stringify(
      Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key ${index}`, index])),
    );
    const startedAt = performance.now();
    parseJson(long);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });
});
