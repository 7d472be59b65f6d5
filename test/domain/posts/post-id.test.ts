import fc from 'fast-check';
import { isPrefixedId, readPostId } from '../../../src/domain/posts/post.js';

const hexId = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
  minLength: 24,
  maxLength: 24,
});

describe('readPostId', () => {
  it('reads 24 hex digits as a document ID, in lower case', () => {
    fc.assert(
      fc.property(hexId, (text) => {
        expect(readPostId(text)).toEqual({ kind: 'document', id: text.toLowerCase() });
      }),
    );
  });

  it('reads 24 decimal digits as a document ID, not as a number', () => {
    const decimal = fc.string({
      unit: fc.constantFrom(...'0123456789'),
      minLength: 24,
      maxLength: 24,
    });
    fc.assert(
      fc.property(decimal, (text) => {
        expect(readPostId(text)).toEqual({ kind: 'document', id: text });
      }),
    );
  });

  it('reads every integer from 1 to 2,147,483,647 as a database ID', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (id) => {
        expect(readPostId(String(id))).toEqual({ kind: 'database', id });
      }),
    );
    expect(readPostId('2147483647')).toEqual({ kind: 'database', id: 2_147_483_647 });
  });

  it.each([
    '',
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '1 ',
    '1\n',
    '１',
    '٣',
    '2147483648',
    '9999999999',
    '99999999999999999999',
    '5f0c1d2e3b4a59687766554',
    '5f0c1d2e3b4a5968776655443',
    '5f0c1d2e3b4a59687766554g',
    '5f0c1d2e3b4a596877665544\n',
    'wks_1',
    'null',
    '\0',
    '\ud800',
    '0'.repeat(23),
  ])('rejects %j', (text) => {
    expect(readPostId(text)).toBeNull();
  });

  it('never throws, and is idempotent', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), hexId, fc.integer().map(String)),
        (text) => {
          const read = readPostId(text);
          if (read) expect(readPostId(String(read.id))).toEqual(read);
        },
      ),
    );
  });
});

describe('isPrefixedId', () => {
  it.each([
    ['wks', 'wks_1', true],
    ['acc', `acc_${'Zz9'.repeat(20)}`, true],
    ['wks', 'acc_1', false],
    ['wks', 'WKS_1', false],
    ['wks', 'wks_', false],
    ['wks', 'wks', false],
    ['wks', 'wks_a b', false],
    ['wks', 'wks_a\0', false],
    ['wks', 'wks_1\n', false],
    ['wks', `wks_${'a'.repeat(65)}`, false],
    ['wks', 'xwks_1', false],
  ])('of %s: %j is %s', (prefix, text, expected) => {
    expect(isPrefixedId(prefix, text)).toBe(expected);
  });

  it('never accepts a post id', () => {
    fc.assert(
      fc.property(hexId, (text) => {
        expect(isPrefixedId('wks', text)).toBe(false);
        expect(isPrefixedId('wks', `wks_${text}`)).toBe(true);
        expect(readPostId(`wks_${text}`)).toBeNull();
      }),
    );
  });
});
