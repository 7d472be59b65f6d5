import type { VocabularyEntry } from '../enums.js';
import { codePoints } from '../input/readers.js';
import { findXLinks } from '../networks/web-links.js';

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
/** No text that a network takes has more: the rest of a longer one need not be counted exactly. */
const EXACT_GRAPHEMES = 10_000;

/** Each step of a segmenter takes as long as its whole text: long texts are read in parts. */
const PART_LENGTH = 512;

/** Segmentation is slow, and most texts are ASCII. */
function graphemes(text: string): number {
  // eslint-disable-next-line no-control-regex
  if (/^[\0-\f\x0E-\x7F]*$/.test(text)) return text.length;
  let count = 0;
  let [start, length] = [0, PART_LENGTH];
  while (start < text.length) {
    if (count >= EXACT_GRAPHEMES) return count + codePoints(text.slice(start));
    const part = text.slice(start, start + length);
    const found = [...GRAPHEMES.segment(part)];
    if (start + part.length === text.length) return count + found.length;
    // The last one may go on in the next part.
    const last = found.at(-1)!;
    count += found.length - 1;
    start += last.index;
    length = last.index === 0 ? length * 2 : PART_LENGTH;
  }
  return count;
}

/** A unit of text. */
export type TextUnit = Exclude<LimitUnit, 'items'>;

/** The length of a text in each unit. */
export const TEXT_LENGTHS: Readonly<Record<TextUnit, (text: string) => number>> = {
  code_points: codePoints,
  utf16: (text) => text.length,
  graphemes,
  bytes: (text) => new TextEncoder().encode(text).length,
  weighted: weightedLength,
};

/** Code points that count as one; all others count as two. */
const SINGLE_WEIGHT = [
  [0, 4_351],
  [8_192, 8_205],
  [8_208, 8_223],
  [8_242, 8_247],
] as const;
// The compiler's target has no v flag. Keyboards send a variation selector after some emoji.
const EMOJI = new RegExp('\\p{RGI_Emoji}\\uFE0F?|[#*0-9]\\u20E3', 'gv');
const LINK_LENGTH = 23;
const EMOJI_LENGTH = 2;

const weightOf = (codePoint: number): number =>
  SINGLE_WEIGHT.some(([first, last]) => codePoint >= first && codePoint <= last) ? 1 : 2;

/**
 * The length of a text on X by the configuration of twitter-text: most Latin, Greek, Cyrillic,
 * Hebrew and Arabic characters count as 1, all others and each emoji as 2, each link as 23. The
 * text is counted in normalization form C.
 */
export function weightedLength(text: string): number {
  const counted = text.normalize('NFC');
  const links = new Map(findXLinks(counted).map(({ index, length }) => [index, length]));
  const emoji = new Map(
    [...counted.matchAll(EMOJI)].map((match) => [match.index, match[0].length]),
  );
  let length = 0;
  for (let index = 0; index < counted.length;) {
    const [linkLength, emojiLength] = [links.get(index), emoji.get(index)];
    const codePoint = counted.codePointAt(index)!;
    length += linkLength ? LINK_LENGTH : emojiLength ? EMOJI_LENGTH : weightOf(codePoint);
    index += linkLength ?? emojiLength ?? (codePoint > 0xff_ff ? 2 : 1);
  }
  return length;
}
