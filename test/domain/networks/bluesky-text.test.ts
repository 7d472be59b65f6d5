import { RichText, UnicodeString } from '@atproto/api';
import fc from 'fast-check';
import { recordTextOf } from '../../../src/domain/networks/bluesky.js';
import { BLUESKY_TOP_LEVEL_DOMAINS } from '../../../src/domain/networks/top-level-domains.js';

const isHandle = (handle: string): boolean => {
  const topLevel = handle.slice(handle.lastIndexOf('.') + 1);
  return topLevel === 'test' || BLUESKY_TOP_LEVEL_DOMAINS.has(topLevel);
};

const shownPart = (text: string, byteStart: number, byteEnd: number): string =>
  Buffer.from(text).subarray(byteStart, byteEnd).toString();

/** The shown part of the text and the value of each feature. */
const featuresOf = (written: string): [string, string, string][] => {
  const { text, features } = recordTextOf({ text: written });
  return features.map(({ byteStart, byteEnd, kind, value }) => [
    kind,
    shownPart(text, byteStart, byteEnd),
    value,
  ]);
};

it.each<[string, [string, string, string][]]>([
  ['no features: a@b.example, 1#2, #, #1, @ada, file.txt, 3.14', []],
  [
    'Grüße 🫘: https://kiosk.example/a_(b)?c=d#e.',
    [['link', 'https://kiosk.example/a_(b)?c=d#e', 'https://kiosk.example/a_(b)?c=d#e']],
  ],
  ['(https://kiosk.example/a)!', [['link', 'https://kiosk.example/a', 'https://kiosk.example/a']]],
  ['HTTPS://KIOSK.example', [['link', 'HTTPS://KIOSK.example', 'HTTPS://KIOSK.example']]],
  [
    'kiosk.com, (www.kaffee.de/preise)',
    [
      ['link', 'kiosk.com', 'https://kiosk.com'],
      ['link', 'www.kaffee.de/preise', 'https://www.kaffee.de/preise'],
    ],
  ],
  [
    'https://kiosk.example/preise/2026/winter?a=1',
    [['link', 'kiosk.example/preise/2026/...', 'https://kiosk.example/preise/2026/winter?a=1']],
  ],
  [
    '@ada.bsky.social, (@other.example)',
    [
      ['mention', '@ada.bsky.social', 'ada.bsky.social'],
      ['mention', '@other.example', 'other.example'],
    ],
  ],
  [
    '🫘 #Kaffee! #röst-frisch #2026a ＃日本 $AAPL',
    [
      ['tag', '#Kaffee', 'Kaffee'],
      ['tag', '#röst-frisch', 'röst-frisch'],
      ['tag', '#2026a', '2026a'],
      ['tag', '＃日本', '日本'],
      ['tag', '$AAPL', '$AAPL'],
    ],
  ],
  [`#${'a'.repeat(65)}`, []],
])('finds the features of %j', (text, features) => {
  expect(featuresOf(text)).toEqual(features);
});

const WORDS = fc.array(
  fc.oneof(
    fc.constantFrom(
      'https://kiosk.example/ä',
      'http://a.de/b.',
      'https://kiosk.example/preise/2026/winter?a=1&b=(2)',
      'kaffee.de',
      'Kaffee.de/x)',
      'my-shop.com',
      'ab.com,',
      '1.com',
      '@ada.test',
      '@ada.bsky.social.',
      '@nobody.nowhere',
      '#Kaffee',
      '#1',
      '＃日本!',
      '$AAPL',
      '$aapl,',
      '🫘',
      'ß',
      'e\u0301',
    ),
    fc.constantFrom(' ', '\n', '(', ')', '.', ',', '/', '#', '$', '@', 'a'),
  ),
  { maxLength: 40 },
);

it('finds what the network’s own client finds', () => {
  fc.assert(
    fc.property(WORDS, (parts) => {
      const text = parts.join('');
      const reference = new RichText({ text });
      reference.detectFacetsWithoutResolution();
      let end = 0;
      const apart = (reference.facets ?? []).filter(({ index }) => {
        const isApart = index.byteStart >= end;
        if (isApart) end = index.byteEnd;
        return isApart;
      });
      const expected = apart.map(({ index, features: [feature] }) => [
        index.byteStart,
        shownPart(text, index.byteStart, index.byteEnd),
        (feature as { uri?: string }).uri ?? (feature as { tag?: string }).tag ?? null,
      ]);
      // Ours drops features inside of others, shows long addresses shortened, and asks the network whether a mentioned account exists.
      const ours = recordTextOf({ text }).features;
      const source = new UnicodeString(text);
      let shift = 0;
      const found = ours.flatMap(({ byteStart, byteEnd, kind, value }) => {
        const start = byteStart + shift;
        const shown = shownPart(recordTextOf({ text }).text, byteStart, byteEnd);
        const rest = Buffer.from(text).subarray(start).toString();
        const isShortened = kind === 'link' && !rest.startsWith(shown);
        const written = isShortened
          ? rest.startsWith(value)
            ? value
            : value.slice('https://'.length)
          : shown;
        shift += Buffer.byteLength(written) - Buffer.byteLength(shown);
        if (kind === 'mention' && !isHandle(value)) return [];
        expect(source.slice(start, start + Buffer.byteLength(written))).toBe(written);
        return [[start, written, kind === 'mention' ? null : value]];
      });
      expect(found).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

it('returns byte ranges of whole characters, in order and apart from each other', () => {
  fc.assert(
    fc.property(WORDS, (parts) => {
      const { text, features } = recordTextOf({ text: parts.join('') });
      const bytes = Buffer.from(text);
      let end = 0;
      for (const { byteStart, byteEnd } of features) {
        expect(byteStart).toBeGreaterThanOrEqual(end);
        expect(byteEnd).toBeGreaterThan(byteStart);
        end = byteEnd;
        const shown = bytes.subarray(byteStart, byteEnd);
        expect(Buffer.from(shown.toString()).equals(shown)).toBe(true);
      }
      expect(end).toBeLessThanOrEqual(bytes.length);
    }),
  );
});

it('takes linear time for long texts', () => {
  for (const part of ['@a.', 'a.', 'a.de ', '#a', 'https://', '語.'])
    expect(recordTextOf({ text: part.repeat(20_000) }).text).not.toBe('');
}, 5_000);
