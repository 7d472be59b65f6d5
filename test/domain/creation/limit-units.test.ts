import { weightedLength, withShortLinks } from '../../../src/domain/creation/limit-units.js';

test.each([
  ['', 0],
  ['abc', 3],
  ['ÄöüßЖ', 5],
  ['日本語', 6],
  ['한국', 4],
  ['“quoted” – dash…', 17],
  ['e\u0301', 1], // normalized to one letter
  ['😀', 2],
  ['👨‍👩‍👧‍👦', 2], // a family is one emoji
  ['🇩🇪', 2],
  ['1️⃣', 2],
  ['https://example.com', 23],
  [`https://example.com/${'a'.repeat(500)}?q=1#f`, 23],
  ['See https://example.com/a, then (https://example.org).', 4 + 23 + 8 + 23 + 2],
  ['example.com', 23],
  ['見てhttps://example.com', 4 + 23],
  ['me@example.com', 14], // not a link
  ['file.txt', 8],
  ['3.14', 4],
  ['ab.de', 5], // a country's domain is a link only with a path
  ['ab.de/x', 23],
])('%s counts as %i', (text, length) => {
  expect(weightedLength(text)).toBe(length);
});

test('a text of 100,000 characters that only looks like links is counted', () => {
  expect(weightedLength('a-'.repeat(50_000))).toBe(100_000);
  expect(weightedLength('a.'.repeat(50_000))).toBe(100_000);
  expect(weightedLength('https://'.repeat(12_500))).toBe(100_000);
});

test('links are replaced by the length that the network counts', () => {
  expect(withShortLinks('A https://example.com/long/path B', 3)).toBe('A xxx B');
});
