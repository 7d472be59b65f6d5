import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import {
  hasValidChecksum,
  KEY_ENTROPY_BYTES,
  createKeyValue,
  keyChecksum,
  toBase62,
} from '../../../src/domain/access/api-key.js';

const entropy = fc.uint8Array({ minLength: KEY_ENTROPY_BYTES, maxLength: KEY_ENTROPY_BYTES });
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('createKeyValue', () => {
  it('is spk_live_, 30 base-62 characters and a valid checksum of 6', () => {
    fc.assert(
      fc.property(entropy, (bytes) => {
        const value = createKeyValue(bytes);
        expect(value).toMatch(/^spk_live_[0-9A-Za-z]{36}$/);
        expect(hasValidChecksum(value)).toBe(true);
      }),
    );
  });

  it('depends on every byte', () => {
    fc.assert(
      fc.property(entropy, fc.integer({ min: 11, max: KEY_ENTROPY_BYTES - 1 }), (bytes, at) => {
        const other = Uint8Array.from(bytes);
        other[at] = (other[at] ?? 0) ^ 1;
        expect(createKeyValue(other)).not.toBe(createKeyValue(bytes));
      }),
    );
  });

  it.each([0, 31, 33])('rejects %i bytes', (length) => {
    expect(() => createKeyValue(new Uint8Array(length))).toThrow(RangeError);
  });
});

describe('hasValidChecksum', () => {
  it('detects every change of one character', () => {
    fc.assert(
      fc.property(entropy, fc.nat(44), fc.constantFrom(...base62), (bytes, at, letter) => {
        const value = createKeyValue(bytes);
        fc.pre(value[at] !== letter);
        expect(hasValidChecksum(value.slice(0, at) + letter + value.slice(at + 1))).toBe(false);
      }),
    );
  });

  it('detects two swapped adjacent characters', () => {
    fc.assert(
      fc.property(entropy, fc.integer({ min: 9, max: 43 }), (bytes, at) => {
        const value = createKeyValue(bytes);
        fc.pre(value[at] !== value[at + 1]);
        expect(
          hasValidChecksum(value.slice(0, at) + value[at + 1] + value[at] + value.slice(at + 2)),
        ).toBe(false);
      }),
    );
  });

  const good = createKeyValue(new Uint8Array(KEY_ENTROPY_BYTES));
  it.each([
    '',
    'spk_live_',
    good.slice(0, -1),
    `${good}0`,
    `${good}\n`,
    ` ${good}`,
    good.replace('spk', 'SPK'),
    good.replace('live', 'test'),
    'é'.repeat(45),
  ])('rejects %j', (value) => {
    expect(hasValidChecksum(value)).toBe(false);
  });

  it('rejects any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
        expect(hasValidChecksum(value)).toBe(false);
      }),
    );
  });
});

describe('keyChecksum', () => {
  it('is the standard CRC-32, in 6 base-62 digits', () => {
    expect(keyChecksum('123456789')).toBe(toBase62(0xcbf43926n, 6));
    if (typeof crc32 !== 'function') return; // node:zlib has it from Node 20.15 on
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(keyChecksum(text)).toBe(toBase62(BigInt(crc32(text)), 6));
      }),
    );
  });
});

describe('toBase62', () => {
  it.each([
    [0n, 1, '0'],
    [61n, 1, 'z'],
    [62n, 2, '10'],
    [62n, 4, '0010'],
    [62n ** 3n, 3, '000'],
  ])('%s in %i digits is %s', (value, length, text) => {
    expect(toBase62(value, length)).toBe(text);
  });
});
