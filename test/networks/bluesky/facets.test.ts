import fc from 'fast-check';
import { findFeatures, toFacets } from '../../../src/networks/bluesky/facets.js';

/** The shown part of the text and the value of each feature. */
const featuresOf = (text: string): [string, string, string][] => {
  const bytes = Buffer.from(text);
  return findFeatures(text).map(({ byteStart, byteEnd, kind, value }) => [
    kind,
    bytes.subarray(byteStart, byteEnd).toString(),
    value,
  ]);
};

it.each<[string, [string, string, string][]]>([
  ['no features: a@b.example, 1#2, #, #1, @ada', []],
  [
    'Grüße 🫘: https://kiosk.example/a_(b)?c=d#e.',
    [['link', 'https://kiosk.example/a_(b)?c=d#e', 'https://kiosk.example/a_(b)?c=d#e']],
  ],
  ['(https://kiosk.example/a)!', [['link', 'https://kiosk.example/a', 'https://kiosk.example/a']]],
  ['HTTPS://KIOSK.example', [['link', 'HTTPS://KIOSK.example', 'HTTPS://KIOSK.example']]],
  [
    '@ada.bsky.social, (@other.example)',
    [
      ['mention', '@ada.bsky.social', 'ada.bsky.social'],
      ['mention', '@other.example', 'other.example'],
    ],
  ],
  [
    '🫘 #Kaffee! #röst-frisch #2026a ＃日本',
    [
      ['tag', '#Kaffee', 'Kaffee'],
      ['tag', '#röst-frisch', 'röst-frisch'],
      ['tag', '#2026a', '2026a'],
      ['tag', '＃日本', '日本'],
    ],
  ],
  [`#${'a'.repeat(65)}`, []],
])('finds the features of %j', (text, features) => {
  expect(featuresOf(text)).toEqual(features);
});

it('returns byte ranges of whole characters, in order and apart from each other', () => {
  const words = fc.constantFrom(
    'https://kiosk.example/ä',
    '@ada.test',
    '#Kaffee',
    '🫘',
    'ß',
    'e\u0301',
    ' ',
    '\n',
    '(',
    ')',
    '.',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      const bytes = Buffer.from(text);
      let end = 0;
      for (const { byteStart, byteEnd } of findFeatures(text)) {
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

it('leaves mentions of unknown accounts as text', () => {
  const facets = toFacets('@ada.test @nobody.test', { 'ada.test': 'did:plc:ada' });
  expect(facets).toEqual([
    {
      index: { byteStart: 0, byteEnd: 9 },
      features: [{ $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:ada' }],
    },
  ]);
});

it('takes linear time for long texts', () => {
  const text = '@a.'.repeat(20_000);
  expect(findFeatures(text)).toEqual([]);
});
