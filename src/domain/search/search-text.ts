/**
 * Text normalization for search (D16). Texts are normalized when they are stored, queries when they
 * are read, so that case, accents and typographic variants are ignored.
 */

/**
 * Marks that users omit when they search: Latin, Greek and Cyrillic accents, Hebrew points, Arabic
 * harakat and tatweel, emoji skin tones.
 */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u{1f3fb}-\u{1f3ff}]/gu;

/** Joiners, soft hyphens, variation selectors: invisible, and not typed in queries. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters with a stroke or ligature that Unicode does not decompose. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ς: 'σ',
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
};

/** Letters, digits and marks of scripts without spaces between words. */
const UNSPACED =
  '(?=[\\p{L}\\p{N}\\p{M}])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]';
const EMOJI = '[\\p{Extended_Pictographic}\\p{Regional_Indicator}]';
const RUN = `(?:${UNSPACED})+|${EMOJI}+`;
const WORD = `(?!${UNSPACED})[\\p{L}\\p{N}](?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])*`;

const PIECES = new RegExp(`${RUN}|${WORD}`, 'gu');
const STARTS_RUN = new RegExp(`^(?:${UNSPACED}|${EMOJI})`, 'u');

/** Words that begin with a Korean syllable. */
export const STARTS_HANGUL = /^[가-힣]/u;

/**
 * Maximum length of a word token in code points; longer words are truncated to keep index entries
 * small.
 */
export const MAX_WORD_TOKEN = 100;

/**
 * The normal form of a text: compatibility forms unified, accents and invisible characters removed,
 * case folded; then its pieces (words, and runs of characters of scripts without spaces or of
 * emoji) separated by single spaces, with one space at each end. Vowel signs of Indic and Thai
 * script are kept. '' for a text without pieces. Never throws: NUL and lone surrogates separate
 * pieces.
 */
export function normalText(text: string): string {
  const pieces = toPlain(toPlain(text).toUpperCase().toLowerCase()).match(PIECES);
  return pieces ? ` ${pieces.join(' ')} ` : '';
}

/**
 * Decomposes the text, removes ACCENTS and INVISIBLE, and composes the rest, so that が and 한 are
 * single characters again.
 */
function toPlain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(INVISIBLE, '')
    .replace(/[ςßłøđħŧæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/** The pieces of a normalized text, in order. */
export function searchPieces(normal: string): string[] {
  return normal.split(' ').filter((piece) => piece !== '');
}

/** Whether a piece is a run. Any part of a run can match. */
export function isRun(piece: string): boolean {
  return STARTS_RUN.test(piece);
}

/** The index token of a word: the word, truncated to MAX_WORD_TOKEN code points. */
export function toWordToken(word: string): string {
  return word.length <= MAX_WORD_TOKEN ? word : [...word].slice(0, MAX_WORD_TOKEN).join('');
}

/** Every pair of adjacent characters of a run. */
export function runPairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
