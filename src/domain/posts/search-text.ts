/**
 * What search looks at (D16). A text is brought to a normal form, once, when it is stored; a query is brought
 * to the same form, so that case, accents and typographic variants never matter.
 */

/** Points and accents that readers leave out: Latin, Greek and Cyrillic accents, Hebrew points, Arabic harakat and tatweel, emoji skin tones. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u{1f3fb}-\u{1f3ff}]/gu;

/** Joiners, soft hyphens, variation selectors: invisible, and typed by nobody who searches. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters whose stroke or ligature Unicode does not take apart. */
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

/** Letters, digits and marks of scripts that put no spaces between words. */
const UNSPACED =
  '(?=[\\p{L}\\p{N}\\p{M}])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]';
const EMOJI = '[\\p{Extended_Pictographic}\\p{Regional_Indicator}]';
const RUN = `(?:${UNSPACED})+|${EMOJI}+`;
const WORD = `(?!${UNSPACED})[\\p{L}\\p{N}](?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])*`;

const PIECES = new RegExp(`${RUN}|${WORD}`, 'gu');
const STARTS_RUN = new RegExp(`^(?:${UNSPACED}|${EMOJI})`, 'u');

/** The longest word that is a token, in code points; longer ones are cut, because an index entry has to stay small. */
export const MAX_WORD_TOKEN = 100;

/**
 * The normal form of a text: compatibility forms unified, accents and invisible characters removed, case
 * folded; then its pieces (words, and runs of characters of scripts without spaces or of emoji) between single
 * spaces, with one space before the first and one after the last. Vowel signs of Indic and Thai script stay.
 * A text without any piece is ''. Never throws: NUL and lone surrogates separate pieces.
 */
export function normalText(text: string): string {
  const pieces = toPlain(toPlain(text).toUpperCase().toLowerCase()).match(PIECES);
  return pieces ? ` ${pieces.join(' ')} ` : '';
}

/** Decomposes, drops what ACCENTS and INVISIBLE name, and composes what is left, so that が and 한 are one character again. */
function toPlain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(INVISIBLE, '')
    .replace(/[ςßłøđħŧæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/** The pieces of a normal text, in order. */
export function searchPieces(normal: string): string[] {
  return normal.split(' ').filter((piece) => piece !== '');
}

/** Whether a piece is a run, which matches at any of its characters; a word matches as a whole. */
export function isRun(piece: string): boolean {
  return STARTS_RUN.test(piece);
}

/**
 * What the index holds of a normal text, each once: words whole (cut to 100 code points), and of runs every
 * character and every pair of neighbours, so that any part of a run can be looked up.
 */
export function searchTokens(normal: string): string[] {
  const tokens = new Set<string>();
  for (const piece of searchPieces(normal)) {
    if (!isRun(piece)) tokens.add(cutWord(piece));
    else for (const token of [...piece, ...runPairs(piece)]) tokens.add(token);
  }
  return [...tokens];
}

/** The word as the index holds it. */
export function cutWord(word: string): string {
  return word.length <= MAX_WORD_TOKEN ? word : [...word].slice(0, MAX_WORD_TOKEN).join('');
}

/** Every two neighbouring characters of a run. */
export function runPairs(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
