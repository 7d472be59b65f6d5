import fc from 'fast-check';
import twitterText from 'twitter-text';
import { TEXT_LENGTHS, weightedLength } from '../../../src/domain/creation/limit-units.js';

test.each([
  ['', 0],
  ['abc', 3],
  ['ÄöüßЖ', 5],
  ['日本語', 6],
  ['한국', 4],
  ['“quoted” – dash…', 17],
  ['e\u0301', 1], // normalized to one letter
  ['😀', 2],
  ['☕️', 2],
  ['👨‍👩‍👧‍👦', 2], // a family is one emoji
  ['🇩🇪', 2],
  ['1️⃣', 2],
  ['©', 1],
  ['https://example.com', 23],
  [`https://example.com/${'a'.repeat(500)}?q=1#f`, 23],
  ['See https://example.com/a, then (https://example.org).', 4 + 23 + 8 + 23 + 2],
  ['example.com', 23],
  ['www.kaffee.de', 23],
  ['見てhttps://example.com', 4 + 23],
  ['見てexample.com', 4 + 23],
  ['me@example.com', 14], // not a link
  ['file.txt', 8],
  ['3.14', 4],
  ['https://t.co/abc/def', 23 + 4],
])('%s counts as %i, as twitter-text counts it', (text, length) => {
  expect(weightedLength(text)).toBe(length);
  expect(twitterText.parseTweet(text).weightedLength).toBe(length);
});

const PIECES = fc.oneof(
  fc.constantFrom(
    'https://',
    'http://',
    'HTTPS://',
    'www.',
    'kaffee',
    'example',
    'münchen',
    '日本',
    'a-b',
    'x_y',
    '.de',
    '.com',
    '.co.uk',
    '.рф',
    '.みんな',
    '.afamilycompany',
    '.music',
    '.txt',
    '.xn--p1ai',
    '/',
    '/preise',
    '/a_(b)',
    '/(c',
    '/ä',
    '?q=1',
    '&r=2',
    '#f',
    ':8080',
    '@',
    '@user/',
    '~',
    '%20',
    't.co/abc',
    'https://t.co/abc',
    '/x',
    '-',
    '_',
    '.',
    ',',
    '!',
    ')',
    '(',
    '$',
    '#',
    ' ',
    '\n',
    '…',
    '☕️',
    '☕',
    '☕︎',
    '👨‍👩‍👧‍👦',
    '👍🏽',
    '🇩🇪',
    '🇩',
    '1️⃣',
    '❤️',
    '❤',
    '🕵️‍♀️',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '©',
    '©️',
    '\u200d',
    'ß',
    'Ж',
    'e\u0301',
    '語',
    '한',
    'ｱ',
    '\u2028',
    '\u200e',
    '\ufeff',
  ),
  fc.string({ maxLength: 4 }),
);

test('every text counts as twitter-text counts it', () => {
  fc.assert(
    fc.property(fc.array(PIECES, { maxLength: 14 }), (pieces) => {
      const text = pieces.join('').toWellFormed();
      expect([text, weightedLength(text)]).toEqual([
        text,
        twitterText.parseTweet(text).weightedLength,
      ]);
    }),
    { numRuns: 3_000 },
  );
});

test('a text of 100,000 characters that only looks like links is counted', () => {
  expect(weightedLength('a-'.repeat(50_000))).toBe(100_000);
  expect(weightedLength('a.'.repeat(50_000))).toBe(100_000);
  expect(weightedLength('語.'.repeat(33_000))).toBe(99_000);
  expect(weightedLength('https://'.repeat(12_500))).toBe(100_000);
  expect(weightedLength(`a.de/${'('.repeat(99_995)}`)).toBeGreaterThan(90_000);
}, 5_000);

test('graphemes of a text that is read in parts are those of the whole text', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const piece = fc.constantFrom(
    'a',
    ' ',
    'e\u0301',
    '🚀',
    '🇩🇪',
    '👨‍👩‍👧‍👦',
    '한',
    '\r\n',
    '\u0301'.repeat(600),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 150, maxLength: 600, size: 'max' }), (pieces) => {
      const text = pieces.join('');
      expect(TEXT_LENGTHS.graphemes(text)).toBe([...segmenter.segment(text)].length);
    }),
    { numRuns: 100, seed: 1 },
  );
});
