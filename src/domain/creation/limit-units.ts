import type { VocabularyEntry } from '../enums.js';
import { codePoints } from '../input/readers.js';

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

/** Top-level domains after which the short-message network links a domain without a scheme. */
const LINKED_DOMAINS =
  'com|org|net|edu|gov|info|biz|app|dev|io|co|tv|me|ai|shop|blog|online|store|site|tech|xyz|club|cloud|news|page|live|link|space|website|agency|studio|design|media|art|world|today|social';
const label = (letters: string): string => `${letters}(?:(?:${letters}|-)*${letters})?\\.`;
const ANY_LABEL = label('[\\p{L}\\p{N}]');
const ASCII_LABEL = label('[a-z0-9]');
/** A path ends before punctuation that belongs to the sentence. */
const PATH = '[/?#](?:[^\\s<>"]*[^\\s<>".,:;!?\'()\\]])?';
const LINKS = new RegExp(
  '(?<![a-z0-9@#$_./-])(?:' +
    `https?://(?:${ANY_LABEL})+\\p{L}{2,}(?::\\d+)?(?:${PATH})?|` +
    `(?:${ASCII_LABEL})+(?:(?:${LINKED_DOMAINS})(?![a-z0-9_-])(?:${PATH})?|[a-z]{2}${PATH}))`,
  'giu',
);

/** The text with each link replaced by as many characters as the network counts for it. */
export const withShortLinks = (text: string, linkLength: number): string =>
  text.replace(LINKS, 'x'.repeat(linkLength));

/** Code points that count as one; all others count as two. */
const SINGLE_WEIGHT = [
  [0, 4_351],
  [8_192, 8_205],
  [8_208, 8_223],
  [8_242, 8_247],
] as const;
// The compiler's target has no v flag.
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv');
const LINK_LENGTH = 23;

const weightOf = (codePoint: number): number =>
  SINGLE_WEIGHT.some(([first, last]) => codePoint >= first && codePoint <= last) ? 1 : 2;

/**
 * The length of a text on the short-message network: most Latin, Greek, Cyrillic, Hebrew and Arabic
 * characters count as 1, all others and each emoji as 2, each link as 23. The text is counted in
 * normalization form C.
 */
export function weightedLength(text: string): number {
  const counted = withShortLinks(text.normalize('NFC'), LINK_LENGTH).replace(EMOJI, 'xx');
  let length = 0;
  for (const character of counted) length += weightOf(character.codePointAt(0)!);
  return length;
}
