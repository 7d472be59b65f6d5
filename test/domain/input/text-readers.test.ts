import fc from 'fast-check';
import { checkContent } from '../../../src/domain/creation/check-publishable.js';
import { enumKeys } from '../../../src/domain/enums.js';
import type { Problem } from '../../../src/domain/errors.js';
import { name, hasVisibleText } from '../../../src/domain/input/readers.js';
import { NETWORKS, type Network } from '../../../src/domain/networks/networks.js';
import { aPost } from '../../fixtures/posts.js';

/** Spaces, zero-width and bidirectional marks, fillers, variation selectors, tags, blank Braille. */
const INVISIBLE = [
  ' \t\n\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u2003\u200b\u200c\u200d\u200e\u200f\u2028',
  '\u202a\u202e\u2060\u2066\u2069\u2800\u3000\u3164\ufe0f\ufeff\uffa0\ufff9\u{e0001}\u{e0061}\u{e0100}',
].join('');
const invisible = fc.string({
  unit: fc.constantFrom(...INVISIBLE),
  minLength: 1,
  maxLength: 12,
});
const visible = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 3 })
  .filter((text) => /[\p{L}\p{N}\p{P}\p{Emoji_Presentation}]/u.test(text) && !isIn(text));
/** Whether one of the invisible characters is in the text: some are letters to Unicode. */
const isIn = (text: string): boolean =>
  [...text].some((character) => INVISIBLE.includes(character));

const readName = (value: string): readonly Problem[] => {
  const problems: Problem[] = [];
  name({ minLength: 1, maxLength: 100 })(value, [], problems);
  return problems;
};

test('text without a visible character counts as empty where a network needs text', () => {
  const cases = enumKeys<Network>(NETWORKS).flatMap((network) =>
    NETWORKS[network].postTypes.flatMap((type) =>
      (['text', 'title', 'question', 'url'] as const).map((field) => ({ network, type, field })),
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...cases), invisible, ({ network, type, field }, value) => {
      const refusals = (text: string) =>
        checkContent(aPost({ network, type, text: 'Text', [field]: text }), network);
      expect(refusals(value)).toEqual(refusals(''));
    }),
  );
});

test('one visible character among invisible ones is text', () => {
  fc.assert(
    fc.property(invisible, visible, invisible, (before, text, after) => {
      expect([hasVisibleText(before), hasVisibleText(before + text + after)]).toEqual([
        false,
        true,
      ]);
    }),
  );
});

test('a name needs a visible character', () => {
  const spaces = /[\p{White_Space}\ufeff]/gu;
  fc.assert(
    fc.property(
      invisible.map((text) => text.replace(spaces, '\u200b')),
      (text) => expect(readName(text)).toEqual(readName('')),
    ),
  );
  expect(readName('').length).toBe(1);
});
