import type { VocabularyEntry } from '../enums.js';
import { codePoints } from '../input/readers.js';
import { weightedLength } from './weighted-length.js';

/** The units in which networks limit content (D47). */
export const LIMIT_UNITS = {
  code_points: { description: 'Unicode code points.', source: 'D47' },
  utf16: { description: 'UTF-16 code units. Most emoji count as 2 or more.', source: 'D47' },
  graphemes: { description: 'Characters as readers perceive them.', source: 'D47' },
  bytes: { description: 'Bytes of the text, encoded in UTF-8.', source: 'D47' },
  weighted: {
    description:
      'Characters, weighted as on X: a link counts as 23, and each emoji and each Chinese, Japanese or Korean character counts as 2.',
    source: 'D47',
  },
  items: { description: 'Entries in a list.', source: 'D47' },
} as const satisfies Record<string, VocabularyEntry>;
export type LimitUnit = keyof typeof LIMIT_UNITS;

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A unit of text. */
export type TextUnit = Exclude<LimitUnit, 'items'>;

/** The length of a text in each unit. */
export const TEXT_LENGTHS: Readonly<Record<TextUnit, (text: string) => number>> = {
  code_points: codePoints,
  utf16: (text) => text.length,
  graphemes: (text) => [...GRAPHEMES.segment(text)].length,
  bytes: (text) => new TextEncoder().encode(text).length,
  weighted: weightedLength,
};
