import fc from 'fast-check';
import { fitted, storable } from '../../src/domain/imports/fitted-text.js';

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(' ', '\n', 'a', 'b', '😀', 'ß', '\0', '\ud83d', '\ude00'),
    fc.string({ minLength: 1, maxLength: 3 }),
  ),
  maxLength: 80,
});

it('never gives more code points than asked for, and never other words than the beginning’s', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, most) => {
      const cut = fitted(text, most);
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
])('cuts %j after %i at most', (text, most, cut) => {
  expect(fitted(text, most)).toBe(cut);
});

it('leaves well-formed text alone and nothing else in', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ key: anyText, list: fc.array(anyText) })), (value) => {
      const stored = storable(value);
      expect(/\\u0000|\\ud[89a-f]/.test(JSON.stringify(stored))).toBe(false);
      expect(storable(stored)).toEqual(stored);
    }),
  );
});

it('replaces NUL and halves of pairs, in keys too, and keeps dates', () => {
  const at = new Date(0);
  expect(storable({ '\0a': ['\ud83dx', '😀'], at, none: null, n: 1 })).toEqual({
    '\ufffda': ['\ufffdx', '😀'],
    at,
    none: null,
    n: 1,
  });
});
