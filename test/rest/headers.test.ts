import fc from 'fast-check';
import { etagOf, matchesIfNoneMatch, readIfMatch } from '../../src/rest/headers.js';

const TAG = etagOf(3, { id: 'a' });

describe('etagOf (D26)', () => {
  it('is a strong ETag of version and hash', () => expect(TAG).toMatch(/^"3-[\w-]{22}"$/));
  it('depends only on version and body', () => {
    expect(
      new Set([etagOf(3, { a: 1 }), etagOf(4, { a: 1 }), etagOf(3, { a: 2 }), etagOf(3, { a: 1 })])
        .size,
    ).toBe(3);
  });
});

describe('If-None-Match', () => {
  it.each([
    [TAG, true],
    ['*', true],
    [`W/${TAG}`, true],
    [`"x", ${TAG}`, true],
    [`"a,b",${TAG}`, true],
    [` ${TAG} `, true],
    ['"3"', false],
    [etagOf(4, { id: 'a' }), false],
    [etagOf(3, { id: 'b' }), false],
    [TAG.slice(1, -1), false],
    ['', false],
    ['W/"', false],
    [undefined, false],
  ])('%s: %s', (header, matches) => expect(matchesIfNoneMatch(header, TAG)).toBe(matches));
});

describe('If-Match', () => {
  it.each<[string | undefined, number[] | null]>([
    [undefined, null],
    ['*', null],
    [TAG, [3]],
    ['"3-other"', [3]],
    [`${TAG}, "12-x"`, [3, 12]],
    [`W/${TAG}`, []],
    ['"3"', []],
    ['3', []],
    ['', []],
    ['"0-x"', []],
    ['"-1-x"', []],
    ['"99999999999-x"', []],
    ['"3-x', []],
    ['garbage, ,', []],
  ])('%s', (header, versions) => expect(readIfMatch(header)).toEqual(versions));

  it('reads every ETag of etagOf, and never throws', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), fc.jsonValue(), (version, body) => {
        expect(readIfMatch(etagOf(version, body))).toEqual([version]);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (header) =>
        expect(header.trim() === '*' || Array.isArray(readIfMatch(header))).toBe(true),
      ),
    );
  });
});
