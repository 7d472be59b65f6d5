import fc from 'fast-check';
import { truncateText, toStorable } from '../../../src/services/imports/plan-import.js';

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(' ', '\n', 'a', 'b', '😀', 'ß', '\0', '\ud83d', '\ude00'),
    fc.string({ minLength: 1, maxLength: 3 }),
  ),
  maxLength: 80,
});

it('never exceeds the maximum length, and is a prefix of whole words', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, most) => {
      const cut = truncateText(text, most);
      expect([...cut].length).toBeLessThanOrEqual(most);
      expect(text.startsWith(cut)).toBe(true);
      if ([...text].length <= most) expect(cut).toBe(text);
    }),
  );
});

it.each([
  ['eins zwei drei', 8, 'eins'],
  ['eins zwei drei', 9, 'eins zwei'],
  ['eins zwei drei', 10, 'eins zwei'],
  ['😀😀😀', 2, '😀😀'],
  ['a '.repeat(200) + 'x'.repeat(500), 700, 'a '.repeat(200) + 'x'.repeat(300)],
])('truncates %j to %i code points', (text, most, cut) => {
  expect(truncateText(text, most)).toBe(cut);
});

it('keeps well-formed text unchanged, and always returns well-formed text', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ key: anyText, list: fc.array(anyText) })), (value) => {
      const stored = toStorable(value);
      expect(/\\u0000|\\ud[89a-f]/.test(JSON.stringify(stored))).toBe(false);
      expect(toStorable(stored)).toEqual(stored);
    }),
  );
});

it('replaces NUL and lone surrogates, also in keys, and keeps dates', () => {
  const at = new Date(0);
  expect(toStorable({ '\0a': ['\ud83dx', '😀'], at, none: null, n: 1 })).toEqual({
    '\ufffda': ['\ufffdx', '😀'],
    at,
    none: null,
    n: 1,
  });
});
